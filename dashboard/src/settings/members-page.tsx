import type { Invitation, Member } from '@headwater/sdk';
import { Badge, Button, Group, Select, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater, type Role, useSession } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog, SecretDialog } from '../shared/dialogs.tsx';
import { formatDate } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { AREA_OPTIONS, type AreaChoice, ROLE_OPTIONS, ROLES, toArea } from '../users/roles.ts';
import { InviteDialog, refreshMembers } from './invite-dialog.tsx';

export function MembersPage() {
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Page
      wide
      title="Members"
      description="Who can open this account, and with which role."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsInviting(true)}>
          Invite member
        </Button>
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
  const [removing, setRemoving] = useState<Member>();
  const [link, setLink] = useState<{ url: string; name: string }>();
  const changeRole = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) => headwater.changeMember({ userId }, { role }),
    onSuccess: () => notify('Role changed.'),
    onSettled: refreshMembers,
  });
  const changeArea = useMutation({
    mutationFn: ({ userId, area }: { userId: string; area: Member['area'] }) =>
      headwater.changeMember({ userId }, { area }),
    onSuccess: () => notify('Access changed.'),
    onSettled: refreshMembers,
  });
  const resetPassword = useMutation({
    mutationFn: async ({ userId, name }: Member) => ({ ...(await headwater.makeResetLink({ userId })), name }),
    onSuccess: setLink,
  });
  const columns: Column<Member>[] = [
    {
      id: 'name',
      label: 'Name',
      cell: ({ userId, name }) => (
        <Group gap="xs">
          <b>{name}</b>
          {userId === user.id && (
            <Badge variant="default" size="sm">
              You
            </Badge>
          )}
        </Group>
      ),
      note: ({ email }) => email,
    },
    {
      id: 'role',
      label: 'Role',
      cell: ({ userId, name, role }) => (
        <Select
          aria-label={`Role of ${name}`}
          data={ROLE_OPTIONS}
          value={role}
          onChange={(next) => next && changeRole.mutate({ userId, role: next as Role })}
          size="xs"
          w={120}
        />
      ),
    },
    {
      id: 'access',
      label: 'Access',
      cell: ({ userId, name, role, area }) =>
        role === 'owner' ? (
          'Everything'
        ) : (
          <Select
            aria-label={`Access of ${name}`}
            data={AREA_OPTIONS}
            value={area ?? 'all'}
            onChange={(next) => next && changeArea.mutate({ userId, area: toArea(next as AreaChoice) })}
            size="xs"
            w={190}
          />
        ),
    },
    timeColumn('lastSeen', 'Last seen', ({ lastSeenAt }) => lastSeenAt),
  ];
  return (
    <>
      <DataTable
        label="Members"
        query={query}
        columns={columns}
        rowKey={({ userId }) => userId}
        rowName={({ name }) => name}
        actions={(member) =>
          member.userId === user.id
            ? []
            : [
                { label: 'Reset password', onClick: () => resetPassword.mutate(member) },
                { label: 'Remove', isDestructive: true, onClick: () => setRemoving(member) },
              ]
        }
      />
      {link && (
        <SecretDialog
          title={`Reset the password of ${link.name}`}
          label="Reset link"
          secret={link.url}
          onClose={() => setLink(undefined)}
        >
          Send this link to {link.name}. It works once and is not shown again.
        </SecretDialog>
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          action="Remove member"
          onClose={() => setRemoving(undefined)}
          run={async () => {
            await headwater.removeMember({ userId: removing.userId });
            void refreshMembers();
            notify('Member removed.');
          }}
        >
          {removing.name} can no longer open this account. Everything they created stays.
        </ConfirmDialog>
      )}
    </>
  );
}

const INVITATION_COLUMNS: Column<Invitation>[] = [
  { id: 'email', label: 'Email', cell: ({ email }) => email ?? 'Anyone with the link' },
  {
    id: 'role',
    label: 'Role',
    cell: ({ role }) => ROLES[role].label,
    note: ({ area }) => AREA_OPTIONS.find(({ value }) => value === area)?.label,
  },
  { id: 'invitedBy', label: 'Invited by', cell: ({ invitedBy }) => invitedBy?.name ?? 'Command line' },
  { id: 'expires', label: 'Expires', cell: ({ expiresAt }) => formatDate(expiresAt) },
];

function Invitations() {
  const query = useQuery({
    queryKey: ['members', 'invitations'],
    queryFn: async ({ signal }) =>
      (await headwater.listInvitations({}, { signal }).all()).filter(({ status }) => status === 'pending'),
  });
  const revoke = useMutation({
    mutationFn: (invitationId: string) => headwater.revokeInvitation({ invitationId }),
    onSuccess: () => notify('Invitation revoked.'),
    onSettled: refreshMembers,
  });
  if (!query.data || query.data.length === 0) return null;
  return (
    <div>
      <Title order={2} mb="sm">
        Pending invitations
      </Title>
      <DataTable
        label="Pending invitations"
        query={query}
        columns={INVITATION_COLUMNS}
        minWidth={520}
        rowKey={({ id }) => id}
        rowName={({ email }) => `invitation for ${email ?? 'anyone with the link'}`}
        actions={({ id }) => [{ label: 'Revoke', onClick: () => revoke.mutate(id) }]}
      />
    </div>
  );
}
