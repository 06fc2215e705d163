import { Alert, Box, Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from '../languages/translate.ts';
import { errorMessage, fieldErrors } from '../shared/error-messages.ts';
import { Logo } from '../shared/logo.tsx';
import { LanguageChoice } from './language-choice.tsx';

interface EntranceProps {
  title: string;
  description?: ReactNode;
  /** Shown above the form unless its fields show it. */
  error?: unknown;
  children?: ReactNode;
}

/** The frame of the pages outside the dashboard, such as the sign-in. */
export function Entrance({ title, description, error, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Headwater`;
  }, [title]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={400}>
        <Box mb="xl">
          <Logo />
        </Box>
        <Title order={1} mb={4}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" mb="lg" component="div">
            {description}
          </Text>
        )}
        <Stack>
          <EntranceError error={error} />
          {children}
        </Stack>
        <LanguageChoice />
      </Box>
    </Center>
  );
}

/** An error that belongs to no field. */
export function EntranceError({ error }: { error: unknown }) {
  if (error === null || error === undefined || fieldErrors(error).size > 0) return null;
  const { code = '' } = error as { code?: string };
  return (
    <Alert color="red" variant="light" role="alert">
      {MESSAGES[code] ?? errorMessage(error).detail}
    </Alert>
  );
}

const MESSAGES: Record<string, string> = {
  credentials_invalid: t('Incorrect email or password.'),
  code_invalid: t('The code is incorrect or was used before. Enter the current code.'),
  passkey_unknown: t('This passkey is not known here. Sign in with your password.'),
  email_taken: t('Another user has this email.'),
  too_many_attempts: t('Too many attempts. Wait a few minutes, then try again.'),
  password_wrong: t('Incorrect password.'),
  link_invalid: t('This link was already used or has expired. Ask for a new one.'),
  password_too_common: t('This password is too common. Choose another one.'),
  email_differs: t('This invitation is for another email address.'),
  sso_required: t('This account is used by single sign-on only. Continue with it.'),
  already_member: t('You are already a member of this account.'),
};

/** The one-time token of a link. It is in the fragment, which browsers send to no server. */
export const tokenOfLink = () => window.location.hash.slice(1);
