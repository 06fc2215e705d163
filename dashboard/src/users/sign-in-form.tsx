import { isHeadwaterError, type SessionState } from '@headwater/sdk';
import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { EntranceError } from './entrance.tsx';
import { SsoChoices } from './sso-choices.tsx';

interface SignInFormProps {
  /** The user who signs in again. */
  email?: string;
  onSignedIn?: (state: SessionState) => void;
}

const supportsPasskeys = () => typeof window.PublicKeyCredential === 'function';

export function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const [asksForCode, setAsksForCode] = useState(false);
  const onSaved = (state: SessionState) => {
    queryClient.setQueryData(sessionQuery().queryKey, state);
    onSignedIn?.(state);
  };
  const form = useForm({
    initial: { email: email ?? '', password: '', code: '' },
    save: ({ code, ...credentials }) => headwater.signIn(asksForCode ? { ...credentials, code } : credentials),
    onSaved,
    onError: (error) => {
      if (isHeadwaterError(error, 'two_factor_required')) setAsksForCode(true);
      if (isHeadwaterError(error, 'credentials_invalid')) setAsksForCode(false);
    },
  });
  const passkey = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const { options } = await headwater.getPasskeySignInOptions({});
      const credential = await startAuthentication({ optionsJSON: options as never });
      return headwater.signInByPasskey({ credential: credential as never });
    },
    onSuccess: onSaved,
  });
  const isAsking = isHeadwaterError(form.error, 'two_factor_required');
  return (
    <Form form={form} isGuarded={false}>
      <Stack>
        <EntranceError error={isAsking ? null : (form.error ?? refusalOf(passkey.error))} />
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          {...form.text('email')}
          autoFocus={email === undefined}
        />
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          required
          {...form.text('password')}
          data-autofocus
        />
        {asksForCode && (
          <TextInput
            label={t('Code')}
            description={t('Of your authenticator app, or a recovery code')}
            autoComplete="one-time-code"
            required
            autoFocus
            {...form.text('code')}
          />
        )}
        <Button type="submit" loading={form.isPending}>
          {t('Sign in')}
        </Button>
        <SsoChoices email={form.values.email} />
        {supportsPasskeys() && (
          <>
            <Divider label={t('or')} />
            <Button variant="default" loading={passkey.isPending} onClick={() => passkey.mutate()}>
              {t('Use a passkey')}
            </Button>
          </>
        )}
      </Stack>
    </Form>
  );
}

/** Closing the dialog of the browser is no error. */
const refusalOf = (error: unknown) => (isHeadwaterError(error) ? error : null);
