import { PasswordInput, TextInput } from '@mantine/core';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';

export function EmailForm() {
  const { user } = useSession();
  const form = useForm({
    initial: { email: user.email, currentPassword: '' },
    isValid: ({ email, currentPassword }) => email.trim() !== '' && email !== user.email && currentPassword !== '',
    save: ({ email, currentPassword }) => headwater.changeEmail({ email: email.trim(), currentPassword }),
    onSaved: ({ confirmationSent }, { email }) => {
      notify(confirmationSent ? `Open the link that was sent to ${email} to confirm it.` : 'Email changed.');
      form.reset({ email: confirmationSent ? user.email : email, currentPassword: '' });
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
    },
  });
  return (
    <Form form={form}>
      <Card title="Email">
        <FormError form={form} />
        <TextInput label="Email" type="email" autoComplete="username" {...form.text('email')} />
        {form.values.email !== user.email && (
          <PasswordInput
            label="Password"
            description="To confirm that it is you"
            autoComplete="current-password"
            {...form.text('currentPassword')}
          />
        )}
        <FormActions form={form} submit="Change email" />
      </Card>
    </Form>
  );
}
