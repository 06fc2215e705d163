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
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { endSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { CommandPalette, openPalette } from './command-palette.tsx';
import { DESTINATIONS, type Destination } from './destinations.ts';
import { Logo } from './logo.tsx';

/** What stands around every page: navigation, search, colours. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
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
        <Group justify="space-between" px={6} pt={6} pb="md" wrap="nowrap">
          <Logo />
          <Burger opened={opened} onClick={toggle} size="sm" hiddenFrom="sm" aria-label="Close navigation" />
        </Group>
        <SearchButton />
        <AppShell.Section grow component={ScrollArea} mt="sm">
          <nav aria-label="Main">
            {DESTINATIONS.main.map((each) => (
              <Item key={each.to} path={path} {...each} />
            ))}
            <Text size="xs" fw={600} c="dimmed" px={10} pt="lg" pb={6}>
              Settings
            </Text>
            {DESTINATIONS.settings.map((each) => (
              <Item key={each.to} path={path} {...each} />
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
            <Group gap={2}>
              <ColorSchemeButton />
              <Tooltip label="Sign out">
                <ActionIcon onClick={endSession} aria-label="Sign out">
                  <Icon name="out" />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" className="app-main" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <CommandPalette />
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

function SearchButton() {
  return (
    <UnstyledButton className="surface" px={10} py={7} onClick={openPalette} style={{ borderRadius: 8 }}>
      <Group gap={8} wrap="nowrap">
        <Icon name="search" size={16} />
        <Text size="sm" c="dimmed" flex={1}>
          Search or jump to
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
