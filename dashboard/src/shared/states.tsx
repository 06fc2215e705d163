import { Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { errorMessage } from './error-messages.ts';
import { Icon, type IconName } from './icons.tsx';

/** An empty list: what belongs here, and what to do. */
export function EmptyState({
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

/** A failed request: what went wrong, and a button to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail } = errorMessage(error);
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={title}
        action={
          onRetry && (
            <Button variant="default" onClick={onRetry}>
              {t('Try again')}
            </Button>
          )
        }
      >
        {detail}
      </EmptyState>
    </div>
  );
}

/** Skeleton rows, as high as those of a table, so that the page does not jump when they are there. */
export function LoadingState({ rows = 6, label = t('Loading') }: { rows?: number; label?: string }) {
  return (
    <Stack gap={19} p="md" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are empty
        <Skeleton key={row} height={22} radius="sm" width={`${100 - ((row * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'error'> & { refetch: () => unknown };
  rows?: number;
  label?: string;
  children: (data: T) => ReactNode;
}

/** Renders the data of a query, or its loading or error state. */
export function Loaded<T>({ query, rows, label, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return <LoadingState rows={rows} label={label} />;
}
