import { Alert, Button, Center, Code, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signIn } from '../service/session.ts';
import { messageOf } from '../shared/messages.ts';
import { Logo } from './logo.tsx';

/** Until people have accounts of their own, a secret API token opens the dashboard. */
export function SignIn() {
  const [token, setToken] = useState('');
  const mutation = useMutation({ mutationFn: signIn, meta: { shown: true } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate(token.trim());
  };
  return (
    <Center mih="100dvh" p="md" component="main">
      <form onSubmit={submit} style={{ width: '100%', maxWidth: 380 }}>
        <Stack>
          <Logo />
          <Title order={1}>Sign in</Title>
          <PasswordInput
            label="Secret API token"
            placeholder="hw_sk_…"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            autoComplete="off"
            required
            data-autofocus
          />
          {mutation.isError && (
            <Alert color="red" variant="light" role="alert">
              {messageOf(mutation.error).detail}
            </Alert>
          )}
          <Button type="submit" loading={mutation.isPending} disabled={token.trim() === ''}>
            Sign in
          </Button>
          <Text c="dimmed" size="sm">
            An account and its token are made by <Code>npx headwater accounts create "My team"</Code>
          </Text>
        </Stack>
      </form>
    </Center>
  );
}
