import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { inSentence, t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, rememberAccount, sessionQuery } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { LoadingState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { Entrance, tokenOfLink } from './entrance.tsx';
import { ROLES } from './roles.ts';

export function InvitationPage() {
  const navigate = useNavigate();
  const [token] = useState(tokenOfLink);
  const session = useQuery(sessionQuery());
  const link = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => headwater.inspectInvitation({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [hasUser, setHasUser] = useState(false);
  const user = session.data?.user;
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    save: ({ name, password, email }) =>
      headwater.acceptInvitation(
        user ? { token } : { token, email: link.data?.email ?? email, password, ...(!hasUser && { name }) },
      ),
    onSaved: (state) => {
      queryClient.setQueryData(sessionQuery().queryKey, state);
      const joined = state.accounts.find(({ id }) => !session.data?.accounts.some((known) => known.id === id));
      if (joined) rememberAccount(joined.id);
      void navigate({ to: '/', replace: true });
    },
  });
  if (link.isError) return <Entrance title={t('Invitation')} error={link.error} />;
  if (link.isPending || session.isPending) return <LoadingState />;
  const { account, role, roleName, email } = link.data;
  return (
    <Entrance
      title={t('Join {name}', { name: account.name })}
      description={t('You are invited as {role}: {description}', {
        role: roleName ?? inSentence(ROLES[role].label),
        description: inSentence(ROLES[role].description),
      })}
      error={form.error}
    >
      <Form form={form} isGuarded={false}>
        <Stack>
          {user ? (
            <Text size="sm">{t('You are signed in as {email}.', { email: user.email })}</Text>
          ) : (
            <>
              {!hasUser && <TextInput label={t('Your name')} autoComplete="name" required {...form.text('name')} />}
              <TextInput
                label={t('Email')}
                type="email"
                autoComplete="username"
                required
                {...form.text('email')}
                {...(email !== null && { value: email, readOnly: true })}
              />
              <PasswordInput
                label={t('Password')}
                description={hasUser ? undefined : t('At least 10 characters')}
                autoComplete={hasUser ? 'current-password' : 'new-password'}
                required
                {...form.text('password')}
              />
            </>
          )}
          <Button type="submit" loading={form.isPending}>
            {t('Join')}
          </Button>
          {!user && (
            <Anchor component="button" type="button" size="sm" onClick={() => setHasUser(!hasUser)}>
              {hasUser ? t('Create a new user') : t('I already have a password')}
            </Anchor>
          )}
        </Stack>
      </Form>
    </Entrance>
  );
}
