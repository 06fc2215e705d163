import { isHeadwaterError, type Role } from '@headwater/sdk';
import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { Dialog } from '../shared/dialogs.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite } from '../users/rights.ts';
import { refreshRoles, roleName, rolesQuery } from '../users/use-roles.ts';
import { viewAsRole } from '../users/view-banner.tsx';

const count = (id: keyof NonNullable<Role['uses']>, label: string): Column<Role> => ({
  ...{ id, label, isNumber: true },
  cell: ({ uses }) => formatNumber(uses?.[id] ?? 0),
});

const COLUMNS: Column<Role>[] = [
  {
    id: 'name',
    label: t('Name'),
    cell: (role) => roleName(role),
    note: ({ key, builtIn }) => (builtIn ? undefined : key),
  },
  {
    id: 'type',
    label: t('Type'),
    cell: ({ builtIn }) => <Badge variant="default">{builtIn ? t('Built-in') : t('Own role')}</Badge>,
  },
  count('members', t('Members')),
  count('invitations', t('Invitations')),
  count('keys', t('API keys')),
];

/** The roles of the account, and who has them. */
export function RolesPage() {
  const navigate = useNavigate();
  const query = useQuery(rolesQuery());
  const mayEdit = useMayWrite('members');
  const { isSso } = useSession();
  const [deleting, setDeleting] = useState<Role>();
  return (
    <Page
      wide
      title={t('Roles')}
      description={t('What members, invited people and secret tokens may do in this account.')}
      actions={
        mayEdit && (
          <IconButton icon="plus" to="/settings/roles/new">
            {t('New role')}
          </IconButton>
        )
      }
    >
      <DataTable
        label={t('Roles')}
        query={{ ...query, data: query.data?.filter(({ id }) => id !== 'operator') }}
        columns={COLUMNS}
        minWidth={560}
        rowKey={({ id }) => id}
        rowName={roleName}
        rowLink={({ id }) => `/settings/roles/${id}`}
        hasActionMenu
        actions={
          mayEdit
            ? (role) => [
                ...(role.id === 'owner' || isSso
                  ? []
                  : [
                      { label: t('View as this role'), icon: 'user' as const, onClick: () => void viewAsRole(role.id) },
                    ]),
                {
                  label: t('Duplicate'),
                  icon: 'copy' as const,
                  onClick: () => void navigate({ to: `/settings/roles/new?from=${role.id}` }),
                },
                ...(role.builtIn
                  ? []
                  : [
                      {
                        ...{ label: t('Delete'), icon: 'trash' as const, isDestructive: true },
                        onClick: () => setDeleting(role),
                      },
                    ]),
              ]
            : undefined
        }
      />
      {deleting && <DeleteRoleDialog role={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  );
}

/** Deletes a role, or says who has to get another one before. */
function DeleteRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const remove = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.deleteRole({ id: role.id }),
    onSuccess: () => {
      void refreshRoles();
      notify(t('Role deleted.'));
      onClose();
    },
    onError: () => void refreshRoles(),
  });
  const isUsed = isHeadwaterError(remove.error, 'role_in_use');
  return (
    <Dialog title={t('Delete {name}?', { name: role.name })} onClose={onClose}>
      {remove.error ? (
        <Alert color="red" variant="light" role="alert" title={isUsed ? t('The role is in use') : undefined}>
          {isUsed
            ? t('Give its members, open invitations and API keys another role first, or revoke them.')
            : errorMessage(remove.error).detail}
          {isUsed && (
            <Group gap="md" mt="xs">
              <TextLink to="/settings/members">{t('Members')}</TextLink>
              <TextLink to="/settings/keys">{t('API keys')}</TextLink>
            </Group>
          )}
        </Alert>
      ) : (
        <Text size="sm">{t('Only a role that nobody has can be deleted. This cannot be undone.')}</Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('Cancel')}
        </Button>
        {!isUsed && (
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('Delete role')}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
