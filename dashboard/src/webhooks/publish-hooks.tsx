import type { PublishHook } from '@headwater/sdk';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { notify } from '../shared/notify.tsx';
import { useMayWrite } from '../users/rights.ts';
import { PublishHookForm } from './publish-hook-form.tsx';
import { publishHooksQuery, refreshPublishHooks } from './publish-hook-queries.ts';

const OUTCOMES: Record<NonNullable<PublishHook['lastOutcome']>, { label: string; color: string }> = {
  allowed: { label: t('Allowed'), color: 'teal' },
  refused: { label: t('Refused'), color: 'orange' },
  failed: { label: t('Failed'), color: 'red' },
};

function Outcome({ hook: { enabled, lastOutcome, lastError } }: { hook: PublishHook }) {
  if (!enabled) return <Badge variant="default">{t('Disabled')}</Badge>;
  if (lastOutcome === null) return <Text c="dimmed">{t('Not asked yet')}</Text>;
  const { label, color } = OUTCOMES[lastOutcome];
  return (
    <Stack gap={4}>
      <Badge variant="light" color={color}>
        {label}
      </Badge>
      {lastError !== null && <Text size="sm">{lastError}</Text>}
    </Stack>
  );
}

const COLUMNS: Column<PublishHook>[] = [
  { id: 'name', label: t('Name'), cell: ({ name }) => name, note: ({ url }) => url },
  { id: 'outcome', label: t('Latest answer'), isWrapped: true, cell: (hook) => <Outcome hook={hook} /> },
  {
    id: 'onError',
    label: t('Without an answer'),
    cell: ({ onError }) => (onError === 'refuse' ? t('Do not publish') : t('Publish')),
  },
  timeColumn('asked', t('Asked'), ({ lastAskedAt }) => lastAskedAt),
];

/** Endpoints that are asked before something is published. */
export function PublishHooks() {
  const query = useQuery(publishHooksQuery());
  const mayEdit = useMayWrite('webhooks');
  const [edited, setEdited] = useState<PublishHook | 'new'>();
  const [deleted, setDeleted] = useState<PublishHook>();
  const test = useMutation({
    mutationFn: ({ id: hookId }: PublishHook) => headwater.testPublishHook({ hookId }, {}),
    onSuccess: ({ detail }) => notify(detail),
    onSettled: refreshPublishHooks,
  });
  const addButton = mayEdit && (
    <Button variant="default" onClick={() => setEdited('new')}>
      {t('Add publish hook')}
    </Button>
  );
  const actions = (hook: PublishHook) => [
    { label: t('Test'), onClick: () => test.mutate(hook) },
    { label: t('Edit'), onClick: () => setEdited(hook) },
    { label: t('Delete'), onClick: () => setDeleted(hook) },
  ];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{t('Before publishing')}</Title>
        {addButton}
      </Group>
      <Text c="dimmed">
        {t(
          'A publish hook sees entries before they are published, and may refuse with reasons: a link checker, a legal review.',
        )}
      </Text>
      {query.data?.length !== 0 && (
        <DataTable
          label={t('Publish hooks')}
          query={query}
          columns={COLUMNS}
          minWidth={560}
          rowKey={({ id }) => id}
          {...(mayEdit && { actions })}
        />
      )}
      {edited && <PublishHookForm hook={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <ConfirmDialog
          title={t('Delete this publish hook?')}
          action={t('Delete')}
          onClose={() => setDeleted(undefined)}
          run={async () => {
            await headwater.deletePublishHook({ hookId: deleted.id });
            void refreshPublishHooks();
            setDeleted(undefined);
          }}
        >
          {t('“{name}” is no longer asked before something is published.', { name: deleted.name })}
        </ConfirmDialog>
      )}
    </Stack>
  );
}
