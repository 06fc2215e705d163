import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isValidElement, type ReactElement, type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** The parent page, linked above the title. */
  back?: { to: string; label: string } | ReactElement;
  actions?: ReactNode;
  /** As wide as the window: for tables. */
  wide?: boolean;
  children: ReactNode;
}

/** A page of the dashboard: title, description, actions and content. */
export function Page({ title, description, back, actions, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Headwater`;
  }, [title]);
  return (
    <Box maw={wide ? 1600 : 960} mx="auto" px={{ base: 'md', sm: 'xl' }} py={{ base: 'md', sm: 'xl' }}>
      <Stack gap="lg">
        <Stack gap={4}>
          {isValidElement(back)
            ? back
            : back && (
                <Anchor component={Link} to={back.to} size="sm" c="dimmed">
                  {back.label}
                </Anchor>
              )}
          <Group justify="space-between" align="flex-end" gap="sm">
            <div>
              <Title order={1} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              {description && (
                <Text c="dimmed" size="sm" mt={2} component="div">
                  {description}
                </Text>
              )}
            </div>
            {actions && <Group gap="xs">{actions}</Group>}
          </Group>
        </Stack>
        {children}
      </Stack>
    </Box>
  );
}
