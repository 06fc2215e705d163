import type { WebhookDeliveryWithPayload } from '@headwater/sdk';
import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { headwater, useIsOwner } from '../service/session.ts';
import { attemptErrorLabel } from '../shared/attempt-errors.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatDateTime, formatRelativeTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
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
      title={query.data ? eventLabel(query.data.type) : 'Delivery'}
    >
      {deliveryId !== undefined && (
        <Loaded query={query}>{(delivery) => <Delivery webhookId={webhookId} delivery={delivery} />}</Loaded>
      )}
    </Drawer>
  );
}

type Attempt = WebhookDeliveryWithPayload['attempts'][number];

const COLUMNS: Column<Attempt>[] = [
  { id: 'time', label: 'Time', cell: ({ at }) => formatDateTime(at) },
  { id: 'response', label: 'Response', cell: ({ status }) => status ?? 'None' },
  { id: 'duration', label: 'Duration', isNumber: true, cell: ({ ms }) => `${ms} ms` },
  {
    id: 'error',
    label: 'Error',
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
            aria-label="Response body"
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
  const isOwner = useIsOwner();
  const retry = useMutation({
    mutationFn: () => headwater.replayWebhook({ id: webhookId }, { deliveryId: id }),
    onSuccess: () => notify('Retrying the delivery.'),
    onSettled: refreshWebhooks,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" className="code">
          {id}
        </Text>
        {isOwner && status !== 'pending' && (
          <Button variant="default" size="compact-sm" loading={retry.isPending} onClick={() => retry.mutate()}>
            Retry
          </Button>
        )}
      </Group>
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length > 0 && (
        <DataTable
          label="Attempts"
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
            ? 'Pending.'
            : `Next attempt ${formatRelativeTime(nextAttemptAt)}.`}
        </Text>
      )}
      <Title order={3} size="h5">
        Body
      </Title>
      <Code block tabIndex={0} fz="xs">
        {JSON.stringify(payload, null, 2)}
      </Code>
    </Stack>
  );
}
