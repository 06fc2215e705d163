import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
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
      notify(
        confirmationSent ? t('Open the link that was sent to {email} to confirm it.', { email }) : t('Email changed.'),
      );
      form.reset({ email: confirmationSent ? user.email : email, currentPassword: '' });
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
    },
  });
  const { data: session } = useQuery(sessionQuery());
  const confirm = useMutation({
    mutationFn: () => headwater.changeEmail({ email: user.email }),
    onSuccess: () => notify(t('Open the link that was sent to {email} to confirm it.', { email: user.email })),
  });
  return (
    <Form form={form}>
      <Card title={t('Email')}>
        <FormError form={form} />
        <TextInput label={t('Email')} type="email" autoComplete="username" {...form.text('email')} />
        {form.values.email !== user.email && (
          <PasswordInput
            label={t('Password')}
            description={t('To confirm that it is you')}
            autoComplete="current-password"
            {...form.text('currentPassword')}
          />
        )}
        {form.values.email === user.email && !user.isEmailConfirmed && session?.sendsEmail && (
          <Group>
            <Text size="sm">{t('This email is not confirmed.')}</Text>
            <Button variant="default" size="compact-sm" loading={confirm.isPending} onClick={() => confirm.mutate()}>
              {t('Send confirmation link')}
            </Button>
          </Group>
        )}
        <FormActions form={form} submit={t('Change email')} />
      </Card>
    </Form>
  );
}
