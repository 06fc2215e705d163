import type { Alert, CreateAlertRequest } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { formatNumber } from '../shared/formats.ts';

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

export const channelsOf = ({ channels }: Alert) =>
  [...new Set(channels.map(({ type }) => CHANNEL_LABELS[type]))].join(', ') || t('None');

/** The figure at the last evaluation, and what is usual. */
export function currentOf({ current, expected, limit, kind }: Alert): string {
  if (current === null) return '';
  if (expected !== null) {
    return t('{current}, usual {expected}', {
      current: formatNumber(current),
      expected: formatNumber(Math.round(expected)),
    });
  }
  if (kind !== 'threshold' || limit === null) return formatNumber(current);
  return t('{current}, limit {limit}', { current: formatNumber(current), limit: formatNumber(limit) });
}
