import { Button, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { faultsOf } from '../shared/messages.ts';
import { Loading } from '../shared/states.tsx';
import { Entrance, secretOfLink } from './entrance.tsx';

const NEW_ACCOUNT = 'new';

/** Makes the first user, and the account that they own. */
export function FirstRunPage() {
  const navigate = useNavigate();
  const [token] = useState(secretOfLink);
  const link = useQuery({
    queryKey: ['first run', token],
    queryFn: () => headwater.inspectFirstRun({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [form, setForm] = useState({ name: '', email: '', password: '', accountName: '' });
  const [accountId, setAccountId] = useState(NEW_ACCOUNT);
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => {
      const { accountName, ...user } = form;
      return headwater.completeFirstRun({
        token,
        ...user,
        ...(accountId === NEW_ACCOUNT ? { accountName } : { accountId }),
      });
    },
    onSuccess: (state) => {
      queryClient.setQueryData(sessionQuery().queryKey, state);
      void navigate({ to: '/settings/installation', replace: true });
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
  const title = 'Welcome to Headwater';
  if (link.isError) return <Entrance title={title} error={link.error} />;
  if (link.isPending) return <Loading />;
  const { accounts } = link.data;
  return (
    <Entrance
      title={title}
      lead="You are the first here. You will own the account, and can invite others."
      error={faults.size === 0 ? mutation.error : null}
    >
      <form onSubmit={submit}>
        <Stack>
          {accounts.length > 0 && (
            <Select
              label="Account"
              data={[
                { value: NEW_ACCOUNT, label: 'A new one' },
                ...accounts.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={accountId}
              onChange={(next) => setAccountId(next ?? NEW_ACCOUNT)}
              allowDeselect={false}
            />
          )}
          {accountId === NEW_ACCOUNT && (
            <TextInput
              label="Name of the account"
              placeholder="Outdoor shop"
              autoComplete="organization"
              {...input('accountName')}
            />
          )}
          <TextInput label="Your name" autoComplete="name" {...input('name')} />
          <TextInput label="E-mail" type="email" autoComplete="username" {...input('email')} />
          <PasswordInput
            label="Password"
            description="At least 10 characters"
            autoComplete="new-password"
            {...input('password')}
          />
          <Button type="submit" loading={mutation.isPending}>
            Begin
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}
