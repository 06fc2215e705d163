import type { Webhook, WebhookDelivery } from '@headwater/sdk';
import { Anchor, Badge, Button, Group, SegmentedControl, Table, Title, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { headwater, useIsOwner } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Listing } from '../shared/listing.tsx';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { labelOfEvent, wordsOfFailure } from './events.ts';
import { type DeliveryStatus, deliveriesQuery, forgetWebhooks, webhookQuery } from './queries.ts';
import { SecretWindow, WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const query = useQuery(webhookQuery(webhookId));
  return <Loaded query={query}>{(webhook) => <Endpoint webhook={webhook} />}</Loaded>;
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const { id, url, description, status } = webhook;
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'change' | 'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpened(undefined);
  const test = useMutation({
    mutationFn: () => headwater.testWebhook({ id }, {}),
    onSuccess: () => tell('A test is on its way.'),
    onSettled: forgetWebhooks,
  });
  const setStatus = useMutation({
    mutationFn: (next: 'active' | 'disabled') => headwater.updateWebhook({ id }, { status: next }),
    onSettled: forgetWebhooks,
  });
  const replay = useMutation({
    mutationFn: () => headwater.replayWebhook({ id }, { status: 'failed' }),
    onSuccess: () => tell('What failed is sent again.'),
    onSettled: forgetWebhooks,
  });
  return (
    <Page
      wide
      title={url}
      description={description}
      back={
        <Anchor component={Link} to="/webhooks" size="sm" c="dimmed">
          Webhooks
        </Anchor>
      }
      actions={
        isOwner && (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </Button>
            <Button variant="default" onClick={() => setOpened('change')}>
              Change
            </Button>
          </>
        )
      }
    >
      <Group className="surface" p="md" justify="space-between">
        <Group gap="sm">
          <WebhookState webhook={webhook} />
          <span>
            {webhook.events === null ? 'Told of everything' : `Told of: ${webhook.events.map(labelOfEvent).join(', ')}`}
          </span>
        </Group>
        {isOwner && (
          <Group gap="xs">
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              loading={setStatus.isPending}
              onClick={() => setStatus.mutate(status === 'active' ? 'disabled' : 'active')}
            >
              {status === 'active' ? 'Switch off' : 'Switch on'}
            </Button>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setOpened('rotate')}>
              New secret
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              loading={replay.isPending}
              onClick={() => replay.mutate()}
            >
              Send again what failed
            </Button>
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setOpened('delete')}>
              Delete
            </Button>
          </Group>
        )}
      </Group>
      <Deliveries webhookId={id} />
      {opened === 'change' && <WebhookForm webhook={webhook} onClose={close} onDone={close} />}
      {secret !== undefined && (
        <SecretWindow title="The new secret" secret={secret} onClose={() => setSecret(undefined)} />
      )}
      <Confirm
        opened={opened === 'rotate'}
        onClose={close}
        title="Make a new secret?"
        action="Make a new secret"
        run={async () => {
          setSecret((await headwater.rotateWebhookSecret({ id }, {})).secret);
          void forgetWebhooks();
        }}
      >
        Messages are signed with both for 24 hours. By then your address has to know the new one.
      </Confirm>
      <Confirm
        opened={opened === 'delete'}
        onClose={close}
        title="Delete the endpoint?"
        action="Delete endpoint"
        run={async () => {
          await headwater.deleteWebhook({ id });
          void forgetWebhooks();
          tell('The endpoint was deleted.');
          void navigate({ to: '/webhooks' });
        }}
      >
        Nothing is sent to {url} any more, nor what is waiting.
      </Confirm>
    </Page>
  );
}

const STATES: Record<DeliveryStatus, { label: string; color: string }> = {
  pending: { label: 'On its way', color: 'gray' },
  delivered: { label: 'Delivered', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
};

function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useState<DeliveryStatus | null>(null);
  const [opened, setOpened] = useState<string>();
  const query = useInfiniteQuery(deliveriesQuery(webhookId, status));
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>Deliveries</Title>
        <SegmentedControl
          aria-label="Which deliveries"
          value={status ?? ''}
          onChange={(next) => setStatus(next === '' ? null : (next as DeliveryStatus))}
          data={[
            { value: '', label: 'All' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </Group>
      <Listing
        query={query}
        label="Loading deliveries"
        isEmpty={deliveries.length === 0}
        empty={
          <Empty icon="exports" title={status === null ? 'Nothing was sent yet' : 'None of these'}>
            {status === null && 'Send a test to see whether your address answers.'}
          </Empty>
        }
      >
        <Table.ScrollContainer minWidth={560}>
          <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th>
                <Table.Th>When</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Last answer</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery.id)} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Listing>
      <DeliveryDrawer webhookId={webhookId} deliveryId={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function DeliveryRow({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen: () => void }) {
  const { type, createdAt, status, attempts, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const { label, color } = STATES[status];
  return (
    <Table.Tr>
      <Table.Td>
        <UnstyledButton className="cell" fz="sm" fw={550} onClick={onOpen}>
          {labelOfEvent(type)}
        </UnstyledButton>
      </Table.Td>
      <Table.Td title={formatTime(createdAt)}>{formatAgo(createdAt)}</Table.Td>
      <Table.Td>
        <Badge variant="light" color={color} tt="none" fw={500}>
          {status === 'pending' && nextAttemptAt && attempts.length > 0
            ? `Tried again ${formatAgo(nextAttemptAt)}`
            : label}
        </Badge>
      </Table.Td>
      <Table.Td c="dimmed">
        {last
          ? last.status === null
            ? last.error === null
              ? 'None'
              : wordsOfFailure(last.error)
            : `${last.status} in ${last.ms} ms`
          : 'None yet'}
      </Table.Td>
    </Table.Tr>
  );
}
