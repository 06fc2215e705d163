import type { SessionState } from '@headwater/sdk';
import {
  Alert,
  Badge,
  Button,
  Group,
  PasswordInput,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery, useSession } from '../service/session.ts';
import { formatAgo } from '../shared/formats.ts';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';

const remember = (state: SessionState) => queryClient.setQueryData(sessionQuery().queryKey, state);
const forgetSessions = () => queryClient.invalidateQueries({ queryKey: ['sessions'] });

export function ProfilePage() {
  return (
    <Page title="Your profile" description="Your name, your password, and where you are signed in.">
      <NameForm />
      <PasswordForm />
      <Sessions />
    </Page>
  );
}

function NameForm() {
  const { user } = useSession();
  const [name, setName] = useState(user.name);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.changeUser({ name: name.trim() }),
    onSuccess: (state) => {
      remember(state);
      tell('Saved.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack className="surface" p="lg">
        <TextInput
          label="Name"
          value={name}
          error={faultsOf(mutation.error).get('/name')}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="name"
        />
        <TextInput label="E-mail" value={user.email} disabled />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === '' || name.trim() === user.name} loading={mutation.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PasswordForm() {
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.changePassword({ currentPassword, newPassword }),
    onSuccess: (state) => {
      remember(state);
      setCurrentPassword('');
      setNewPassword('');
      void forgetSessions();
      tell('Your password is changed. Everywhere else you are signed out.');
    },
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack className="surface" p="lg">
        <Title order={2}>Password</Title>
        {mutation.isError && faults.size === 0 && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(mutation.error).detail}
          </Alert>
        )}
        <PasswordInput
          label="Present password"
          autoComplete="current-password"
          value={currentPassword}
          error={faults.get('/currentPassword')}
          onChange={(event) => setCurrentPassword(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters"
          autoComplete="new-password"
          value={newPassword}
          error={faults.get('/newPassword')}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={currentPassword === '' || newPassword === ''} loading={mutation.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Sessions() {
  const query = useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => headwater.listSessions({ signal }) });
  const end = useMutation({
    mutationFn: (sessionId: string) => headwater.endSession({ sessionId }),
    onSettled: forgetSessions,
  });
  const endOthers = useMutation({
    mutationFn: () => headwater.endOtherSessions(),
    onSuccess: () => tell('Signed out everywhere else.'),
    onSettled: forgetSessions,
  });
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>Signed in on</Title>
        {query.data && query.data.sessions.length > 1 && (
          <Button variant="default" size="compact-sm" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        )}
      </Group>
      <div className="surface">
        <Loaded query={query} rows={2}>
          {({ sessions }) => (
            <Table.ScrollContainer minWidth={420}>
              <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Device</Table.Th>
                    <Table.Th>Last seen</Table.Th>
                    <Table.Th>
                      <VisuallyHidden>Actions</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {sessions.map(({ id, device, address, lastSeenAt, isCurrent }) => (
                    <Table.Tr key={id}>
                      <Table.Td>
                        <Group gap="xs">
                          {device ?? 'Unknown device'}
                          {isCurrent && (
                            <Badge variant="light" size="sm" tt="none" fw={500}>
                              Here
                            </Badge>
                          )}
                        </Group>
                        <Text size="xs" c="dimmed">
                          {address}
                        </Text>
                      </Table.Td>
                      <Table.Td>{formatAgo(lastSeenAt)}</Table.Td>
                      <Table.Td ta="right">
                        {!isCurrent && (
                          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => end.mutate(id)}>
                            Sign out
                          </Button>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </Loaded>
      </div>
    </div>
  );
}
