import type { SessionState } from '@headwater/sdk';
import { Badge, Button, Group, PasswordInput, Radio, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
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
import { securityQuery } from '../users/security.ts';
import { EmailForm } from './email-form.tsx';
import { LanguageForm } from './language-form.tsx';
import { Passkeys } from './passkeys.tsx';
import { TwoFactor } from './two-factor.tsx';

const storeSession = (state: SessionState) => queryClient.setQueryData(sessionQuery().queryKey, state);
const refreshSessions = () => queryClient.invalidateQueries({ queryKey: ['sessions'] });

export function ProfilePage() {
  const { data } = useQuery(sessionQuery());
  if (data?.session?.isSso) {
    return (
      <Page
        title={t('Your profile')}
        description={t(
          'You signed in by single sign-on: your identity provider manages your name, password and email.',
        )}
      >
        <LanguageForm />
        <TimeZoneChoice />
      </Page>
    );
  }
  return (
    <Page
      title={t('Your profile')}
      description={t('How you sign in, your language and time zone, and your active sessions.')}
    >
      <NameForm />
      <EmailForm />
      <LanguageForm />
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
      notify(t('Saved.'));
    },
  });
  return (
    <Form form={form}>
      <Stack className="surface" p="lg">
        <FormError form={form} />
        <TextInput label={t('Name')} autoComplete="name" {...form.text('name')} />
        <FormActions form={form} submit={t('Save')} />
      </Stack>
    </Form>
  );
}

/** Kept in this browser: on a journey the dashboard follows the device. */
function TimeZoneChoice() {
  const { account } = useSession();
  const [isOwn, setIsOwn] = useState(prefersBrowserTimeZone);
  return (
    <Card title={t('Time zone')}>
      <Radio.Group
        aria-label={t('Time zone')}
        value={isOwn ? 'browser' : 'account'}
        onChange={(next) => {
          preferBrowserTimeZone(next === 'browser');
          setIsOwn(next === 'browser');
          void queryClient.invalidateQueries();
        }}
      >
        <Stack gap="xs">
          <Radio value="account" label={t('Time zone of the account: {timeZone}', { timeZone: account.timeZone })} />
          <Radio
            value="browser"
            label={t('Time zone of this browser: {browserTimeZone}', { browserTimeZone: browserTimeZone() })}
          />
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
      notify(t('Password changed. All other devices were signed out.'));
    },
  });
  return (
    <Form form={form}>
      <Card title={t('Password')}>
        <FormError form={form} />
        <PasswordInput
          label={t('Current password')}
          autoComplete="current-password"
          {...form.text('currentPassword')}
        />
        <PasswordInput
          label={t('New password')}
          description={t('At least 10 characters')}
          autoComplete="new-password"
          {...form.text('newPassword')}
        />
        <FormActions form={form} submit={t('Change password')} />
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
    label: t('Device'),
    cell: ({ device, isCurrent }) => (
      <Group gap="xs">
        {device ?? t('Unknown device')}
        {isCurrent && (
          <Badge variant="light" size="sm">
            {t('This device')}
          </Badge>
        )}
      </Group>
    ),
    note: ({ address }) => address,
  },
  timeColumn('lastSeen', t('Last seen'), ({ lastSeenAt }) => lastSeenAt),
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
    onSuccess: () => notify(t('All other devices were signed out.')),
    onSettled: refreshSessions,
  });
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Active sessions')}</Title>
        {query.data && query.data.length > 1 && (
          <Button variant="default" size="compact-sm" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('Sign out other devices')}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('Active sessions')}
        query={query}
        columns={COLUMNS}
        minWidth={420}
        loadingRows={2}
        rowKey={({ id }) => id}
        rowName={({ device }) => device ?? t('unknown device')}
        actions={({ id, isCurrent }) => (isCurrent ? [] : [{ label: t('Sign out'), onClick: () => end.mutate(id) }])}
      />
    </div>
  );
}
