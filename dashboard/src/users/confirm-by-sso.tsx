import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../languages/translate.ts';
import { answerConfirmation } from '../service/confirmation.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { ssoStart } from './sso-choices.tsx';

/** Opens over the page when a request needs a confirmation, in a session by single sign-on: the provider asks in a window of its own. */
export function ConfirmBySso({ accountId }: { accountId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['confirmed by sso'],
    queryFn: () => headwater.getSession(),
    enabled: isOpen,
    refetchInterval: 1_000,
    gcTime: 0,
  });
  const isConfirmed = isOpen && new Date(data?.session?.confirmedUntil ?? 0).getTime() > Date.now() + 5_000;
  useEffect(() => {
    if (!isConfirmed) return;
    void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
    answerConfirmation(true);
  }, [isConfirmed]);
  return (
    <Dialog title={t('Confirm that it is you')} onClose={() => answerConfirmation(false)}>
      <Stack>
        <Text size="sm">
          {t(
            'Your identity provider asks for your password, in a new window. You are not asked again for ten minutes.',
          )}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerConfirmation(false)}>
            {t('Cancel')}
          </Button>
          <Button
            component="a"
            target="_blank"
            href={ssoStart(accountId, { confirm: 'true', returnTo: '/sso#confirmed' })}
            onClick={() => setIsOpen(true)}
          >
            {t('Continue')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
