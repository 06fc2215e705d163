import type { Webhook } from '@headwater/sdk';
import { Badge } from '@mantine/core';
import { formatAgo } from '../shared/formats.ts';

const REASONS = {
  requested: 'Switched off',
  gone: 'Switched off: it answered that it is gone',
  failing: 'Switched off: it failed for five days',
};

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  if (status !== 'active') {
    return (
      <Badge variant="default" tt="none" fw={500}>
        {disabledReason ? REASONS[disabledReason] : 'Switched off'}
      </Badge>
    );
  }
  return failingSince ? (
    <Badge variant="light" color="red" tt="none" fw={500}>
      Failing since {formatAgo(failingSince)}
    </Badge>
  ) : (
    <Badge variant="light" color="teal" tt="none" fw={500}>
      Working
    </Badge>
  );
}
