import type { Webhook } from '@headwater/sdk';
import { Badge } from '@mantine/core';
import { formatRelativeTime } from '../shared/formats.ts';

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  requested: 'Disabled',
  gone: 'Disabled: the endpoint responded 410 Gone',
  failing: 'Disabled: failing for five days',
};

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  if (status !== 'active') {
    return <Badge variant="default">{disabledReason ? DISABLED[disabledReason] : 'Disabled'}</Badge>;
  }
  return (
    <Badge variant="light" color={failingSince ? 'red' : 'teal'}>
      {failingSince ? `Failing since ${formatRelativeTime(failingSince)}` : 'Active'}
    </Badge>
  );
}
