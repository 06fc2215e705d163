import { Alert, Box, Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { messageOf } from '../shared/messages.ts';
import { Logo } from '../shell/logo.tsx';

interface EntranceProps {
  title: string;
  lead?: ReactNode;
  error?: unknown;
  children?: ReactNode;
}

/** The page before the dashboard: what one signs in, or begins, by. */
export function Entrance({ title, lead, error, children }: EntranceProps) {
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
        {lead && (
          <Text c="dimmed" mb="lg" component="div">
            {lead}
          </Text>
        )}
        <Stack>
          {error !== null && error !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {explain(error)}
            </Alert>
          )}
          {children}
        </Stack>
      </Box>
    </Center>
  );
}

const EXPLAINED: Record<string, string> = {
  credentials_invalid: 'This e-mail and password do not belong together.',
  too_many_attempts: 'Too many attempts. Wait a few minutes, then try again.',
  link_invalid: 'This link has been used, or is no longer good. Ask for another one.',
  password_too_common: 'This password is among those that are guessed first. Choose another one.',
  email_differs: 'This invitation is for another e-mail address.',
  already_member: 'You are in this account already.',
};

function explain(error: unknown): string {
  const { code = '' } = error as { code?: string };
  return EXPLAINED[code] ?? messageOf(error).detail;
}

/** The one-time secret of a link, which stands behind its `#` so that no server sees it. */
export const secretOfLink = () => window.location.hash.slice(1);
