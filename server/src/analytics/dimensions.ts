/** Dimensions of which a session has at most one value, with their columns. */
export const SINGLE_VALUED = {
  source: 'source',
  medium: 'medium',
  campaign: 'campaign',
  landingPage: 'landing_page',
  country: 'country',
  device: 'device',
  channel: 'channel',
  term: 'term',
  content: 'content',
  referrer: 'referrer',
  exitPage: 'exit_page',
  browser: 'browser',
  os: 'os',
  region: 'region',
} as const;
export type SingleValued = keyof typeof SINGLE_VALUED;

/** Dimensions of which a session can have several values; their columns have the same name. */
const MULTI_VALUED = ['platform', 'page', 'event', 'funnel'] as const;
type MultiValued = (typeof MULTI_VALUED)[number];

/** The dimensions by which reports group and filter. All belong to a session. */
export type Dimension = SingleValued | MultiValued;
export const DIMENSIONS: readonly Dimension[] = [...(Object.keys(SINGLE_VALUED) as SingleValued[]), ...MULTI_VALUED];

export const isMultiValued = (name: Dimension): name is MultiValued => MULTI_VALUED.some((each) => each === name);

/**
 * Names of click ids. Segments store their index, so a new one is appended. Declared here as well as in tracking because the
 * report thread would have to load all of tracking for it; a test keeps the two equal.
 */
export const PLATFORMS: readonly string[] = [
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'epik',
  'twclid',
  'sclid',
  'tblci',
  'ob_click_id',
  'rdt_cid',
  'aleid',
  'alart',
  'oppref',
];

const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Ignores the case of ASCII letters, as `lower(… collate "C")` of PostgreSQL does, whatever its locale. */
export const containsText = (value: string, text: string) => lower(value).includes(lower(text));

/** How a filter compares the values of a session: as a whole, or by a part in any case. */
export const OPERATORS = ['is', 'isNot', 'contains', 'containsNot'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A session passes if one of its values matches one of these, or if none does for a negated operator; null: no value. */
export interface Condition {
  operator: Operator;
  values: (string | null)[];
}

/** For each filtered dimension the conditions that a session must all pass. */
export type Filters = Partial<Record<Dimension, Condition[]>>;

export const isNegated = (operator: Operator) => operator === 'isNot' || operator === 'containsNot';

/** Whether something without any value of the dimension passes. */
export function acceptsNone({ operator, values }: Condition): boolean {
  const includesNone = (operator === 'is' || operator === 'isNot') && values.includes(null);
  return includesNone !== isNegated(operator);
}

/** Whether one value passes. */
export function acceptsValue({ operator, values }: Condition, value: string): boolean {
  const texts = values.filter((each) => each !== null);
  const matches =
    operator === 'is' || operator === 'isNot' ? texts.includes(value) : texts.some((text) => containsText(value, text));
  return matches !== isNegated(operator);
}

/** Whether something without values of any of these dimensions passes. */
export const acceptNone = (filters: Filters) => Object.values(filters).flat().every(acceptsNone);

/** Traffic that is left out of reports by default. */
export interface Include {
  bots: boolean;
  internal: boolean;
}

/** From `from` to before `to`, in milliseconds since 1970, on whole minutes. */
export interface Period {
  from: number;
  to: number;
}
