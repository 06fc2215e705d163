import type { Sso } from '@headwater/sdk';
import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRoles } from '../users/use-roles.ts';

const KEY = ['sso'];
const store = (sso: Sso) => queryClient.setQueryData(KEY, sso);

/** Where members sign in with the accounts of their company. */
export function SsoPage() {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => headwater.getSso({ signal }) });
  return (
    <Page
      title={t('Single sign-on')}
      description={t(
        'Members sign in at your identity provider, by OpenID Connect. It decides who they are and which role they have.',
      )}
    >
      <Loaded query={query}>
        {(sso) => (
          <>
            <SsoForm key={String(sso.isConfigured)} sso={sso} />
            {sso.isConfigured && <Domains sso={sso} />}
            {sso.isConfigured && <RemoveSso />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const valuesOf = (sso: Sso) => ({
  name: sso.name ?? '',
  issuer: sso.issuer ?? '',
  clientId: sso.clientId ?? '',
  clientSecret: '',
  domains: sso.domains.map(({ domain }) => domain),
  scopes: sso.scopes,
  roleClaim: sso.roleClaim,
  roleMappings: sso.roleMappings,
  defaultRoleId: sso.defaultRoleId,
  isRequired: sso.isRequired,
});

function SsoForm({ sso }: { sso: Sso }) {
  const roles = useRoles();
  const form = useForm({
    initial: valuesOf(sso),
    mustChange: true,
    save: ({ name, clientSecret, domains, ...values }) =>
      headwater.putSso({
        ...values,
        domains: domains.map((domain) => ({ domain })),
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(clientSecret !== '' && { clientSecret }),
      }),
    settle: (saved) => ({ saved: valuesOf(saved), values: valuesOf(saved) }),
    onSaved: (saved) => {
      store(saved);
      notify(t('Saved.'));
    },
  });
  const { roleMappings } = form.values;
  const setMapping = (at: number, part: Partial<(typeof roleMappings)[number]>) =>
    form.set({ roleMappings: roleMappings.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  return (
    <Form form={form}>
      <Card title={t('Identity provider')}>
        <FormError form={form} />
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('Redirect URL')}
          </Text>
          <CopyField value={sso.redirectUri} label={t('Redirect URL')} />
          <Text size="sm" c="dimmed" mt={4}>
            {t('Register it for a web application at the provider, which then shows the client ID and secret.')}
          </Text>
        </div>
        <TextInput label={t('Issuer')} placeholder="https://login.example.com" required {...form.text('issuer')} />
        <TextInput label={t('Client ID')} required autoComplete="off" {...form.text('clientId')} />
        <PasswordInput
          label={t('Client secret')}
          description={
            sso.hasClientSecret ? t('Leave empty to keep the present one. Another issuer needs it again.') : undefined
          }
          required={!sso.hasClientSecret}
          autoComplete="off"
          {...form.text('clientSecret')}
        />
        <TextInput
          label={t('Name on the sign-in page')}
          description={t('By default the host of the issuer')}
          {...form.text('name')}
        />
        <TagsInput
          label={t('Email domains')}
          description={t('Only emails of these domains sign in, once you have proved that they are yours.')}
          splitChars={[',', ' ']}
          {...form.input('domains')}
        />
        <TextInput
          label={t('Claim with the roles')}
          description={t('A name, or a path such as realm_access.roles')}
          {...form.text('roleClaim')}
        />
        <TagsInput
          label={t('Additional scopes')}
          description={t('Some providers send groups only if they are requested.')}
          splitChars={[',', ' ']}
          {...form.input('scopes')}
        />
        <Stack gap="xs" role="group" aria-label={t('Roles by claim')}>
          <Text size="sm" fw={500}>
            {t('Roles by claim')}
          </Text>
          <Text size="sm" c="dimmed">
            {t(
              'The first value that somebody has decides their role at each sign-in. Without any, members keep the role they have.',
            )}
          </Text>
          {roleMappings.map((each, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity while they are edited
            <Group key={i} gap="xs" align="flex-start" wrap="nowrap">
              <TextInput
                aria-label={t('Value {i}', { i: i + 1 })}
                flex={1}
                value={each.value}
                error={form.errors.get(`/roleMappings/${i}/value`)}
                onChange={(event) => setMapping(i, { value: event.currentTarget.value })}
              />
              <Select
                aria-label={t('Role of value {i}', { i: i + 1 })}
                flex={1}
                data={roles.options}
                allowDeselect={false}
                value={each.roleId}
                error={form.errors.get(`/roleMappings/${i}/roleId`)}
                onChange={(next) => next && setMapping(i, { roleId: next })}
              />
              <ActionIcon
                aria-label={t('Remove value {i}', { i: i + 1 })}
                mt={4}
                onClick={() => form.set({ roleMappings: roleMappings.filter((_, at) => at !== i) })}
              >
                <Icon name="close" size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => form.set({ roleMappings: [...roleMappings, { value: '', roleId: 'editor' }] })}
            >
              {t('Add value')}
            </Button>
          </Group>
        </Stack>
        <Select
          label={t('Role of everybody else')}
          placeholder={t('None: they are refused')}
          data={roles.options}
          clearable
          {...form.input('defaultRoleId')}
        />
        <Checkbox
          label={t('Only by single sign-on')}
          description={t(
            'Members with an email of a proven domain can no longer open this account by password, passkey, reset link or invitation. If the provider fails, the operator turns this off on the command line.',
          )}
          checked={form.values.isRequired}
          onChange={(event) => form.set({ isRequired: event.currentTarget.checked })}
          error={form.errorOf('isRequired')}
        />
        <FormActions form={form} submit={t('Save')} />
      </Card>
    </Form>
  );
}

function Domains({ sso }: { sso: Sso }) {
  const check = useMutation({
    mutationFn: () => headwater.checkSso(),
    onSuccess: ({ domains }) => store({ ...sso, domains }),
  });
  const provider = check.data?.provider;
  return (
    <Card
      title={t('Connection and domains')}
      controls={
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {t('Check')}
        </Button>
      }
    >
      {provider && (
        <Alert color={provider.isReachable ? 'teal' : 'red'} variant="light" role="status">
          {provider.isReachable
            ? t('The provider answers.')
            : t('The provider cannot be used: {error}', { error: provider.error })}
        </Alert>
      )}
      {sso.domains.length === 0 && (
        <Text size="sm">{t('Add an email domain above: until then nobody can sign in.')}</Text>
      )}
      {sso.domains.map(({ domain, isProven, record }) => (
        <Stack key={domain} gap="xs">
          <Group gap="xs">
            <b>{domain}</b>
            <Badge variant="light" color={isProven ? 'teal' : 'orange'}>
              {isProven ? t('Proven') : t('Not proven')}
            </Badge>
          </Group>
          {!isProven && (
            <>
              <Text size="sm">{t('Add this TXT record to your DNS, then check.')}</Text>
              <CopyField value={record.name} label={t('Name of the record of {domain}', { domain })} />
              <CopyField value={record.value} label={t('Value of the record of {domain}', { domain })} />
            </>
          )}
        </Stack>
      ))}
    </Card>
  );
}

function RemoveSso() {
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <>
      <Group>
        <Button variant="default" color="red" onClick={() => setIsRemoving(true)}>
          {t('Remove single sign-on')}
        </Button>
      </Group>
      {isRemoving && (
        <ConfirmDialog
          title={t('Remove single sign-on?')}
          action={t('Remove')}
          onClose={() => setIsRemoving(false)}
          run={async () => {
            store(await headwater.deleteSso());
            notify(t('Single sign-on removed.'));
          }}
        >
          {t('Who signed in by it is signed out. They stay members, and set a password with a reset link.')}
        </ConfirmDialog>
      )}
    </>
  );
}
