import type { SessionState } from '@headwater/sdk';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { EntranceError } from './entrance.tsx';

interface SignInFormProps {
  /** The user who signs in again. */
  email?: string;
  onSignedIn?: (state: SessionState) => void;
}

export function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const form = useForm({
    initial: { email: email ?? '', password: '' },
    save: (credentials) => headwater.signIn(credentials),
    onSaved: (state) => {
      queryClient.setQueryData(sessionQuery().queryKey, state);
      onSignedIn?.(state);
    },
  });
  return (
    <Form form={form} isGuarded={false}>
      <Stack>
        <EntranceError error={form.error} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          {...form.text('email')}
          autoFocus={email === undefined}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          {...form.text('password')}
          data-autofocus
        />
        <Button type="submit" loading={form.isPending}>
          Sign in
        </Button>
      </Stack>
    </Form>
  );
}
