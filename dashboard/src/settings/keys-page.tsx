import type { ApiKey } from '@headwater/sdk';
import { Badge, Button, Code, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatDate } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { CreateKeyDialog, refreshKeys } from './create-key-dialog.tsx';
import { KEY_TYPES } from './key-types.ts';

const COLUMNS: Column<ApiKey>[] = [
  { id: 'name', label: 'Name', cell: ({ name }) => <b>{name}</b> },
  {
    id: 'type',
    label: 'Type',
    cell: ({ type }) => <Badge variant={type === 'secret' ? 'light' : 'default'}>{KEY_TYPES[type].label}</Badge>,
  },
  {
    id: 'key',
    label: 'Key',
    cell: ({ type, hint, key }) => <Code>{key ?? `${KEY_TYPES[type].prefix}…${hint}`}</Code>,
  },
  { id: 'created', label: 'Created', cell: ({ createdAt }) => formatDate(createdAt) },
];
const LAST_USED = timeColumn<ApiKey>('lastUsed', 'Last used', ({ lastUsedAt }) => lastUsedAt);
const REVOKED = timeColumn<ApiKey>('revoked', 'Revoked', ({ revokedAt }) => revokedAt);

export function KeysPage() {
  const [isCreating, setIsCreating] = useState(false);
  const [isRevoked, setIsRevoked] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const query = useInfiniteQuery(
    pagedQuery(
      ['keys', isRevoked],
      (pageToken, signal) => headwater.listKeys({ revoked: isRevoked, pageToken }, { signal }),
      ({ keys }) => keys,
    ),
  );
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsCreating(true)}>
      Create key
    </Button>
  );
  return (
    <Page
      wide
      title="API keys"
      description="Keys that your servers, pages and ad platforms use to call the API."
      actions={createButton}
    >
      <div>
        <SegmentedControl
          mb="sm"
          aria-label="Status"
          value={String(isRevoked)}
          onChange={(next) => setIsRevoked(next === 'true')}
          data={[
            { value: 'false', label: 'Active' },
            { value: 'true', label: 'Revoked' },
          ]}
        />
        <DataTable
          label="API keys"
          query={query}
          columns={[...COLUMNS, isRevoked ? REVOKED : LAST_USED]}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          actions={(key) =>
            key.revokedAt === null ? [{ label: 'Revoke', isDestructive: true, onClick: () => setRevoking(key) }] : []
          }
          empty={
            <EmptyState
              icon="key"
              title={isRevoked ? 'No revoked keys' : 'No API keys yet'}
              action={!isRevoked && createButton}
            >
              {!isRevoked && 'Create a key so that a program can use this account.'}
            </EmptyState>
          }
        />
      </div>
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          action="Revoke key"
          onClose={() => setRevoking(undefined)}
          run={async () => {
            await headwater.revokeKey({ keyId: revoking.id });
            void refreshKeys();
            notify('Key revoked.');
          }}
        >
          Requests with this key are rejected immediately. A revoked key cannot be restored.
        </ConfirmDialog>
      )}
    </Page>
  );
}
