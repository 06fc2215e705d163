import { isHeadwaterError } from '@headwater/sdk';
import { Button, Divider, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { answerConfirmation } from '../service/confirmation.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { Form, FormError } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { EntranceError } from './entrance.tsx';

/** Opens over the page when a request needs a password or passkey of the last ten minutes, which it then repeats. */
export function ConfirmSession({ email }: { email: string }) {
  const onSaved = (state: Awaited<ReturnType<typeof headwater.confirmSession>>) => {
    queryClient.setQueryData(sessionQuery().queryKey, state);
    answerConfirmation(true);
  };
  const form = useForm({
    initial: { currentPassword: '' },
    isValid: ({ currentPassword }) => currentPassword !== '',
    save: (body) => headwater.confirmSession(body),
    onSaved,
  });
  const passkey = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const { options } = await headwater.getPasskeySignInOptions({});
      return headwater.confirmSession({
        credential: (await startAuthentication({ optionsJSON: options as never })) as never,
      });
    },
    onSuccess: onSaved,
  });
  return (
    <Dialog title={t('Confirm that it is you')} onClose={() => answerConfirmation(false)}>
      <Form form={form} isGuarded={false}>
        <Stack>
          <Text size="sm">{t('This needs your password or a passkey. You are not asked again for ten minutes.')}</Text>
          <EntranceError error={isHeadwaterError(passkey.error) ? passkey.error : null} />
          <FormError form={form} />
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label={t('Password')}
            autoComplete="current-password"
            data-autofocus
            {...form.text('currentPassword')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answerConfirmation(false)}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={form.isPending}>
              {t('Confirm')}
            </Button>
          </Group>
          {typeof window.PublicKeyCredential === 'function' && (
            <>
              <Divider label={t('or')} />
              <Button variant="default" loading={passkey.isPending} onClick={() => passkey.mutate()}>
                {t('Use a passkey')}
              </Button>
            </>
          )}
        </Stack>
      </Form>
    </Dialog>
  );
}
