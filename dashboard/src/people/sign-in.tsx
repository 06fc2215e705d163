import { Alert, Button, Code, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Entrance } from './entrance.tsx';

export function SignIn({ isFirstRun }: { isFirstRun: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.signIn({ email, password }),
    onSuccess: (state) => queryClient.setQueryData(sessionQuery().queryKey, state),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (isFirstRun) {
    return (
      <Entrance
        title="Welcome to Headwater"
        lead="Nobody can sign in yet. The service printed a link when it started: it makes the first user."
      >
        <Alert variant="light" color="water">
          It is in the terminal or the log of the service. If it is gone, or older than a day, start the service again,
          or run <Code>npx headwater users first-run-link</Code>.
        </Alert>
      </Entrance>
    );
  }
  return (
    <Entrance title="Sign in" error={mutation.error}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoFocus
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={mutation.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
