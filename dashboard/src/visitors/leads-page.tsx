import type { Lead } from '@headwater/sdk';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { ListFilters } from '../reports/list-filters.tsx';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import type { ListState } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { TotalLine } from '../shared/total-line.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { timesOfRange } from '../shared/wall-time.ts';
import { useLeadValues } from './row-numbers.ts';
import { sourceOf } from './source.tsx';

type AmountOf = (lead: Lead) => string | undefined;
type Sort = 'firstSeenAt:desc';

const columnsWith = (amountOf: AmountOf): Column<Lead>[] => [
  { id: 'email', label: t('Email'), cell: ({ email }) => email, note: ({ name }) => name, isSortable: true },
  { id: 'firstTouch', label: t('First touch'), cell: (lead) => (lead.firstSessionId === null ? '' : sourceOf(lead)) },
  { id: 'country', label: t('Country'), cell: ({ country }) => country },
  { id: 'value', label: t('Lifetime value'), isNumber: true, cell: amountOf },
  { ...timeColumn<Lead>('firstSeenAt', t('First seen'), ({ firstSeenAt }) => firstSeenAt), isSortable: true },
  timeColumn('lastSeen', t('Last seen'), ({ lastSeenAt }) => lastSeenAt),
];

/** Leads, newest first. */
export function LeadsPage() {
  const [state, set] = useSearchState<ListState>();
  const { q, sort = 'firstSeenAt:desc' } = state;
  // Parts of emails and names are listed newest first.
  const isSortable = q === undefined;
  const filters = { q, ...timesOfRange(state) };
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['leads', state],
      (pageToken, signal) => headwater.listLeads({ ...filters, sort: sort as Sort, pageToken }, { signal }),
      ({ leads }) => leads,
    ),
    placeholderData: keepPreviousData,
  });
  const totals = useQuery({
    queryKey: ['leads', 'totals', filters],
    queryFn: async ({ signal }) =>
      (await headwater.listLeads({ ...filters, totals: true, pageSize: 1 }, { signal })).totals,
    placeholderData: keepPreviousData,
  }).data;
  const values = useLeadValues(query.data ?? []);
  return (
    <Page
      wide
      title={t('Leads')}
      description={t('Visitors who shared their email, with the source of their first visit.')}
    >
      <ListFilters
        label={t('Search leads')}
        placeholder={t('Part of an email or name')}
        filters={[]}
        state={state}
        onChange={set}
      />
      <TotalLine parts={totals && [t('{count, plural, one {# lead} other {# leads}}', { count: totals.leads })]} />
      <DataTable
        label={t('Leads')}
        query={query}
        columns={columnsWith(({ id }) => values.get(id))}
        {...(isSortable && {
          sort: { value: state.sort, byDefault: 'firstSeenAt:desc', onChange: (next) => set({ sort: next }) },
        })}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/leads/${id}`}
        empty={
          Object.keys(state).length === 0 ? (
            <EmptyState icon="users" title={t('No leads yet')}>
              {rich(
                "Record an event with an <code>email</code> property to create a lead: <code>headwater.track('signup', '{' email '}')</code>",
                { code: (text) => <code>{text}</code> },
              )}
            </EmptyState>
          ) : (
            <EmptyState icon="search" title={t('No leads found')}>
              {t('Search matches any part of an email or name; the date range is when a lead was first seen.')}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
