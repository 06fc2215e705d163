import { Alert, Code } from '@mantine/core';
import { Entrance } from './entrance.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignIn({ isFirstRun }: { isFirstRun: boolean }) {
  if (!isFirstRun) {
    return (
      <Entrance title="Sign in">
        <SignInForm />
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
