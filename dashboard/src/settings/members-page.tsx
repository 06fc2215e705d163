import type { Invitation, MadeInvitation, Member } from '@headwater/sdk';
import {
  Badge,
  Button,
  Group,
  Modal,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLE_OPTIONS, ROLES } from '../people/roles.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, type Role, useSession } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { formatAgo, formatDate } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { faultsOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';

const forget = () => queryClient.invalidateQueries({ queryKey: ['members'] });

export function MembersPage() {
  const [isInviting, setIsInviting] = useState(false);
  const members = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => headwater.listMembers({}, { signal }).all(),
  });
  const invitations = useQuery({
    queryKey: ['members', 'invitations'],
    queryFn: async ({ signal }) =>
      (await headwater.listInvitations({}, { signal }).all()).filter(({ status }) => status === 'pending'),
  });
  return (
    <Page
      wide
      title="Members"
      description="Who can open this account, and what they may do in it."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsInviting(true)}>
          Invite
        </Button>
      }
    >
      <div className="surface">
        <Loaded query={members} rows={3}>
          {(loaded) => <MembersTable members={loaded} />}
        </Loaded>
      </div>
      {invitations.data && invitations.data.length > 0 && (
        <div>
          <Title order={2} mb="sm">
            Invited
          </Title>
          <div className="surface">
            <InvitationsTable invitations={invitations.data} />
          </div>
        </div>
      )}
      {isInviting && <Invite onClose={() => setIsInviting(false)} />}
    </Page>
  );
}

function MembersTable({ members }: { members: Member[] }) {
  const { user } = useSession();
  const [going, setGoing] = useState<Member>();
  const [link, setLink] = useState<{ url: string; name: string }>();
  const change = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) => headwater.changeMember({ userId }, { role }),
    onSuccess: () => tell('The role was changed.'),
    onSettled: forget,
  });
  const reset = useMutation({
    mutationFn: async ({ userId, name }: Member) => ({ ...(await headwater.makeResetLink({ userId })), name }),
    onSuccess: setLink,
  });
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Last seen</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <Table.Tr key={member.userId}>
                <Table.Td>
                  <Group gap="xs">
                    <Text size="sm" fw={550}>
                      {member.name}
                    </Text>
                    {member.userId === user.id && (
                      <Badge variant="default" size="sm" tt="none" fw={500}>
                        You
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {member.email}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`Role of ${member.name}`}
                    data={ROLE_OPTIONS}
                    value={member.role}
                    onChange={(role) => role && change.mutate({ userId: member.userId, role: role as Role })}
                    allowDeselect={false}
                    size="xs"
                    w={120}
                  />
                </Table.Td>
                <Table.Td>{member.lastSeenAt ? formatAgo(member.lastSeenAt) : 'Never'}</Table.Td>
                <Table.Td ta="right">
                  {member.userId !== user.id && (
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      <Button
                        variant="subtle"
                        color="gray"
                        size="compact-sm"
                        onClick={() => reset.mutate(member)}
                        aria-label={`New password for ${member.name}`}
                      >
                        New password
                      </Button>
                      <Button
                        variant="subtle"
                        color="red"
                        size="compact-sm"
                        onClick={() => setGoing(member)}
                        aria-label={`Remove ${member.name}`}
                      >
                        Remove
                      </Button>
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title={`A new password for ${link?.name ?? ''}`}
        size="lg"
      >
        <Stack>
          <Text size="sm">Send them this link. It works once, and lets them choose a new password.</Text>
          <CopyField label="Link" value={link?.url ?? ''} />
        </Stack>
      </Modal>
      <Confirm
        opened={going !== undefined}
        onClose={() => setGoing(undefined)}
        title={`Remove ${going?.name ?? ''}?`}
        action="Remove"
        run={async () => {
          await headwater.removeMember({ userId: going?.userId ?? '' });
          void forget();
          tell('Removed.');
        }}
      >
        They can no longer open this account. What they made stays.
      </Confirm>
    </>
  );
}

function InvitationsTable({ invitations }: { invitations: Invitation[] }) {
  const revoke = useMutation({
    mutationFn: (invitationId: string) => headwater.revokeInvitation({ invitationId }),
    onSuccess: () => tell('The invitation was withdrawn.'),
    onSettled: forget,
  });
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>For</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>Until</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map(({ id, email, role, invitedBy, expiresAt }) => (
            <Table.Tr key={id}>
              <Table.Td>{email ?? 'Whoever has the link'}</Table.Td>
              <Table.Td>{ROLES[role].label}</Table.Td>
              <Table.Td>{invitedBy?.name ?? 'The command line'}</Table.Td>
              <Table.Td>{formatDate(expiresAt)}</Table.Td>
              <Table.Td ta="right">
                <Button variant="subtle" color="gray" size="compact-sm" onClick={() => revoke.mutate(id)}>
                  Withdraw
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Invite({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [made, setMade] = useState<MadeInvitation>();
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.createInvitation({ role, ...(email.trim() !== '' && { email: email.trim() }) }),
    onSuccess: (invitation) => {
      setMade(invitation);
      void forget();
    },
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (made) {
    return (
      <Modal opened onClose={onClose} title="The invitation is ready" closeOnClickOutside={false} size="lg">
        <Stack>
          <Text size="sm">
            Send this link to {made.email ?? 'the person'}. It works once, until {formatDate(made.expiresAt)}, and is
            not shown again.
          </Text>
          <CopyField label="Link" value={made.url} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title="Invite somebody">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            description="Then the link is good for this address alone. Nothing is sent: you pass the link on."
            value={email}
            error={faults.get('/email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="Role"
            data={ROLE_OPTIONS}
            value={role}
            onChange={(next) => setRole(next as Role)}
            allowDeselect={false}
            description={ROLES[role].description}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={mutation.isPending}>
              Make the link
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
