import type { Webhook } from '@headwater/sdk';
import { Badge } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatRelativeTime } from '../shared/formats.ts';

const DISABLED: Record<NonNullable<Webhook['disabledReason']>, string> = {
  requested: t('Disabled'),
  gone: t('Disabled: the endpoint responded 410 Gone'),
  failing: t('Disabled: failing for five days'),
};

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  if (status !== 'active') {
    return <Badge variant="default">{disabledReason ? DISABLED[disabledReason] : t('Disabled')}</Badge>;
  }
  return (
    <Badge variant="light" color={failingSince ? 'red' : 'teal'}>
      {failingSince
        ? t('Failing since {failingSince}', { failingSince: formatRelativeTime(failingSince) })
        : t('Active')}
    </Badge>
  );
}
