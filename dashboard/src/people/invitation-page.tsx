import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { faultsOf } from '../shared/messages.ts';
import { Loading } from '../shared/states.tsx';
import { Entrance, secretOfLink } from './entrance.tsx';
import { ROLES } from './roles.ts';

export function InvitationPage() {
  const navigate = useNavigate();
  const [token] = useState(secretOfLink);
  const session = useQuery(sessionQuery());
  const link = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => headwater.inspectInvitation({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [isKnown, setIsKnown] = useState(false);
  const [form, setForm] = useState({ name: '', email: '', password: '' });
  const user = session.data?.user;
  const email = link.data?.email ?? form.email;
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => {
      const { name, password } = form;
      return headwater.acceptInvitation(user ? { token } : { token, email, password, ...(!isKnown && { name }) });
    },
    onSuccess: (state) => {
      queryClient.setQueryData(sessionQuery().queryKey, state);
      void navigate({ to: '/', replace: true });
    },
  });
  const faults = faultsOf(mutation.error);
  const input = (name: keyof typeof form) => ({
    required: true,
    value: form[name],
    error: faults.get(`/${name}`),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (link.isError) return <Entrance title="Invitation" error={link.error} />;
  if (link.isPending || session.isPending) return <Loading />;
  const { account, role } = link.data;
  return (
    <Entrance
      title={`Join ${account.name}`}
      lead={`You are invited as ${ROLES[role].label.toLowerCase()}: ${ROLES[role].description.toLowerCase()}`}
      error={faults.size === 0 ? mutation.error : null}
    >
      <form onSubmit={submit}>
        <Stack>
          {user ? (
            <Text size="sm">You are signed in as {user.email}.</Text>
          ) : (
            <>
              {!isKnown && <TextInput label="Your name" autoComplete="name" {...input('name')} />}
              <TextInput
                label="E-mail"
                type="email"
                autoComplete="username"
                {...input('email')}
                value={email}
                readOnly={link.data.email !== null}
              />
              <PasswordInput
                label="Password"
                description={isKnown ? undefined : 'At least 10 characters'}
                autoComplete={isKnown ? 'current-password' : 'new-password'}
                {...input('password')}
              />
            </>
          )}
          <Button type="submit" loading={mutation.isPending}>
            Join
          </Button>
          {!user && (
            <Anchor component="button" type="button" size="sm" onClick={() => setIsKnown(!isKnown)}>
              {isKnown ? 'I am new here' : 'I have a password here already'}
            </Anchor>
          )}
        </Stack>
      </form>
    </Entrance>
  );
}
