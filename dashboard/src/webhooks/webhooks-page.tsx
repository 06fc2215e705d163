import type { Webhook } from '@headwater/sdk';
import { Anchor, Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useIsOwner } from '../service/session.ts';
import { formatAgo } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { labelOfEvent } from './events.ts';
import { webhooksQuery } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

export function WebhooksPage() {
  const query = useQuery(webhooksQuery());
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const [isMaking, setIsMaking] = useState(false);
  const newButton = isOwner && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsMaking(true)}>
      New endpoint
    </Button>
  );
  return (
    <Page
      wide
      title="Webhooks"
      description="Your own addresses, told of leads, events and conversions as they happen."
      actions={query.data && query.data.length > 0 && newButton}
    >
      <div className="surface">
        <Loaded query={query} rows={3}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Empty icon="link" title="No endpoints yet" action={newButton}>
                Whatever happens is signed and sent to your address within a second, and tried again for three days
                where that fails.
              </Empty>
            ) : (
              <Webhooks webhooks={webhooks} />
            )
          }
        </Loaded>
      </div>
      {isMaking && (
        <WebhookForm
          onClose={() => setIsMaking(false)}
          onDone={({ id }) => {
            setIsMaking(false);
            void navigate({ to: '/webhooks/$webhookId', params: { webhookId: id } });
          }}
        />
      )}
    </Page>
  );
}

function Webhooks({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>Told of</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Made</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map((webhook) => (
            <Table.Tr key={webhook.id}>
              <Table.Td>
                <Anchor component={Link} to={`/webhooks/${webhook.id}`} fw={550} size="sm">
                  {webhook.url}
                </Anchor>
                {webhook.description && (
                  <Text size="xs" c="dimmed" truncate>
                    {webhook.description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {webhook.events === null ? 'Everything' : webhook.events.map(labelOfEvent).join(', ')}
              </Table.Td>
              <Table.Td>
                <WebhookState webhook={webhook} />
              </Table.Td>
              <Table.Td>{formatAgo(webhook.createdAt)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
