import type { AuditChange } from '@headwater/sdk';
import { Button, Group, Select, SimpleGrid, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { writeCsvRow } from '../conversions/csv.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { downloadText } from '../shared/download-text.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { timesOfRange } from '../shared/wall-time.ts';
import { actionLabel, LABELS, memberLabel } from './audit-labels.ts';

const ACTORS = { user: t('A member'), key: t('An API key'), command: t('Command line') };

const COLUMNS: Column<AuditChange>[] = [
  timeColumn('time', t('Time'), ({ at }) => at),
  {
    id: 'actor',
    label: t('Actor'),
    cell: ({ actor }) => actor.name ?? ACTORS[actor.type],
    note: ({ address }) => address,
  },
  {
    id: 'action',
    label: t('Action'),
    cell: ({ action }) => actionLabel(action),
    note: ({ subject }) => <span className="code">{subject.id}</span>,
  },
];

interface AuditState {
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

const filterOf = ({ actor, action, ...days }: AuditState) => ({
  ...(actor && { actorId: actor }),
  ...(action && { action }),
  ...timesOfRange(days),
});

export function AuditPage() {
  const [state, set] = useSearchState<AuditState>();
  const query = useInfiniteQuery(
    pagedQuery(
      ['audit', state],
      (pageToken, signal) => headwater.listChanges({ ...filterOf(state), pageToken }, { signal }),
      ({ changes }) => changes,
    ),
  );
  const download = useMutation({ mutationFn: () => downloadChanges(filterOf(state)) });
  const isFiltered = Object.keys(state).length > 0;
  return (
    <Page
      wide
      title={t('Audit log')}
      description={t('Who changed what, and when.')}
      actions={
        <IconButton icon="exports" variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {t('Download CSV')}
        </IconButton>
      }
    >
      <Group gap="sm">
        <Select
          aria-label={t('Actor')}
          placeholder={t('Anyone')}
          data={useActors()}
          value={state.actor ?? null}
          onChange={(actor) => set({ actor: actor ?? undefined })}
          searchable
          clearable
        />
        <Select
          aria-label={t('Action')}
          placeholder={t('Any action')}
          data={ACTIONS}
          value={state.action ?? null}
          onChange={(action) => set({ action: action ?? undefined })}
          searchable
          clearable
          w={260}
        />
        <DateRangeButton from={state.from} to={state.to} label={t('All time')} onChange={set} />
        {isFiltered && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => set({ actor: undefined, action: undefined, from: undefined, to: undefined })}
          >
            {t('Clear filters')}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('Audit log')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        details={(change) => (change.before || change.after) && <Changes change={change} />}
        empty={
          <EmptyState icon="clock" title={isFiltered ? t('No matching changes') : t('No changes yet')}>
            {isFiltered
              ? t('Remove a filter or choose another period.')
              : t(
                  'Changes to content, files, keys, members and settings appear here, as do conversions and exports that members start in the dashboard.',
                )}
          </EmptyState>
        }
      />
    </Page>
  );
}

const ACTIONS = Object.entries(LABELS)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));

/** The members and keys of the account. */
function useActors(): { group: string; items: { value: string; label: string }[] }[] {
  const { data: members = [] } = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => headwater.listMembers({}, { signal }).all(),
  });
  const { data: keys = [] } = useQuery({
    queryKey: ['audit', 'keys'],
    queryFn: ({ signal }) => headwater.listKeys({}, { signal }).all(),
  });
  return [
    {
      group: t('Members'),
      items: members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
    },
    { group: t('API keys'), items: keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (…${hint})` })) },
  ].filter(({ items }) => items.length > 0);
}

/** All changes of a filter as CSV. */
async function downloadChanges(filter: ReturnType<typeof filterOf>): Promise<void> {
  const changes = await headwater.listChanges({ ...filter, pageSize: 100 }).all();
  const header = ['time', 'actor', 'actorId', 'action', 'subjectType', 'subjectId', 'address', 'before', 'after'];
  const lines = changes.map(({ at, actor, action, subject, address, before, after }) => [
    at,
    actor.name ?? ACTORS[actor.type],
    actor.id ?? '',
    action,
    subject.type,
    subject.id,
    address ?? '',
    before ? JSON.stringify(before) : '',
    after ? JSON.stringify(after) : '',
  ]);
  downloadText('audit-log.csv', 'text/csv', [header, ...lines].map(writeCsvRow).join(''));
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
