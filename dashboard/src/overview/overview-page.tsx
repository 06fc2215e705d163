import type { Overview } from '@headwater/sdk';
import { Anchor, Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { t } from '../languages/translate.ts';
import { filterText } from '../reports/dimension-labels.ts';
import {
  type Dimension,
  type Filter,
  filterParams,
  filtersOf,
  type OverviewState,
  rangeOf,
  spanOf,
  withFilter,
} from '../reports/overview-state.ts';
import { PeriodControls } from '../reports/period-controls.tsx';
import { headwater } from '../service/session.ts';
import { FilterButton } from '../shared/filter-button.tsx';
import { FilterChip } from '../shared/filter-chip.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { lazy } from '../shared/lazy.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded, LoadingState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { reportViews } from '../shared/view-store.ts';
import { sharedOverview } from '../sharing/shared-period.ts';
import { useMayWrite } from '../users/rights.ts';
import { Breakdowns } from './breakdowns.tsx';
import { liveQuery } from './live-query.ts';
import { Numbers } from './numbers.tsx';

const FilterPicker = lazy(async () => ({ default: (await import('../reports/filter-picker.tsx')).FilterPicker }));
const SavedViews = lazy(async () => ({ default: (await import('../shared/saved-views.tsx')).SavedViews }));
const ShareButton = lazy(async () => ({ default: (await import('../sharing/share-button.tsx')).ShareButton }));
const HiddenVisit = lazy(async () => ({ default: (await import('../onboarding/hidden-visit.tsx')).HiddenVisit }));
// Cards below the fold load after the rest.
const AttributionCard = lazy(async () => ({ default: (await import('./attribution-card.tsx')).AttributionCard }));
const AdSpendCard = lazy(async () => ({ default: (await import('./ad-spend-card.tsx')).AdSpendCard }));
const EventPropertiesCard = lazy(async () => ({
  default: (await import('./event-properties-card.tsx')).EventPropertiesCard,
}));
const UnmatchedSummary = lazy(async () => ({
  default: (await import('../conversions/unmatched-summary.tsx')).UnmatchedSummary,
}));
const LiveCard = lazy(async () => ({ default: (await import('./live-card.tsx')).LiveCard }));

export function OverviewPage() {
  const [state, set] = useSearchState<OverviewState>();
  const mayEdit = useMayWrite('analytics');
  const span = spanOf(state);
  const query = useQuery({
    queryKey: ['overview', span, state.filters],
    queryFn: ({ signal }) => headwater.getOverview({ ...span, ...filterParams(state.filters) }, { signal }),
    placeholderData: keepPreviousData,
    // New data is aggregated a moment later. An empty account polls fast, so that its first visit shows at once.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      dataUpdateCount < 2 || (data && isEmpty(data)) ? 3_000 : 15_000,
  });
  const { interval: _, compare: __, ...range } = span;
  const filters = filtersOf(state);
  const setFilter = (filter: Filter) => set({ filters: withFilter(state, filter) });
  return (
    <Page
      wide
      title={t('Overview')}
      description={query.data && <Status asOf={query.data.asOf} />}
      actions={<PeriodControls state={state} onChange={set} />}
    >
      <Group gap="xs">
        <Suspense fallback={<FilterButton />}>
          <FilterPicker range={span} onAdd={setFilter} />
          <SavedViews store={reportViews('overview')} kind="view" />
          <ShareButton report={sharedOverview(state)} />
        </Suspense>
        {filters.map((filter) => (
          <FilterChip
            key={`${filter.dimension} ${filter.operator}`}
            text={filterText(filter)}
            onRemove={() => setFilter({ ...filter, values: [] })}
          />
        ))}
        {filters.length > 0 && filters.every(isSessionFilter) && (
          <Anchor
            component={Link}
            to={`/sessions?${new URLSearchParams([
              ...filters.map(({ dimension, values }) => [dimension, values[0] ?? '']),
              ...Object.entries(rangeOf(span)),
            ])}`}
            size="sm"
          >
            {t('View sessions')}
          </Anchor>
        )}
      </Group>
      <Loaded query={query} rows={8}>
        {(overview) =>
          filters.length === 0 && isEmpty(overview) ? (
            <div className="surface">
              <HiddenVisit />
              <EmptyState
                icon="overview"
                title={t('No data for this period')}
                action={
                  <Button component={Link} to="/settings/installation">
                    {t('Install the script')}
                  </Button>
                }
              >
                {t('Visits appear here within seconds, with their sources and conversions.')}
              </EmptyState>
            </div>
          ) : (
            <>
              <Numbers overview={overview} annotations={mayEdit ? 'editable' : 'readable'} />
              <Breakdowns range={range} filters={state.filters} onFilter={setFilter} />
              <Suspense fallback={<LoadingState />}>
                <EventPropertiesCard range={range} filters={state.filters} />
                <AdSpendCard range={range} isUnfiltered={filters.length === 0} />
                <AttributionCard range={range} filters={state.filters} />
                <UnmatchedSummary range={range} isUnfiltered={filters.length > 0} isLinked />
                <LiveCard isUnfiltered={filters.length > 0} />
              </Suspense>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** When the numbers were counted, and how many visitors there are now. */
function Status({ asOf }: { asOf: string }) {
  const { data } = useQuery(liveQuery());
  return (
    <>
      {t('Updated {asOf}{data}', {
        asOf: formatRelativeTime(asOf),
        data:
          data &&
          ` · ${t('{count, plural, one {# current visitor} other {# current visitors}}', { count: data.visitors })}`,
      })}
    </>
  );
}

/** The dimensions that the list of sessions can be filtered by. */
const SESSION_FILTERS: readonly Dimension[] = ['source', 'medium', 'campaign', 'platform', 'country', 'device'];

const isSessionFilter = ({ dimension, operator, values }: Filter) =>
  SESSION_FILTERS.includes(dimension) && operator === 'is' && values.length === 1 && values[0] !== '';

const isEmpty = ({ current, previous }: Overview) =>
  current.visits + current.conversions + current.leads + (previous?.visits ?? 0) + (previous?.conversions ?? 0) === 0;
