import type { Alert, CreateAlertRequest } from '@headwater/sdk';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';

export type Preset = NonNullable<CreateAlertRequest['preset']>;

export const PRESET_LABELS: Record<Preset, string> = {
  salesDrop: t('Sales of yesterday are under what is usual by now'),
  scriptSilent: t('The script is silent'),
  destinationBehind: t('An ad platform was told less than was earned'),
  costWithoutClicks: t('Ads cost money and bring no sessions'),
};

export const STATUS_LABELS: Record<Alert['status'], string> = {
  ok: t('OK'),
  alerting: t('Alerting'),
  tooYoung: t('Too little data'),
  failed: t('Could not be read'),
  unknown: t('Not evaluated yet'),
};

const CHANNEL_LABELS: Record<Alert['channels'][number]['type'], string> = {
  mail: t('Email'),
  webhook: t('Webhooks'),
  slack: t('Chat'),
};

/** Names of presets are translated; others are those that somebody chose. */
export function nameOf({ name }: Alert): string {
  const text = serviceText(name);
  return Object.values(PRESET_LABELS).includes(text) ? text : name;
}

export const channelsOf = ({ channels }: Alert) =>
  [...new Set(channels.map(({ type }) => CHANNEL_LABELS[type]))].join(', ') || t('None');

const FIGURE_LABELS: Record<Alert['figure'], string> = {
  revenue: t('Revenue'),
  conversions: t('Conversions'),
  sessions: t('Sessions'),
  events: t('Events'),
  cost: t('Cost'),
  destinationDifference: t('Told less than earned'),
  expectedRevenue: t('Expected revenue'),
  costWithoutClicks: t('Cost without sessions'),
};
const MONEY: readonly Alert['figure'][] = ['revenue', 'cost', 'expectedRevenue', 'costWithoutClicks'];

/** What an alert is about: "Revenue of yesterday". */
export function subjectOf({ figure: id, kind, window, minutes, source, event }: Alert): string {
  const label = FIGURE_LABELS[id];
  const figure = event
    ? `${label} (${event})`
    : source
      ? t('{figure} from {source}', { figure: label, source })
      : label;
  if (kind === 'silence') return t('{figure} in the last {minutes} minutes', { figure, minutes: String(minutes) });
  return {
    lastHour: t('{figure} in the last hour', { figure }),
    today: t('{figure} of today', { figure }),
    yesterday: t('{figure} of yesterday', { figure }),
    last7Days: t('{figure} of the last 7 days', { figure }),
  }[window];
}

/** The figure at the last evaluation, and what is usual. @param currency of the account */
export function currentOf({ current, expected, limit, kind, figure }: Alert, currency: string | null): string {
  if (current === null) return '';
  const format = (value: number) =>
    figure === 'destinationDifference'
      ? formatPercent(value / 100)
      : MONEY.includes(figure) && currency !== null
        ? formatMoney(value, currency)
        : formatNumber(Math.round(value));
  if (expected !== null)
    return t('{current}, usual {expected}', { current: format(current), expected: format(expected) });
  if (kind !== 'threshold' || limit === null) return format(current);
  return t('{current}, limit {limit}', { current: format(current), limit: format(limit) });
}
