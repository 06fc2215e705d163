import { Button, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { localeDefaults } from '../shared/locale-defaults.ts';
import { LoadingState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { Entrance, tokenOfLink } from './entrance.tsx';

const NEW_ACCOUNT = 'new';

/** Creates the first user, and the account that they own. */
export function FirstRunPage() {
  const navigate = useNavigate();
  const [token] = useState(tokenOfLink);
  const link = useQuery({
    queryKey: ['first run', token],
    queryFn: () => headwater.inspectFirstRun({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({
    initial: { name: '', email: '', password: '', accountName: '', accountId: NEW_ACCOUNT },
    save: ({ accountName, accountId, ...user }) =>
      headwater.completeFirstRun({
        token,
        ...user,
        ...localeDefaults(),
        ...(accountId === NEW_ACCOUNT ? { accountName } : { accountId }),
      }),
    onSaved: (state) => {
      queryClient.setQueryData(sessionQuery().queryKey, state);
      void navigate({ to: '/home', replace: true });
    },
  });
  const title = t('Welcome to Headwater');
  if (link.isError) return <Entrance title={title} error={link.error} />;
  if (link.isPending) return <LoadingState />;
  const { accounts } = link.data;
  return (
    <Entrance
      title={title}
      description={t('Create the first user. You will own the account and can invite others.')}
      error={form.error}
    >
      <Form form={form} isGuarded={false}>
        <Stack>
          {accounts.length > 0 && (
            <Select
              label={t('Account')}
              data={[
                { value: NEW_ACCOUNT, label: t('New account') },
                ...accounts.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              {...form.input('accountId')}
            />
          )}
          {form.values.accountId === NEW_ACCOUNT && (
            <TextInput
              label={t('Account name')}
              placeholder={t('Outdoor shop')}
              autoComplete="organization"
              required
              {...form.text('accountName')}
            />
          )}
          <TextInput label={t('Your name')} autoComplete="name" required {...form.text('name')} />
          <TextInput label={t('Email')} type="email" autoComplete="username" required {...form.text('email')} />
          <PasswordInput
            label={t('Password')}
            description={t('At least 10 characters')}
            autoComplete="new-password"
            required
            {...form.text('password')}
          />
          <Button type="submit" loading={form.isPending}>
            {t('Create account')}
          </Button>
        </Stack>
      </Form>
    </Entrance>
  );
}
