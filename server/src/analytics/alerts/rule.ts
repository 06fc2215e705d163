import type { Fault } from '../../shared/errors.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { AlertChange, AlertDefinition, Figure, Kind, NewAlert, Preset } from './contract.ts';

const NONE = { value: null, percent: null, minutes: null, event: null, source: null };
const COMMON = { ...NONE, channels: [], isEnabled: true };

export const PRESET: Record<Preset, AlertDefinition> = {
  salesDrop: {
    ...COMMON,
    name: 'Sales of yesterday are under what is usual by now',
    ...{ figure: 'revenue', kind: 'expected', window: 'yesterday', direction: 'below', percent: 40 },
  },
  scriptSilent: {
    ...COMMON,
    name: 'The script is silent',
    ...{ figure: 'sessions', kind: 'silence', window: 'lastHour', direction: 'below', minutes: 30 },
  },
  destinationBehind: {
    ...COMMON,
    name: 'An ad platform was told less than was earned',
    ...{ figure: 'destinationDifference', kind: 'threshold', window: 'yesterday', direction: 'above', value: 20 },
  },
  costWithoutClicks: {
    ...COMMON,
    name: 'Ads cost money and bring no sessions',
    ...{ figure: 'costWithoutClicks', kind: 'threshold', window: 'yesterday', direction: 'above', value: 0 },
  },
};

/** What each figure can be compared with. */
const KINDS_OF: Record<Figure, readonly Kind[]> = {
  revenue: ['threshold', 'change', 'expected', 'silence'],
  conversions: ['threshold', 'change', 'expected', 'silence'],
  sessions: ['threshold', 'change', 'silence'],
  events: ['threshold', 'change', 'silence'],
  cost: ['threshold', 'change'],
  destinationDifference: ['threshold'],
  expectedRevenue: ['threshold'],
  costWithoutClicks: ['threshold'],
};
const BY_DAY: readonly Figure[] = ['cost', 'destinationDifference', 'expectedRevenue', 'costWithoutClicks'];
const BY_SOURCE: readonly Figure[] = ['revenue', 'conversions', 'sessions', 'cost'];

/** The definition that a request makes of an earlier one, a preset or nothing, or all of its faults. */
export function definitionOf(
  sent: NewAlert | AlertChange,
  base: Partial<AlertDefinition>,
  mayConnect: MayConnect,
): { definition: AlertDefinition; faults: Fault[] } {
  const names = Object.keys(PRESET.salesDrop) as (keyof AlertDefinition)[];
  const members = Object.fromEntries(names.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));
  const merged: Partial<AlertDefinition> = { ...COMMON, direction: 'below', window: 'yesterday', ...base, ...members };
  const faults: Fault[] = [];
  const fault = (member: string, code: string, detail: string) => faults.push({ pointer: `/${member}`, code, detail });
  for (const name of ['name', 'figure', 'kind'] as const) {
    if (merged[name] === undefined) fault(name, 'required', `\`${name}\` is required without a preset.`);
  }
  const definition = { ...PRESET.salesDrop, ...merged, name: (merged.name ?? '').trim() };
  if (faults.length > 0) return { definition, faults };
  const { figure, kind, window, value, percent, minutes, event, source, channels } = definition;
  if (!KINDS_OF[figure].includes(kind)) {
    fault('kind', 'not_allowed', `\`${figure}\` can be compared by: ${KINDS_OF[figure].join(', ')}.`);
  }
  if (kind === 'threshold' && value === null) fault('value', 'required', 'A threshold needs a `value`.');
  if ((kind === 'change' || kind === 'expected') && percent === null) {
    fault('percent', 'required', `\`${kind}\` needs a \`percent\`.`);
  }
  if (kind === 'silence' && minutes === null) fault('minutes', 'required', 'Silence needs `minutes`.');
  if (BY_DAY.includes(figure) && (window === 'lastHour' || window === 'today')) {
    fault('window', 'not_allowed', `\`${figure}\` is known by day: use \`yesterday\` or \`last7Days\`.`);
  }
  if (event !== null && figure !== 'events') fault('event', 'not_allowed', 'Only `events` have an `event`.');
  if (source !== null && !BY_SOURCE.includes(figure)) {
    fault('source', 'not_allowed', `Only ${BY_SOURCE.join(', ')} have a \`source\`.`);
  }
  for (const [i, channel] of channels.entries()) {
    if (channel.type === 'slack') faults.push(...checkUrl(channel.url, mayConnect, `/channels/${i}/url`));
  }
  return { definition, faults };
}
