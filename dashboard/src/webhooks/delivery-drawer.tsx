import type { WebhookDeliveryWithPayload } from '@headwater/sdk';
import { Button, Code, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { headwater, useIsOwner } from '../service/session.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { tell } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { labelOfEvent, wordsOfFailure } from './events.ts';
import { deliveryQuery, forgetWebhooks } from './queries.ts';

interface DeliveryDrawerProps {
  webhookId: string;
  deliveryId: string | undefined;
  onClose: () => void;
}

/** One delivery: every attempt with its answer, and the body that was sent. */
export function DeliveryDrawer({ webhookId, deliveryId, onClose }: DeliveryDrawerProps) {
  const query = useQuery({ ...deliveryQuery(webhookId, deliveryId ?? ''), enabled: deliveryId !== undefined });
  return (
    <Drawer
      opened={deliveryId !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data ? labelOfEvent(query.data.type) : 'Delivery'}
    >
      {deliveryId !== undefined && (
        <Loaded query={query}>{(delivery) => <Delivery webhookId={webhookId} delivery={delivery} />}</Loaded>
      )}
    </Drawer>
  );
}

function Delivery({ webhookId, delivery }: { webhookId: string; delivery: WebhookDeliveryWithPayload }) {
  const { id, attempts, payload, status, nextAttemptAt } = delivery;
  const isOwner = useIsOwner();
  const again = useMutation({
    mutationFn: () => headwater.replayWebhook({ id: webhookId }, { deliveryId: id }),
    onSuccess: () => tell('It is sent again.'),
    onSettled: forgetWebhooks,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" ff="monospace">
          {id}
        </Text>
        {isOwner && status !== 'pending' && (
          <Button variant="default" size="compact-sm" loading={again.isPending} onClick={() => again.mutate()}>
            Send again
          </Button>
        )}
      </Group>
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table className="data-table" aria-label="Attempts">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Answer</Table.Th>
                <Table.Th>Within</Table.Th>
                <Table.Th>What was wrong</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.map((attempt) => (
                <Table.Tr key={attempt.at}>
                  <Table.Td>{formatTime(attempt.at)}</Table.Td>
                  <Table.Td>{attempt.status ?? 'None'}</Table.Td>
                  <Table.Td className="number">{attempt.ms} ms</Table.Td>
                  <Table.Td c="var(--worse)" style={{ whiteSpace: 'normal' }}>
                    {attempt.error && wordsOfFailure(attempt.error)}
                    {attempt.answer && (
                      <Code
                        block
                        mt={4}
                        fz="xs"
                        mah={160}
                        tabIndex={0}
                        role="group"
                        aria-label="What was answered"
                        style={{ overflow: 'auto' }}
                      >
                        {attempt.answer}
                      </Code>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {status === 'pending' && (
        <Text size="sm" c="dimmed">
          {attempts.length === 0 || nextAttemptAt === null
            ? 'It is on its way.'
            : `It is tried again by itself ${formatAgo(nextAttemptAt)}.`}
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
