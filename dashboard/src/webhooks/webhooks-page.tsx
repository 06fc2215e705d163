import type { Webhook } from '@headwater/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useIsOwner } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { eventsLabel } from './events.ts';
import { webhooksQuery } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const COLUMNS: Column<Webhook>[] = [
  { id: 'url', label: 'Endpoint', cell: ({ url }) => url, note: ({ description }) => description },
  { id: 'events', label: 'Events', cell: ({ events }) => eventsLabel(events) },
  { id: 'status', label: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  timeColumn('created', 'Created', ({ createdAt }) => createdAt),
];

export function WebhooksPage() {
  const query = useQuery(webhooksQuery());
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const [isAdding, setIsAdding] = useState(false);
  const addButton = isOwner && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsAdding(true)}>
      Add endpoint
    </Button>
  );
  return (
    <Page
      wide
      title="Webhooks"
      description="Sends leads, events and conversions to your own endpoints as they happen."
      actions={query.data && query.data.length > 0 && addButton}
    >
      <DataTable
        label="Webhooks"
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/webhooks/${id}`}
        empty={
          <EmptyState icon="link" title="No endpoints yet" action={addButton}>
            Events are signed and sent to your endpoint within a second. Failed deliveries are retried for three days.
          </EmptyState>
        }
      />
      {isAdding && (
        <WebhookForm
          onClose={() => setIsAdding(false)}
          onDone={({ id }) => navigate({ to: '/webhooks/$webhookId', params: { webhookId: id } })}
        />
      )}
    </Page>
  );
}
