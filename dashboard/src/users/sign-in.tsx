import { Alert, Anchor, Code } from '@mantine/core';
import { useState } from 'react';
import { rich, t } from '../languages/translate.ts';
import { Entrance } from './entrance.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn({ isFirstRun, sendsEmail }: { isFirstRun: boolean; sendsEmail: boolean }) {
  const [hasForgotten, setHasForgotten] = useState(false);
  if (hasForgotten) return <ForgotPassword onBack={() => setHasForgotten(false)} />;
  if (!isFirstRun) {
    return (
      <Entrance title={t('Sign in')}>
        <SignInForm />
        {sendsEmail && (
          <Anchor component="button" type="button" size="sm" onClick={() => setHasForgotten(true)}>
            {t('Forgot password?')}
          </Anchor>
        )}
      </Entrance>
    );
  }
  return (
    <Entrance
      title={t('Welcome to Headwater')}
      description={t('There are no users yet. Open the first-run link to create the first one.')}
    >
      <Alert variant="light" color="water">
        {rich(
          'The service prints the link when it starts. It is valid for one day: restart the service or run <code>npx headwater users first-run-link</code> for a new one.',
          { code: (text) => <Code>{text}</Code> },
        )}
      </Alert>
    </Entrance>
  );
}
