import type { Invitation, Member } from '@headwater/sdk';
import { Badge, Button, Group, Select, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog, SecretDialog } from '../shared/dialogs.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { formatDate } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { useMayWrite } from '../users/rights.ts';
import { RoleName } from '../users/role-name.tsx';
import { AREA_OPTIONS, type AreaChoice, toArea } from '../users/roles.ts';
import { useRoles } from '../users/use-roles.ts';
import { InviteDialog, refreshMembers } from './invite-dialog.tsx';

export function MembersPage() {
  const { invite }: { invite?: unknown } = useSearch({ strict: false });
  const mayEdit = useMayWrite('members');
  const [isInviting, setIsInviting] = useState(invite === true && mayEdit);
  return (
    <Page
      wide
      title={t('Members')}
      description={t('Who can open this account, and with which role.')}
      actions={
        mayEdit && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsInviting(true)}>
            {t('Invite member')}
          </Button>
        )
      }
    >
      <Members />
      <Invitations />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </Page>
  );
}

function Members() {
  const { user } = useSession();
  const query = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => headwater.listMembers({}, { signal }).all(),
  });
  const roles = useRoles();
  const [removing, setRemoving] = useState<Member>();
  const [link, setLink] = useState<{ url: string; name: string }>();
  const mayEdit = useMayWrite('members');
  // Refusals, such as of the last owner, are shown where they belong.
  const changeRole = useMutation({
    meta: { shown: true },
    mutationFn: ({ userId, roleId }: { userId: string; roleId: string }) =>
      headwater.changeMember({ userId }, { roleId }),
    onSuccess: () => notify(t('Role changed.')),
    onSettled: refreshMembers,
  });
  const changeArea = useMutation({
    mutationFn: ({ userId, area }: { userId: string; area: Member['area'] }) =>
      headwater.changeMember({ userId }, { area }),
    onSuccess: () => notify(t('Access changed.')),
    onSettled: refreshMembers,
  });
  const resetPassword = useMutation({
    mutationFn: async ({ userId, name }: Member) => ({ ...(await headwater.makeResetLink({ userId })), name }),
    onSuccess: ({ url, name, ...rest }) =>
      url === null ? notify(t('A reset link was sent to {name}.', { name })) : setLink({ ...rest, url, name }),
  });
  const columns: Column<Member>[] = [
    {
      id: 'name',
      label: t('Name'),
      cell: ({ userId, name }) => (
        <Group gap="xs">
          <b>{name}</b>
          {userId === user.id && (
            <Badge variant="default" size="sm">
              {t('You')}
            </Badge>
          )}
        </Group>
      ),
      note: ({ email }) => email,
    },
    {
      id: 'role',
      label: t('Role'),
      cell: ({ userId, name, roleId }) => (
        <Select
          aria-label={t('Role of {name}', { name })}
          data={roles.options}
          value={roleId}
          onChange={(next) => next && changeRole.mutate({ userId, roleId: next })}
          error={changeRole.variables?.userId === userId && changeRole.error && errorMessage(changeRole.error).detail}
          disabled={!mayEdit}
          allowDeselect={false}
          size="xs"
          w={180}
        />
      ),
    },
    {
      id: 'access',
      label: t('Access'),
      cell: ({ userId, name, role, area }) =>
        role === 'owner' ? (
          t('Everything')
        ) : (
          <Select
            aria-label={t('Access of {name}', { name })}
            data={AREA_OPTIONS}
            value={area ?? 'all'}
            disabled={!mayEdit}
            allowDeselect={false}
            onChange={(next) => next && changeArea.mutate({ userId, area: toArea(next as AreaChoice) })}
            size="xs"
            w={190}
          />
        ),
    },
    timeColumn('lastSeen', t('Last seen'), ({ lastSeenAt }) => lastSeenAt),
  ];
  return (
    <>
      <DataTable
        label={t('Members')}
        query={query}
        columns={columns}
        rowKey={({ userId }) => userId}
        rowName={({ name }) => name}
        actions={(member) =>
          member.userId === user.id || !mayEdit
            ? []
            : [
                { label: t('Reset password'), onClick: () => resetPassword.mutate(member) },
                { label: t('Remove'), isDestructive: true, onClick: () => setRemoving(member) },
              ]
        }
      />
      {link && (
        <SecretDialog
          title={t('Reset the password of {name}', { name: link.name })}
          label={t('Reset link')}
          secret={link.url}
          onClose={() => setLink(undefined)}
        >
          {t('Send this link to {name}. It works once and is not shown again.', { name: link.name })}
        </SecretDialog>
      )}
      {removing && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: removing.name })}
          action={t('Remove member')}
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await headwater.removeMember({ userId: removing.userId });
            void refreshMembers();
            notify(t('Member removed.'));
          }}
        >
          {t('{name} can no longer open this account. Everything they created stays.', { name: removing.name })}
        </ConfirmDialog>
      )}
    </>
  );
}

const INVITATION_COLUMNS: Column<Invitation>[] = [
  { id: 'email', label: t('Email'), cell: ({ email }) => email ?? t('Anyone with the link') },
  {
    id: 'role',
    label: t('Role'),
    cell: ({ roleId }) => <RoleName id={roleId} />,
    note: ({ area }) => AREA_OPTIONS.find(({ value }) => value === area)?.label,
  },
  { id: 'invitedBy', label: t('Invited by'), cell: ({ invitedBy }) => invitedBy?.name ?? t('Command line') },
  { id: 'expires', label: t('Expires'), cell: ({ expiresAt }) => formatDate(expiresAt) },
];

function Invitations() {
  const query = useQuery({
    queryKey: ['members', 'invitations'],
    queryFn: async ({ signal }) =>
      (await headwater.listInvitations({}, { signal }).all()).filter(({ status }) => status === 'pending'),
  });
  const mayEdit = useMayWrite('members');
  const revoke = useMutation({
    mutationFn: (invitationId: string) => headwater.revokeInvitation({ invitationId }),
    onSuccess: () => notify(t('Invitation revoked.')),
    onSettled: refreshMembers,
  });
  if (!query.data || query.data.length === 0) return null;
  return (
    <div>
      <Title order={2} mb="sm">
        {t('Pending invitations')}
      </Title>
      <DataTable
        label={t('Pending invitations')}
        query={query}
        columns={INVITATION_COLUMNS}
        minWidth={520}
        rowKey={({ id }) => id}
        rowName={({ email }) =>
          email ? t('invitation for {email}', { email }) : t('invitation for anyone with the link')
        }
        actions={mayEdit ? ({ id }) => [{ label: t('Revoke'), onClick: () => revoke.mutate(id) }] : undefined}
      />
    </div>
  );
}
