import type { Webhook } from '@headwater/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { eventsLabel } from './events.ts';
import { PublishHooks } from './publish-hooks.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';

const COLUMNS: Column<Webhook>[] = [
  { id: 'url', label: t('Endpoint'), cell: ({ url }) => url, note: ({ description }) => description },
  { id: 'events', label: t('Events'), cell: ({ events }) => eventsLabel(events) },
  { id: 'status', label: t('Status'), cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  timeColumn('created', t('Created'), ({ createdAt }) => createdAt),
];

export function WebhooksPage() {
  const query = useQuery(webhooksQuery());
  const navigate = useNavigate();
  const mayEdit = useMayWrite('webhooks');
  const [isAdding, setIsAdding] = useState(false);
  const addButton = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsAdding(true)}>
      {t('Add endpoint')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('Webhooks')}
      description={t('Sends leads, events and conversions to your own endpoints as they happen.')}
      actions={
        <>
          <Button component={Link} variant="default" to="/webhooks/test">
            {t('Test endpoint')}
          </Button>
          {query.data && query.data.length > 0 && addButton}
        </>
      }
    >
      <DataTable
        label={t('Webhooks')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/webhooks/${id}`}
        empty={
          <EmptyState icon="link" title={t('No endpoints yet')} action={addButton}>
            {t(
              'Events are signed and sent to your endpoint within a second. Failed deliveries are retried for three days.',
            )}
          </EmptyState>
        }
      />
      <PublishHooks />
      {isAdding && (
        <WebhookForm
          onClose={() => setIsAdding(false)}
          onDone={({ id }) => navigate({ to: '/webhooks/$webhookId', params: { webhookId: id } })}
        />
      )}
    </Page>
  );
}
