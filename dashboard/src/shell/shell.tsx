import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { t } from '../languages/translate.ts';
import { useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { Logo } from '../shared/logo.tsx';
import { Page, PlaceContext } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useRights } from '../users/rights.ts';
import { ViewBanner } from '../users/view-banner.tsx';
import { AccountMenu } from './account-menu.tsx';
import { guideOf } from './guide-of.ts';
import { isInArea, mayOpen, navigationOf, placeOf } from './navigation.ts';
import { PlaceNav } from './place-nav.tsx';
import { QueueNotice } from './queue-notice.tsx';

// Loaded when it is opened first.
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** The frame of every page: navigation, search, account, color scheme. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const [paletteCount, setPaletteCount] = useState(0);
  const openPalette = () => setPaletteCount((count) => count + 1);
  useHotkeys([['/', openPalette]]);
  // In a rich text it is the key of links.
  const search = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    openPalette();
  };
  useHotkeys([['mod+K', search, { preventDefault: false }]], [], true);
  const { account, user } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const rights = useRights();
  const places = navigationOf(account, user.isOperator);
  const place = placeOf(places, path);
  // The page that is shown, which is still the previous one while the next one loads.
  const shownPath = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname }) ?? path;
  const isAllowed = isInArea(shownPath, account.area) && mayOpen(shownPath, rights);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on phones, navigating closes the menu
  useEffect(close, [path]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !opened } }}
    >
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <AppShell.Header hiddenFrom="sm" withBorder>
        <Group h="100%" px="md" justify="space-between">
          <Logo />
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('Navigation')} aria-expanded={opened} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar" p="sm" withBorder={false}>
        <Group justify="space-between" pb="xs" wrap="nowrap" gap={4}>
          <AccountMenu />
          <Burger opened={opened} onClick={toggle} size="sm" hiddenFrom="sm" aria-label={t('Close navigation')} />
        </Group>
        <SearchButton onClick={openPalette} />
        <AppShell.Section grow component={ScrollArea} mt="sm">
          <PlaceNav places={places} path={path} />
        </AppShell.Section>
        <AppShell.Section pt="sm">
          <Group justify="space-between" gap={0} wrap="nowrap">
            <Button
              component="a"
              href={`/guide/${guideOf(path)}`}
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<Icon name="book" size={16} />}
            >
              {t('Guide')}
            </Button>
            <Button
              component="a"
              href="/docs"
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<Icon name="code" size={16} />}
            >
              {t('API')}
            </Button>
            <ColorSchemeButton />
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" className="app-main" tabIndex={-1}>
        <ViewBanner />
        <QueueNotice />
        {isAllowed ? (
          <PlaceContext value={place}>
            <Outlet />
          </PlaceContext>
        ) : (
          <Page title={t('No access')}>
            <EmptyState icon="shield" title={t('Your role does not allow this')}>
              {t('An owner of {name} can change your access under Settings › Members.', { name: account.name })}
            </EmptyState>
          </Page>
        )}
      </AppShell.Main>
      <Suspense>{paletteCount > 0 && <CommandPalette openCount={paletteCount} />}</Suspense>
    </AppShell>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className="surface" px={10} py={7} onClick={onClick} style={{ borderRadius: 8 }}>
      <Group gap={8} wrap="nowrap">
        <Icon name="search" size={16} />
        <Text size="sm" c="dimmed" flex={1}>
          {t('Search')}
        </Text>
        <span className="key-hint">{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : t('Ctrl')} K</span>
      </Group>
    </UnstyledButton>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const label = other === 'dark' ? t('Use dark colors') : t('Use light colors');
  return (
    <Tooltip label={label}>
      <ActionIcon onClick={() => setColorScheme(other)} aria-label={label}>
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
      </ActionIcon>
    </Tooltip>
  );
}
