import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { AccountMenu } from './account-menu.tsx';
import { guideOf } from './guide-of.ts';
import { Logo } from './logo.tsx';
import { isInArea, type NavigationItem, navigationOf, roleFor } from './navigation.ts';

// Loaded when it is opened first.
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** The frame of every page: navigation, search, account, color scheme. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const [paletteCount, setPaletteCount] = useState(0);
  const openPalette = () => setPaletteCount((count) => count + 1);
  useHotkeys([
    ['mod+K', openPalette],
    ['/', openPalette],
  ]);
  const { account, user } = useSession();
  const groups = navigationOf(account, user.isOperator);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The page that is shown, which is still the previous one while the next one loads.
  const shownPath = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname }) ?? path;
  const requiredRole = roleFor(shownPath);
  const isAllowed =
    isInArea(shownPath, account.area) &&
    (requiredRole === undefined || account.role === 'owner' || account.role === requiredRole);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on phones, navigating closes the menu
  useEffect(close, [path]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !opened } }}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm" withBorder>
        <Group h="100%" px="md" justify="space-between">
          <Logo />
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Navigation" aria-expanded={opened} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar" p="sm" withBorder={false}>
        <Group justify="space-between" pb="xs" wrap="nowrap" gap={4}>
          <AccountMenu />
          <Burger opened={opened} onClick={toggle} size="sm" hiddenFrom="sm" aria-label="Close navigation" />
        </Group>
        <SearchButton onClick={openPalette} />
        <AppShell.Section grow component={ScrollArea} mt="sm">
          <nav aria-label="Main">
            {groups.map(({ label, items }) => (
              <Fragment key={label ?? ''}>
                {label && (
                  <Text size="xs" fw={600} c="dimmed" px={10} pt="lg" pb={6}>
                    {label}
                  </Text>
                )}
                {items.map((each) => (
                  <Item key={each.to} path={path} {...each} />
                ))}
              </Fragment>
            ))}
          </nav>
        </AppShell.Section>
        <AppShell.Section pt="sm">
          <Group justify="space-between" px={4} gap={4}>
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
              Guide
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
              API
            </Button>
            <ColorSchemeButton />
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" className="app-main" tabIndex={-1}>
        {isAllowed ? (
          <Outlet />
        ) : shownPath === '/overview' ? (
          <Navigate to="/content" replace />
        ) : (
          <Page title={deniedTitle(account.area, requiredRole)}>
            <EmptyState icon="shield" title="Your role does not allow this">
              An owner of {account.name} can change your access under Settings › Members.
            </EmptyState>
          </Page>
        )}
      </AppShell.Main>
      <Suspense>{paletteCount > 0 && <CommandPalette openCount={paletteCount} />}</Suspense>
    </AppShell>
  );
}

function deniedTitle(area: 'content' | 'analytics' | null, requiredRole: 'owner' | 'editor' | undefined): string {
  if (area !== null) return 'No access';
  return requiredRole === 'owner' ? 'Owners only' : 'Owners and editors only';
}

function Item({ path, to, label, icon }: NavigationItem & { path: string }) {
  const isActive = path === to || path.startsWith(`${to}/`);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <NavLink
      component={Link}
      ref={link}
      to={to}
      label={label}
      leftSection={<Icon name={icon} />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      variant="light"
      mb={2}
      style={{ borderRadius: 8 }}
    />
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className="surface" px={10} py={7} onClick={onClick} style={{ borderRadius: 8 }}>
      <Group gap={8} wrap="nowrap">
        <Icon name="search" size={16} />
        <Text size="sm" c="dimmed" flex={1}>
          Search
        </Text>
        <span className="key-hint">{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'} K</span>
      </Group>
    </UnstyledButton>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Use ${other} colors`}>
      <ActionIcon onClick={() => setColorScheme(other)} aria-label={`Use ${other} colors`}>
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
      </ActionIcon>
    </Tooltip>
  );
}
