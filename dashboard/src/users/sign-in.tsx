import { Alert, Anchor, Code } from '@mantine/core';
import { useState } from 'react';
import { Entrance } from './entrance.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn({ isFirstRun, sendsEmail }: { isFirstRun: boolean; sendsEmail: boolean }) {
  const [hasForgotten, setHasForgotten] = useState(false);
  if (hasForgotten) return <ForgotPassword onBack={() => setHasForgotten(false)} />;
  if (!isFirstRun) {
    return (
      <Entrance title="Sign in">
        <SignInForm />
        {sendsEmail && (
          <Anchor component="button" type="button" size="sm" onClick={() => setHasForgotten(true)}>
            Forgot password?
          </Anchor>
        )}
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Welcome to Headwater"
      description="There are no users yet. Open the first-run link to create the first one."
    >
      <Alert variant="light" color="water">
        The service prints the link when it starts. It is valid for one day: restart the service or run{' '}
        <Code>npx headwater users first-run-link</Code> for a new one.
      </Alert>
    </Entrance>
  );
}
