import type { SessionState } from '@headwater/sdk';
import { Badge, Button, Group, PasswordInput, Radio, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { browserTimeZone, preferBrowserTimeZone, prefersBrowserTimeZone } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import { EmailForm } from './email-form.tsx';
import { Passkeys } from './passkeys.tsx';
import { securityQuery } from './security.ts';
import { TwoFactor } from './two-factor.tsx';

const storeSession = (state: SessionState) => queryClient.setQueryData(sessionQuery().queryKey, state);
const refreshSessions = () => queryClient.invalidateQueries({ queryKey: ['sessions'] });

export function ProfilePage() {
  return (
    <Page title="Your profile" description="How you sign in, your time zone and your active sessions.">
      <NameForm />
      <EmailForm />
      <TimeZoneChoice />
      <PasswordForm />
      <SignInMethods />
      <Sessions />
    </Page>
  );
}

function NameForm() {
  const { user } = useSession();
  const form = useForm({
    initial: { name: user.name },
    mustChange: true,
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name }) => headwater.changeUser({ name: name.trim() }),
    onSaved: (state) => {
      storeSession(state);
      notify('Saved.');
    },
  });
  return (
    <Form form={form}>
      <Stack className="surface" p="lg">
        <FormError form={form} />
        <TextInput label="Name" autoComplete="name" {...form.text('name')} />
        <FormActions form={form} submit="Save" />
      </Stack>
    </Form>
  );
}

/** Kept in this browser: on a journey the dashboard follows the device. */
function TimeZoneChoice() {
  const { account } = useSession();
  const [isOwn, setIsOwn] = useState(prefersBrowserTimeZone);
  return (
    <Card title="Time zone">
      <Radio.Group
        aria-label="Time zone"
        value={isOwn ? 'browser' : 'account'}
        onChange={(next) => {
          preferBrowserTimeZone(next === 'browser');
          setIsOwn(next === 'browser');
          void queryClient.invalidateQueries();
        }}
      >
        <Stack gap="xs">
          <Radio value="account" label={`Time zone of the account: ${account.timeZone}`} />
          <Radio value="browser" label={`Time zone of this browser: ${browserTimeZone()}`} />
        </Stack>
      </Radio.Group>
    </Card>
  );
}

const NO_PASSWORDS = { currentPassword: '', newPassword: '' };

function PasswordForm() {
  const form = useForm({
    initial: NO_PASSWORDS,
    isValid: ({ currentPassword, newPassword }) => currentPassword !== '' && newPassword !== '',
    save: (passwords) => headwater.changePassword(passwords),
    onSaved: (state) => {
      storeSession(state);
      form.reset(NO_PASSWORDS);
      void refreshSessions();
      notify('Password changed. All other devices were signed out.');
    },
  });
  return (
    <Form form={form}>
      <Card title="Password">
        <FormError form={form} />
        <PasswordInput label="Current password" autoComplete="current-password" {...form.text('currentPassword')} />
        <PasswordInput
          label="New password"
          description="At least 10 characters"
          autoComplete="new-password"
          {...form.text('newPassword')}
        />
        <FormActions form={form} submit="Change password" />
      </Card>
    </Form>
  );
}

function SignInMethods() {
  const query = useQuery(securityQuery());
  return (
    <Loaded query={query} rows={3}>
      {({ twoFactor, passkeys }) => (
        <>
          <TwoFactor isEnabled={twoFactor.enabled} recoveryCodesLeft={twoFactor.recoveryCodesLeft} />
          <Passkeys passkeys={passkeys} />
        </>
      )}
    </Loaded>
  );
}

type DashboardSession = Awaited<ReturnType<typeof headwater.listSessions>>['sessions'][number];

const COLUMNS: Column<DashboardSession>[] = [
  {
    id: 'device',
    label: 'Device',
    cell: ({ device, isCurrent }) => (
      <Group gap="xs">
        {device ?? 'Unknown device'}
        {isCurrent && (
          <Badge variant="light" size="sm">
            This device
          </Badge>
        )}
      </Group>
    ),
    note: ({ address }) => address,
  },
  timeColumn('lastSeen', 'Last seen', ({ lastSeenAt }) => lastSeenAt),
];

function Sessions() {
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await headwater.listSessions({ signal })).sessions,
  });
  const end = useMutation({
    mutationFn: (sessionId: string) => headwater.endSession({ sessionId }),
    onSettled: refreshSessions,
  });
  const endOthers = useMutation({
    mutationFn: () => headwater.endOtherSessions(),
    onSuccess: () => notify('All other devices were signed out.'),
    onSettled: refreshSessions,
  });
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>Active sessions</Title>
        {query.data && query.data.length > 1 && (
          <Button variant="default" size="compact-sm" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out other devices
          </Button>
        )}
      </Group>
      <DataTable
        label="Active sessions"
        query={query}
        columns={COLUMNS}
        minWidth={420}
        loadingRows={2}
        rowKey={({ id }) => id}
        rowName={({ device }) => device ?? 'unknown device'}
        actions={({ id, isCurrent }) => (isCurrent ? [] : [{ label: 'Sign out', onClick: () => end.mutate(id) }])}
      />
    </div>
  );
}
