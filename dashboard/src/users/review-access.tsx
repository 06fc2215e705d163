import type { AccessReview } from '@headwater/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { formatDate, formatRelativeTime } from '../shared/formats.ts';
import { refreshSecurity, securityQuery } from './security.ts';

const TYPES: Record<AccessReview['type'], { label: string; remove?: string }> = {
  passkey: { label: t('Passkey'), remove: t('Delete') },
  two_factor: { label: t('Second factor') },
  key: { label: t('API key') },
};

/** After a password reset: whoever knew the previous password may have added a passkey, second factor or API key. */
export function ReviewAccess() {
  const [isLater, setIsLater] = useState(false);
  const { data } = useQuery(securityQuery());
  const refresh = async () => {
    await refreshSecurity();
    await queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
  };
  const keep = useMutation({
    mutationFn: ({ type, id }: AccessReview) => headwater.confirmAccess({ type, id }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: AccessReview) => headwater.deletePasskey({ passkeyId: id }),
    onSettled: refresh,
  });
  const reviews = data?.reviews ?? [];
  if (isLater || reviews.length === 0) return null;
  return (
    <Dialog title={t('Check what can access your account')} onClose={() => setIsLater(true)} size="lg">
      <Stack>
        <Text size="sm">
          {t(
            'Your password was reset. Somebody who knew the previous one may have added these. Confirm what is yours, and delete the rest: the second factor under Your profile, API keys under Settings of their account. Passkeys do not sign in until you confirm them.',
          )}
        </Text>
        {reviews.map((review) => (
          <Group key={`${review.type} ${review.id}`} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={550} dir="auto">
                {review.name}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  review.account
                    ? t('{label} of {name}', { label: TYPES[review.type].label, name: review.account.name })
                    : TYPES[review.type].label,
                  t('created {date}', { date: formatDate(review.createdAt) }),
                  ...(review.lastUsedAt ? [t('used {time}', { time: formatRelativeTime(review.lastUsedAt) })] : []),
                ].join(' · ')}
              </Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              {TYPES[review.type].remove && (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={t('Delete {name}', { name: review.name })}
                  onClick={() => remove.mutate(review)}
                >
                  {TYPES[review.type].remove}
                </Button>
              )}
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('Confirm {name}', { name: review.name })}
                onClick={() => keep.mutate(review)}
              >
                {t('It is mine')}
              </Button>
            </Group>
          </Group>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setIsLater(true)}>
            {t('Later')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
