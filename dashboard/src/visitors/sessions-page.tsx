import type { Session } from '@headwater/sdk';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ClickIdName } from '../../../server/src/shared/click-ids.ts';
import { t } from '../languages/translate.ts';
import { type ListFilter, ListFilters } from '../reports/list-filters.tsx';
import { formatAmount } from '../reports/metrics.ts';
import { filterParams, type OverviewState, spanOf } from '../reports/overview-state.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatDuration } from '../shared/formats.ts';
import type { ListState } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { TotalLine } from '../shared/total-line.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { timesOfRange } from '../shared/wall-time.ts';
import { useSessionVisits } from './row-numbers.ts';
import { ClickBadges, pageOf, sourceOf } from './source.tsx';

const FILTERS: ListFilter[] = ['source', 'medium', 'campaign', 'platform', 'country', 'device'];

/** Columns that a report sorts, because no index has their order. */
const RANKED = { isNumber: true, isSortable: true, isLargestFirst: true } as const;

type VisitsOf = (session: Session) => { pages: string; duration: string } | undefined;

const columnsWith = (visitsOf: VisitsOf): Column<Session>[] => [
  { ...timeColumn<Session>('startedAt', t('Started'), ({ startedAt }) => startedAt), isSortable: true },
  { id: 'source', label: t('Source'), title: sourceOf, cell: sourceOf },
  {
    id: 'landingPage',
    label: t('Landing page'),
    title: ({ landingUrl }) => landingUrl,
    cell: ({ landingUrl }) => pageOf(landingUrl),
  },
  { id: 'pages', label: t('Pages'), ...RANKED, cell: (session) => visitsOf(session)?.pages },
  { id: 'duration', label: t('Duration'), ...RANKED, cell: (session) => visitsOf(session)?.duration },
  { id: 'adClick', label: t('Ad click'), cell: ({ clickIds }) => <ClickBadges clickIds={clickIds} /> },
  {
    id: 'visitor',
    label: t('Visitor'),
    cell: ({ lead, shortHash }) =>
      lead ? <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink> : <span className="code">{shortHash}</span>,
    note: ({ device, browser, country }) => [device, browser, country].filter(Boolean).join(' · '),
  },
];

/** Sessions, newest first unless sorted otherwise. */
export function SessionsPage() {
  const [state, set] = useSearchState<ListState>();
  const { q, sort } = state;
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['tracked-sessions', state],
      (pageToken, signal) => listSessions(state, pageToken, signal),
      ({ sessions }) => sessions,
    ),
    placeholderData: keepPreviousData,
  });
  const visits = useSessionVisits(query.data ?? []);
  const totals = useTotals(state);
  return (
    <Page
      wide
      title={t('Sessions')}
      description={t('Every session on your pages, from its source to its conversions.')}
    >
      <ListFilters
        label={t('Search sessions')}
        placeholder={t('Hash, session ID, click ID, visitor ID, email …')}
        filters={FILTERS}
        state={state}
        onChange={set}
      />
      <TotalLine parts={totals} />
      <DataTable
        label={t('Sessions')}
        query={query}
        columns={columnsWith(({ id }) => visits.get(id))}
        {...(q === undefined && {
          sort: { value: sort, byDefault: 'startedAt:desc', onChange: (next) => set({ sort: next }) },
        })}
        minWidth={820}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/sessions/${id}`}
        empty={
          Object.keys(state).length > 0 ? (
            <EmptyState icon="search" title={t('No sessions found')}>
              {t('Search by session hash, short hash, session ID, visitor ID, click ID or complete email.')}
            </EmptyState>
          ) : (
            <EmptyState icon="overview" title={t('No sessions yet')}>
              {t('Sessions appear as soon as visitors open a page with the script.')}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

/** Search results have the default order. */
function listSessions({ sort, ...state }: ListState, pageToken: string | undefined, signal: AbortSignal) {
  const { platform, from: _, to: __, ...filters } = state;
  if (state.q === undefined && (sort?.startsWith('pages') || sort?.startsWith('duration'))) {
    const { range, filters: reported } = reportOf(state);
    const query = { ...range, ...filterParams(reported), sort: sort as 'pages:desc', pageToken };
    return headwater.listRankedSessions(query, { signal });
  }
  return headwater.listTrackedSessions(
    {
      ...{ ...filters, ...timesOfRange(state), platform: platform as ClickIdName | undefined, pageToken },
      ...(sort === 'startedAt:asc' && { sort }),
    },
    { signal },
  );
}

/** The period and filters of a list, as a report has them. */
function reportOf({ q: _, sort: __, from, to, ...filters }: ListState) {
  const { interval: ___, compare: ____, ...range } = spanOf(from && to ? { from, to } : { period: 'all' });
  return { range, filters: filters as OverviewState['filters'] };
}

/** The numbers of all sessions of the list; undefined for the results of a search. */
function useTotals(state: ListState): string[] | undefined {
  const { q, sort: _, ...listed } = state;
  const { range, filters } = reportOf(listed);
  const { data } = useQuery({
    queryKey: ['tracked-sessions', 'totals', listed, range.to],
    enabled: q === undefined,
    queryFn: async ({ signal }) => {
      const { current } = await headwater.getOverview(
        { ...range, interval: 'month', compare: 'none', ...filterParams(filters) },
        { signal },
      );
      return current;
    },
    placeholderData: keepPreviousData,
  });
  if (!data || q !== undefined) return undefined;
  return [
    t('{count, plural, one {# session} other {# sessions}}', { count: data.sessions }),
    ...(data.visitsPerSession === null
      ? []
      : [
          t('{visitsPerSession} pages on average', {
            visitsPerSession: formatAmount(data.visitsPerSession, 'visitsPerSession', null),
          }),
        ]),
    ...(data.sessionDuration === null
      ? []
      : [t('{sessionDuration} on average', { sessionDuration: formatDuration(data.sessionDuration) })]),
  ];
}
