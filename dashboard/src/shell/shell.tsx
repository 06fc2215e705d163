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
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';
import { AccountMenu } from './account-menu.tsx';
import { type Destination, destinationsOf, roleFor } from './destinations.ts';
import { Logo } from './logo.tsx';

// Loaded when it is first asked for.
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** What stands around every page: navigation, search, colours. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const [asked, setAsked] = useState(0);
  const openPalette = () => setAsked((times) => times + 1);
  useHotkeys([
    ['mod+K', openPalette],
    ['/', openPalette],
  ]);
  const { account } = useSession();
  const groups = destinationsOf(account.role);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const needed = roleFor(path);
  const isAllowed = needed === undefined || account.role === 'owner' || account.role === needed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a phone's navigation closes with each page
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
          <Group justify="space-between" px={4}>
            <Button
              component="a"
              href="/docs"
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<Icon name="book" size={16} />}
            >
              API reference
            </Button>
            <ColorSchemeButton />
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" className="app-main" tabIndex={-1}>
        {isAllowed ? (
          <Outlet />
        ) : (
          <Page title={needed === 'owner' ? 'For owners' : 'For owners and editors'}>
            <Empty icon="shield" title={`You may look at ${account.name}`}>
              An owner of it can give you another role, under Members.
            </Empty>
          </Page>
        )}
      </AppShell.Main>
      <Suspense>{asked > 0 && <CommandPalette asked={asked} />}</Suspense>
    </AppShell>
  );
}

function Item({ path, to, label, icon }: Destination & { path: string }) {
  const isActive = path === to || path.startsWith(`${to}/`);
  return (
    <NavLink
      component={Link}
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
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon onClick={() => setColorScheme(other)} aria-label={`Use ${other} colours`}>
        <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
      </ActionIcon>
    </Tooltip>
  );
}
