import type { Lead } from '@headwater/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ListFilters } from '../shared/list-filters.tsx';
import type { ListState } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { timesOfDays } from '../shared/wall-time.ts';
import { sourceOf } from './source.tsx';

const COLUMNS: Column<Lead>[] = [
  { id: 'email', label: 'Email', cell: ({ email }) => email },
  { id: 'firstTouch', label: 'First touch', cell: (lead) => (lead.firstSessionId === null ? '' : sourceOf(lead)) },
  { id: 'country', label: 'Country', cell: ({ country }) => country },
  timeColumn('firstSeen', 'First seen', ({ firstSeenAt }) => firstSeenAt),
  timeColumn('lastSeen', 'Last seen', ({ lastSeenAt }) => lastSeenAt),
];

/** Leads, newest first. */
export function LeadsPage() {
  const [state, set] = useSearchState<ListState>();
  const { q } = state;
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['leads', state],
      (pageToken, signal) => headwater.listLeads({ q, ...timesOfDays(state), pageToken }, { signal }),
      ({ leads }) => leads,
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <Page wide title="Leads" description="Visitors who shared their email, with the source of their first visit.">
      <ListFilters
        label="Search leads"
        placeholder="Email, or its beginning"
        filters={[]}
        state={state}
        onChange={set}
      />
      <DataTable
        label="Leads"
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/leads/${id}`}
        empty={
          Object.keys(state).length === 0 ? (
            <EmptyState icon="users" title="No leads yet">
              Record an event with an <code>email</code> property to create a lead:{' '}
              <code>headwater.track('signup', {'{ email }'})</code>
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No leads found">
              Search matches the beginning of an email; the date range is when a lead was first seen.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
