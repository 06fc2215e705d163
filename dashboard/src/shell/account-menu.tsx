import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { deleteDrafts } from '../shared/drafts.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { ROLES } from '../users/roles.ts';

const NewAccountDialog = lazy(() => import('./new-account-dialog.tsx'));

/** The current account, the user's other accounts, profile and sign-out. */
export function AccountMenu() {
  const { user, account, accounts } = useSession();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const signOut = useMutation({
    mutationFn: () => headwater.signOut(),
    // A reload drops all cached data.
    onSuccess: () => {
      deleteDrafts();
      window.location.assign('/');
    },
  });
  return (
    <>
      <Menu width={232} position="bottom-start" withinPortal>
        <Menu.Target>
          <UnstyledButton p={6} style={{ borderRadius: 8, minWidth: 0, flex: 1 }}>
            <Group gap={10} wrap="nowrap">
              <VisuallyHidden>{t('Account')}</VisuallyHidden>
              <Avatar color="water" variant="filled" radius={8} size={32} name={account.name} aria-hidden />
              <div style={{ minWidth: 0, flex: 1 }}>
                <Text size="sm" fw={600} truncate>
                  {account.name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {user.name}
                </Text>
              </div>
              <Icon name="switcher" size={16} />
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {accounts.length > 1 && <Menu.Label>{t('Accounts')}</Menu.Label>}
          {accounts.length > 1 &&
            accounts.map(({ id, name, role, customRole }) => (
              <Menu.Item
                key={id}
                leftSection={
                  <Icon name="check" size={16} style={{ visibility: id === account.id ? 'visible' : 'hidden' }} />
                }
                component="a"
                href={`/${id}/home`}
              >
                <Text size="sm">{name}</Text>
                <Text size="xs" c="dimmed">
                  {customRole?.name ?? ROLES[role].label}
                </Text>
              </Menu.Item>
            ))}
          {accounts.some(({ role }) => role === 'owner') && (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => setIsCreating(true)}>
              {t('New account')}
            </Menu.Item>
          )}
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item leftSection={<Icon name="user" size={16} />} onClick={() => navigate({ to: '/settings/profile' })}>
            {t('Your profile')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="out" size={16} />} onClick={() => signOut.mutate()}>
            {t('Sign out')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>{isCreating && <NewAccountDialog onClose={() => setIsCreating(false)} />}</Suspense>
    </>
  );
}
