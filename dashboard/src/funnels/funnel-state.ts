import { t } from '../languages/translate.ts';
import { DIMENSIONS, type Dimension, type OverviewState, readOverviewState } from '../reports/overview-state.ts';

export const CONDITION_OPERATORS = ['is', 'isNot', 'contains', 'containsNot', 'atLeast', 'atMost'] as const;

/** On a property of an event. */
export interface Condition {
  property: string;
  operator: (typeof CONDITION_OPERATORS)[number];
  values: string[];
}

/** A page that is visited, or an event. */
export interface Action {
  type: 'page' | 'event';
  name: string;
  where?: Condition[];
}

/** An action, or one of several. */
export interface Step extends Action {
  or?: Action[];
}

/** A funnel and its period, as in the URL, so that it can be bookmarked and shared. */
export interface FunnelState extends OverviewState {
  steps?: Step[];
  by?: 'visitor';
  /** Minutes; a week by default. */
  window?: number;
  breakdown?: Dimension;
}

export const MAX_STEPS = 10;
export const MAX_ALTERNATIVES = 5;
export const MAX_CONDITIONS = 3;
export const DEFAULT_WINDOW = 10_080;
export const WINDOWS: Record<string, string> = {
  30: t('30 minutes'),
  60: t('1 hour'),
  1440: t('1 day'),
  10080: t('7 days'),
  43200: t('30 days'),
  129600: t('90 days'),
};

/** Dimensions of which a session has one value. */
export const BREAKDOWNS = DIMENSIONS.filter((name) => !['platform', 'page', 'event', 'funnel'].includes(name));

/** Reads search parameters that may come from anywhere. */
export function readFunnelState(search: Record<string, unknown>): FunnelState {
  const { steps, by, window, breakdown } = search;
  const valid = Array.isArray(steps) ? steps.flatMap(readStep).slice(0, MAX_STEPS) : [];
  return {
    ...readOverviewState(search),
    ...(valid.length > 0 && { steps: valid }),
    ...(by === 'visitor' && { by }),
    ...(String(window) in WINDOWS && { window: Number(window) }),
    ...(BREAKDOWNS.includes(breakdown as Dimension) && { breakdown: breakdown as Dimension }),
  };
}

function readStep(value: unknown): Step[] {
  const { or } = (value ?? {}) as Record<string, unknown>;
  const alternatives = Array.isArray(or) ? or.flatMap(readAction).slice(0, MAX_ALTERNATIVES - 1) : [];
  return readAction(value).map((action) => ({ ...action, ...(alternatives.length > 0 && { or: alternatives }) }));
}

function readAction(value: unknown): Action[] {
  const { type, name, where } = (value ?? {}) as Record<string, unknown>;
  if ((type !== 'page' && type !== 'event') || typeof name !== 'string' || name === '') return [];
  const conditions = type === 'event' && Array.isArray(where) ? where.filter(isCondition).slice(0, MAX_CONDITIONS) : [];
  return [{ type, name, ...(conditions.length > 0 && { where: conditions }) }];
}

function isCondition(value: unknown): value is Condition {
  const { property, operator, values } = (value ?? {}) as Record<string, unknown>;
  const isText = (each: unknown) => typeof each === 'string' && each !== '';
  return (
    isText(property) &&
    CONDITION_OPERATORS.some((each) => each === operator) &&
    Array.isArray(values) &&
    values.length > 0 &&
    values.every(isText)
  );
}

const toAction = ({ type, name, where }: Action) =>
  type === 'page' ? { page: name } : { event: name, ...(where && { where }) };

/** What the service counts. */
export const definitionOf = ({ steps = [], by, window = DEFAULT_WINDOW, breakdown }: FunnelState) => ({
  by: by ?? ('session' as const),
  windowMinutes: window,
  steps: steps.map(({ or, ...first }) => (or ? { anyOf: [first, ...or].map(toAction) } : toAction(first))),
  ...(breakdown && { breakdownBy: breakdown as 'source' }),
});

interface CountedAction {
  page?: string | undefined;
  event?: string | undefined;
  where?: Condition[] | undefined;
  anyOf?: CountedAction[] | undefined;
}

export const CONDITION_WORDS: Record<Condition['operator'], string> = {
  is: t('is'),
  isNot: t('is not'),
  contains: t('contains'),
  containsNot: t('does not contain'),
  atLeast: t('is at least'),
  atMost: t('is at most'),
};

/** "/cart, or signup where plan is pro". */
export function stepText({ page, event, where = [], anyOf }: CountedAction): string {
  if (anyOf) return anyOf.map(stepText).join(`, ${t('or')} `);
  const conditions = where.map(
    ({ property, operator, values }) => `${property} ${CONDITION_WORDS[operator]} ${values.join(` ${t('or')} `)}`,
  );
  const name = page ?? event ?? '';
  if (conditions.length === 0) return name;
  return t('{name} where {conditions}', { name, conditions: conditions.join(` ${t('and')} `) });
}
