import { Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { messageOf } from './messages.ts';

/** Nothing here yet: what would be here, and what to do to have it. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="xs" maw={440}>
        <Icon name={icon} size={44} className="empty-art" strokeWidth={1.2} />
        <Title order={2} size="h3" ta="center">
          {title}
        </Title>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
        {action && <Group mt="sm">{action}</Group>}
      </Stack>
    </Center>
  );
}

/** It could not be loaded: why, and a button to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail } = messageOf(error);
  return (
    <div role="alert">
      <Empty
        icon="warning"
        title={title}
        action={
          onRetry && (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {detail}
      </Empty>
    </div>
  );
}

/** Rows in the place of those that are being loaded. */
export function Loading({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <Stack gap="sm" p="md" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without anything in them
        <Skeleton key={row} height={22} radius="sm" width={`${100 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

/** What a query stands for once it is there; until then that it loads, or that it failed. */
export function Loaded<T>({
  query,
  children,
  rows,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  rows?: number;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure error={query.error} onRetry={() => query.refetch()} />;
  return <Loading rows={rows} />;
}
