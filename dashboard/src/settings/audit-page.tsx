import type { AuditChange } from '@headwater/sdk';
import { SimpleGrid, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { actionLabel, memberLabel } from './audit-labels.ts';

const ACTORS = { user: 'A member', key: 'An API key', command: 'Command line' };

const COLUMNS: Column<AuditChange>[] = [
  timeColumn('time', 'Time', ({ at }) => at),
  {
    id: 'actor',
    label: 'Actor',
    cell: ({ actor }) => actor.name ?? ACTORS[actor.type],
    note: ({ address }) => address,
  },
  {
    id: 'action',
    label: 'Action',
    cell: ({ action }) => actionLabel(action),
    note: ({ subject }) => <span className="code">{subject.id}</span>,
  },
];

export function AuditPage() {
  const query = useInfiniteQuery(
    pagedQuery(
      ['audit'],
      (pageToken, signal) => headwater.listChanges({ pageToken }, { signal }),
      ({ changes }) => changes,
    ),
  );
  return (
    <Page wide title="Audit log" description="Who changed what, and when.">
      <DataTable
        label="Audit log"
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        details={(change) => (change.before || change.after) && <Changes change={change} />}
        empty={
          <EmptyState icon="clock" title="No changes yet">
            Changes to content, files, keys, members and settings appear here, as do conversions and exports that
            members start in the dashboard.
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The members that changed, each with its old and its new value. */
function Changes({ change }: { change: AuditChange }) {
  const before = change.before ?? {};
  const after = change.after ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      {names.map((name) => (
        <Fragment key={name}>
          <Text size="sm" c="dimmed">
            {memberLabel(name)}
          </Text>
          <div>
            {name in before && (
              <Text size="sm" td="line-through" c="dimmed">
                {textOf(before[name])}
              </Text>
            )}
            {name in after && <Text size="sm">{textOf(after[name])}</Text>}
          </div>
        </Fragment>
      ))}
    </SimpleGrid>
  );
}

/** A value of any shape as text, without JSON syntax. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.map(textOf).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${textOf(each)}`)
    .join('; ');
}
