import type { ApiKey, CreatedApiKey } from '@headwater/sdk';
import { Badge, Button, Code, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog, SecretDialog } from '../shared/dialogs.tsx';
import { formatDate, formatDateTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { RoleName } from '../users/role-name.tsx';
import { CreateKeyDialog, refreshKeys } from './create-key-dialog.tsx';
import { KEY_TYPES } from './key-types.ts';

const COLUMNS: Column<ApiKey>[] = [
  { id: 'name', label: t('Name'), cell: ({ name }) => <b>{name}</b> },
  {
    id: 'type',
    label: t('Type'),
    cell: ({ type }) => <Badge variant={type === 'secret' ? 'light' : 'default'}>{KEY_TYPES[type].label}</Badge>,
  },
  {
    id: 'key',
    label: t('Key'),
    cell: ({ type, hint, key }) => <Code>{key ?? `${KEY_TYPES[type].prefix}…${hint}`}</Code>,
  },
  {
    id: 'mayDo',
    label: t('May do'),
    cell: ({ type, roleId }) =>
      type !== 'secret' ? KEY_TYPES[type].mayDo : roleId === null ? t('Everything') : <RoleName id={roleId} />,
    note: ({ allowedAddresses }) =>
      allowedAddresses && t('Only from {addresses}', { addresses: allowedAddresses.join(', ') }),
    isWrapped: true,
  },
  { id: 'created', label: t('Created'), cell: ({ createdAt }) => formatDate(createdAt) },
];
const LAST_USED = timeColumn<ApiKey>('lastUsed', t('Last used'), ({ lastUsedAt }) => lastUsedAt);
const EXPIRES: Column<ApiKey> = {
  ...timeColumn<ApiKey>('expires', t('Expires'), ({ expiresAt }) => expiresAt),
  note: ({ expiresAt }) =>
    expiresAt && (new Date(expiresAt) < new Date() ? t('No longer works') : formatDateTime(expiresAt)),
};
const REVOKED = timeColumn<ApiKey>('revoked', t('Revoked'), ({ revokedAt }) => revokedAt);

export function KeysPage() {
  const mayEdit = useMayWrite('members');
  const [isCreating, setIsCreating] = useState(false);
  const [isRevoked, setIsRevoked] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const [rotated, setRotated] = useState<CreatedApiKey>();
  const query = useInfiniteQuery(
    pagedQuery(
      ['keys', isRevoked],
      (pageToken, signal) => headwater.listKeys({ revoked: isRevoked, pageToken }, { signal }),
      ({ keys }) => keys,
    ),
  );
  const createButton = mayEdit && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsCreating(true)}>
      {t('Create key')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('API keys')}
      description={t('Keys that your servers, pages and ad platforms use to call the API.')}
      actions={createButton}
    >
      <div>
        <SegmentedControl
          mb="sm"
          aria-label={t('Status')}
          value={String(isRevoked)}
          onChange={(next) => setIsRevoked(next === 'true')}
          data={[
            { value: 'false', label: t('Active') },
            { value: 'true', label: t('Revoked') },
          ]}
        />
        <DataTable
          label={t('API keys')}
          query={query}
          columns={[...COLUMNS, ...(isRevoked ? [REVOKED] : [LAST_USED, EXPIRES])]}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          actions={(key) =>
            mayEdit && key.revokedAt === null
              ? [
                  { label: t('Rotate'), onClick: () => setRotating(key) },
                  { label: t('Revoke'), isDestructive: true, onClick: () => setRevoking(key) },
                ]
              : []
          }
          empty={
            <EmptyState
              icon="key"
              title={isRevoked ? t('No revoked keys') : t('No API keys yet')}
              action={!isRevoked && createButton}
            >
              {!isRevoked && t('Create a key so that a program can use this account.')}
            </EmptyState>
          }
        />
      </div>
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {rotating && (
        <ConfirmDialog
          title={t('Rotate {name}?', { name: rotating.name })}
          action={t('Rotate key')}
          onClose={() => setRotating(undefined)}
          run={async () => {
            setRotated(await headwater.rotateKey({ keyId: rotating.id }));
            void refreshKeys();
          }}
        >
          {t(
            'A new key with the same role, addresses and period is created and shown once. The old one goes on working for 24 hours, so that you can replace it everywhere without an interruption, and is refused from then on. The list shows when it was last used.',
          )}
        </ConfirmDialog>
      )}
      {rotated && (
        <SecretDialog
          title={t('{name} rotated', { name: rotated.name })}
          label={t('New key')}
          secret={rotated.token}
          onClose={() => setRotated(undefined)}
        >
          {t(
            'Copy the key now. It is stored as a hash and cannot be shown again. Replace the old one everywhere within 24 hours.',
          )}
        </SecretDialog>
      )}
      {revoking && (
        <ConfirmDialog
          title={t('Revoke {name}?', { name: revoking.name })}
          action={t('Revoke key')}
          onClose={() => setRevoking(undefined)}
          run={async () => {
            await headwater.revokeKey({ keyId: revoking.id });
            void refreshKeys();
            notify(t('Key revoked.'));
          }}
        >
          {t('Requests with this key are rejected immediately. A revoked key cannot be restored.')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
