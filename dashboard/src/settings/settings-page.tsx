import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { navigationOf } from '../shell/navigation.ts';

const NOTES: Record<string, string> = {
  '/settings/general': t('Name, time zone, currency, exchange rates'),
  '/settings/members': t('People and invitations'),
  '/settings/roles': t('What members and keys may do'),
  '/settings/single-sign-on': t('Sign in with the accounts of your company'),
  '/settings/audit': t('Who changed what, and when'),
  '/settings/locales': t('Languages of your content, and their fallbacks'),
  '/exports': t('Data as CSV, Parquet or NDJSON'),
  '/settings/installation': t('Snippet, first event, conversions, postback URL'),
  '/settings/tracking': t('Allowed domains, excluded IPs, retention'),
  '/settings/keys': t('Publishable keys, secret tokens, postback keys'),
  '/settings/plans': t('What agents propose to change'),
  '/webhooks': t('Endpoints that receive what happens here'),
  '/settings/rejected-requests': t('What the API refused, and why'),
  '/settings/backups': t('Backups of the service'),
  '/settings/cells': t('Databases, and the accounts in them'),
};

const PROFILE = { to: '/settings/profile', label: t('Your profile'), group: t('Account') };
const PROFILE_NOTE = t('Password, two-factor authentication, passkeys, sessions, email, language');

/** All settings on one page, by group. */
export function SettingsPage() {
  const { account, user } = useSession();
  const [text, setText] = useState('');
  const items = navigationOf(account, user.isOperator).find(({ to }) => to === '/settings')?.items ?? [];
  const all = [
    ...items.map(({ to, label, group = '', keywords }) => ({ to, label, group, note: NOTES[to] ?? '', keywords })),
    { ...PROFILE, note: PROFILE_NOTE, keywords: ['mfa', t('sign in')] },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ label, note, keywords }) => {
    const searched = [label, note, ...keywords].join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  const groups = [...new Set(found.map(({ group }) => group))].map(
    (name) => [name, found.filter(({ group }) => group === name)] as const,
  );
  return (
    <Page wide title={t('Settings')}>
      <TextInput
        type="search"
        aria-label={t('Search settings')}
        placeholder={t('Search settings')}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={420}
      />
      {groups.length === 0 && (
        <EmptyState icon="search" title={t('No matching setting')}>
          {t('Try another word.')}
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {groups.map(([group, settings]) => (
          <Card key={group} title={group}>
            <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {settings.map(({ to, label, note }) => (
                <li key={to}>
                  <TextLink to={to}>{label}</TextLink>
                  <Text size="sm" c="dimmed">
                    {note}
                  </Text>
                </li>
              ))}
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  );
}
