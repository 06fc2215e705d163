import { type WebhookDeliveryWithPayload, waitForJob } from '@headwater/sdk';
import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { attemptErrorLabel } from '../shared/attempt-errors.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatDateTime, formatRelativeTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { eventLabel } from './events.ts';
import { deliveryQuery, refreshWebhooks } from './queries.ts';

interface DeliveryDrawerProps {
  webhookId: string;
  deliveryId: string | undefined;
  onClose: () => void;
}

/** A delivery with the response to every attempt, and the body that was sent. */
export function DeliveryDrawer({ webhookId, deliveryId, onClose }: DeliveryDrawerProps) {
  const query = useQuery({ ...deliveryQuery(webhookId, deliveryId ?? ''), enabled: deliveryId !== undefined });
  return (
    <Drawer
      opened={deliveryId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data ? eventLabel(query.data.type) : t('Delivery')}
    >
      {deliveryId !== undefined && (
        <Loaded query={query}>{(delivery) => <Delivery webhookId={webhookId} delivery={delivery} />}</Loaded>
      )}
    </Drawer>
  );
}

type Attempt = WebhookDeliveryWithPayload['attempts'][number];

const COLUMNS: Column<Attempt>[] = [
  { id: 'time', label: t('Time'), cell: ({ at }) => formatDateTime(at) },
  { id: 'response', label: t('Response'), cell: ({ status }) => status ?? t('None') },
  { id: 'duration', label: t('Duration'), isNumber: true, cell: ({ ms }) => t('{ms} ms', { ms }) },
  {
    id: 'error',
    label: t('Error'),
    isWrapped: true,
    cell: ({ error, response }) => (
      <>
        {error && (
          <Text size="sm" c="var(--worse)">
            {attemptErrorLabel(error)}
          </Text>
        )}
        {response && (
          <Code
            block
            mt={4}
            fz="xs"
            mah={160}
            tabIndex={0}
            role="group"
            aria-label={t('Response body')}
            style={{ overflow: 'auto' }}
          >
            {response}
          </Code>
        )}
      </>
    ),
  },
];

function Delivery({ webhookId, delivery }: { webhookId: string; delivery: WebhookDeliveryWithPayload }) {
  const { id, attempts, payload, status, nextAttemptAt } = delivery;
  const mayEdit = useMayWrite('webhooks');
  const retry = useMutation({
    mutationFn: async () => waitForJob(headwater, await headwater.replayWebhook({ id: webhookId }, { deliveryId: id })),
    onSuccess: () => notify(t('Retrying the delivery.')),
    onSettled: refreshWebhooks,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" className="code">
          {id}
        </Text>
        {mayEdit && status !== 'pending' && (
          <Button variant="default" size="compact-sm" loading={retry.isPending} onClick={() => retry.mutate()}>
            {t('Retry')}
          </Button>
        )}
      </Group>
      <Title order={3} size="h5">
        {t('Attempts')}
      </Title>
      {attempts.length > 0 && (
        <DataTable
          label={t('Attempts')}
          query={{ data: attempts }}
          columns={COLUMNS}
          minWidth={420}
          rowKey={({ at }) => at}
          isBare
        />
      )}
      {status === 'pending' && (
        <Text size="sm" c="dimmed">
          {attempts.length === 0 || nextAttemptAt === null
            ? t('Pending.')
            : t('Next attempt {nextAttemptAt}.', { nextAttemptAt: formatRelativeTime(nextAttemptAt) })}
        </Text>
      )}
      <Title order={3} size="h5">
        {t('Body')}
      </Title>
      <Code block tabIndex={0} fz="xs">
        {JSON.stringify(payload, null, 2)}
      </Code>
    </Stack>
  );
}
