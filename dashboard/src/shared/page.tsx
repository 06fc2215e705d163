import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, Suspense, useContext, useEffect } from 'react';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';
import { LoadingState } from './states.tsx';

/** The place of the navigation that the page belongs to, with which its breadcrumb starts. */
export const PlaceContext = createContext<{ to: string; label: string } | undefined>(undefined);

const WIDTHS = { form: 960, editor: 1144, wide: 1600 };

interface PageProps {
  title: string;
  description?: ReactNode;
  /** The parent page, linked above the title. */
  back?: { to: string; label: string };
  /** Beside the title. */
  state?: ReactNode;
  /** At most two, the primary one last; others are in its menu. */
  actions?: ReactNode;
  /** As wide as the window: for tables. */
  wide?: boolean;
  /** `editor`: of values and a column beside them. */
  size?: keyof typeof WIDTHS;
  children: ReactNode;
}

/** A page of the dashboard: breadcrumb, title, state, description, actions and content. */
export function Page({
  title,
  description,
  back,
  state,
  actions,
  wide = false,
  size = wide ? 'wide' : 'form',
  children,
}: PageProps) {
  const place = useContext(PlaceContext);
  const parents = [place, back].filter(
    (each, i, all) =>
      each !== undefined && each.label !== title && all.findIndex((other) => other?.label === each.label) === i,
  ) as { to: string; label: string }[];
  useEffect(() => {
    document.title = `${title} · Headwater`;
  }, [title]);
  return (
    <Box maw={WIDTHS[size]} mx="auto" px={{ base: 'md', sm: 'xl' }} py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <Stack gap={4}>
          {parents.length > 0 && (
            <Group component="nav" aria-label={t('Breadcrumb')} gap={6}>
              {parents.map(({ to, label }, i) => (
                <Group key={to} gap={6}>
                  {i > 0 && <Icon name="right" size={12} color="var(--mantine-color-dimmed)" />}
                  <Anchor component={Link} to={to} size="sm" c="dimmed">
                    {label}
                  </Anchor>
                </Group>
              ))}
            </Group>
          )}
          <Group justify="space-between" align="flex-end" gap="sm">
            <div>
              <Group gap="sm">
                <Title order={1} style={{ overflowWrap: 'anywhere' }}>
                  {title}
                </Title>
                {state}
              </Group>
              {description && (
                <Text c="dimmed" size="sm" mt={2} component="div">
                  {description}
                </Text>
              )}
            </div>
            {actions && <Group gap="xs">{actions}</Group>}
          </Group>
        </Stack>
        {/* What is loaded later must not take the title away. */}
        <Suspense fallback={<LoadingState />}>{children}</Suspense>
      </Stack>
    </Box>
  );
}
