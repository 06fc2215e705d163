import type { Destination, DestinationDelivery } from '@headwater/sdk';
import { Badge } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatMoney, formatRelativeTime } from '../shared/formats.ts';
import { type DeliveryStatus, MODES, PAUSES, STATUSES } from './labels.ts';

export function DestinationStatus({ destination }: { destination: Destination }) {
  const { mode, status, failingSince } = destination;
  if (mode === 'off') return <Badge variant="default">{MODES.off.label}</Badge>;
  if (status === 'paused') {
    return (
      <Badge variant="light" color="red">
        {PAUSES[destination.pauseReason ?? 'credentials'].badge}
      </Badge>
    );
  }
  if (failingSince) {
    return (
      <Badge variant="light" color="red">
        {t('Failing since {failingSince}', { failingSince: formatRelativeTime(failingSince) })}
      </Badge>
    );
  }
  return (
    <Badge variant="light" color={mode === 'live' ? 'teal' : 'blue'}>
      {MODES[mode].label}
    </Badge>
  );
}

export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  return (
    <Badge variant="light" color={STATUSES[status].color}>
      {STATUSES[status].label}
    </Badge>
  );
}

export const sentValue = ({ value, currency }: Pick<DestinationDelivery, 'value' | 'currency'>): string =>
  value === null ? '' : currency === null ? value : formatMoney(value, currency);
