import type { Overview } from '@headwater/sdk';
import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { headwater } from '../service/session.ts';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { FilterChip } from '../shared/filter-chip.tsx';
import {
  formatChange,
  formatCompact,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRelativeTime,
} from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded, LoadingState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { BreakdownCard } from './breakdown-card.tsx';
import { filterText } from './dimension-labels.ts';
import { FilterButton } from './filter-button.tsx';
import classes from './line-chart.module.css';
import { LineChart } from './line-chart.tsx';
import { liveQuery } from './live-query.ts';
import { amountOf, formatAmount, METRICS, type Metric, mainCurrency, otherRevenue } from './metrics.ts';
import {
  DEFAULT_PERIOD,
  type Dimension,
  daysOf,
  type Filter,
  filterParams,
  filtersOf,
  type OverviewState,
  PERIODS,
  type Span,
  spanOf,
  withFilter,
} from './overview-state.ts';
import { PeriodSwitch } from './period-switch.tsx';

const FilterPicker = lazy(async () => ({ default: (await import('./filter-picker.tsx')).FilterPicker }));
const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));
const SetupChecklist = lazy(async () => ({
  default: (await import('../onboarding/setup-checklist.tsx')).SetupChecklist,
}));
// Cards below the fold load after the rest.
const AttributionCard = lazy(async () => ({ default: (await import('./attribution-card.tsx')).AttributionCard }));
const UnmatchedSummary = lazy(async () => ({
  default: (await import('../conversions/unmatched-summary.tsx')).UnmatchedSummary,
}));
const LiveCard = lazy(async () => ({ default: (await import('./live-card.tsx')).LiveCard }));

export function OverviewPage() {
  const [state, set] = useSearchState<OverviewState>();
  const span = spanOf(state);
  const query = useQuery({
    queryKey: ['overview', span, state.filters],
    queryFn: ({ signal }) => headwater.getOverview({ ...span, ...filterParams(state.filters) }, { signal }),
    placeholderData: keepPreviousData,
    // New data is aggregated a moment later. An empty account polls fast, so that its first visit shows at once.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      dataUpdateCount < 2 || (data && isEmpty(data)) ? 3_000 : 15_000,
  });
  const filters = filtersOf(state);
  const setFilter = (filter: Filter) => set({ filters: withFilter(state, filter) });
  return (
    <Page
      wide
      title="Overview"
      description={query.data && <Status asOf={query.data.asOf} />}
      actions={<PeriodControls state={state} onChange={set} />}
    >
      <Group gap="xs">
        <Suspense fallback={<FilterButton />}>
          <FilterPicker range={span} onAdd={setFilter} />
          <SavedViews screen="overview" noun="view" />
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
              ...Object.entries(daysOf(span)),
            ])}`}
            size="sm"
          >
            View sessions
          </Anchor>
        )}
      </Group>
      <Suspense>
        <SetupChecklist />
      </Suspense>
      <Loaded query={query} rows={8}>
        {(overview) =>
          filters.length === 0 && isEmpty(overview) ? (
            <div className="surface">
              <EmptyState
                icon="overview"
                title="No data for this period"
                action={
                  <Button component={Link} to="/settings/installation">
                    Install the script
                  </Button>
                }
              >
                Visits appear here within seconds, with their sources and conversions.
              </EmptyState>
            </div>
          ) : (
            <>
              <Numbers overview={overview} />
              <Breakdowns span={span} state={state} onFilter={setFilter} />
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
      Updated {formatRelativeTime(asOf)}
      {data && ` · ${formatNumber(data.visitors)} current ${data.visitors === 1 ? 'visitor' : 'visitors'}`}
    </>
  );
}

/** The dimensions that the list of sessions can be filtered by. */
const SESSION_FILTERS: readonly Dimension[] = ['source', 'medium', 'campaign', 'platform', 'country', 'device'];

const isSessionFilter = ({ dimension, operator, values }: Filter) =>
  SESSION_FILTERS.includes(dimension) && operator === 'is' && values.length === 1 && values[0] !== '';

const isEmpty = ({ current, previous }: Overview) =>
  current.visits + current.conversions + current.leads + (previous?.visits ?? 0) + (previous?.conversions ?? 0) === 0;

const FURTHER_PERIODS = Object.entries(PERIODS)
  .filter(([, { isFurther }]) => isFurther)
  .map(([value, { label }]) => ({ value, label }));

interface PeriodControlsProps {
  state: OverviewState;
  onChange: (part: Partial<OverviewState>) => void;
}

function PeriodControls({ state, onChange }: PeriodControlsProps) {
  return (
    <>
      <PeriodSwitch
        value={state.from ? '' : (state.period ?? DEFAULT_PERIOD)}
        onChange={(period) => onChange({ period, from: undefined, to: undefined })}
      />
      <DateRangeButton
        from={state.from}
        to={state.to}
        label="Custom range"
        onChange={(range) => onChange({ ...range, period: undefined })}
        presets={{
          options: FURTHER_PERIODS,
          value: state.period,
          onChoose: (period) => onChange({ period, from: undefined, to: undefined }),
        }}
      />
      <Select
        aria-label="Compare"
        w={190}
        value={state.compare ?? 'previous'}
        onChange={(compare) => onChange({ compare: compare === 'previous' ? undefined : (compare as 'year' | 'none') })}
        data={[
          { value: 'previous', label: 'Previous period' },
          { value: 'year', label: 'Previous year' },
          { value: 'none', label: 'No comparison' },
        ]}
      />
    </>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const [metric, setMetric] = useState<Metric>('visitors');
  const { current, previous, change, line, previousLine, interval, timeZone } = overview;
  const currency = mainCurrency(current);
  const others = otherRevenue(current, currency);
  // All time starts with the first data.
  const start = previousLine ? 0 : Math.max(0, line.findIndex(hasData) - 1);
  const shownLine = line.length > 100 ? line.slice(start) : line;
  const format = (amount: number) => formatAmount(amount, metric, currency);
  const changeOf = (name: Metric) =>
    name !== 'revenue'
      ? change?.[name]
      : current.convertedRevenue
        ? change?.convertedRevenue
        : change?.revenue.find((each) => each.currency === currency)?.change;
  return (
    <Stack className="surface" p={{ base: 'xs', sm: 'md' }} gap="md">
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 5 }} spacing="xs">
        {(Object.keys(METRICS) as Metric[]).map((name) => (
          <UnstyledButton
            key={name}
            className={classes.stat}
            data-chosen={name === metric}
            aria-pressed={name === metric}
            onClick={() => setMetric(name)}
          >
            <Text size="sm" c="dimmed">
              {METRICS[name]}
            </Text>
            <Amount text={formatAmount(amountOf(current, name, currency), name, currency)} />
            {previous && <Change change={changeOf(name) ?? null} isLessBetter={name === 'bounceRate'} />}
            {name === 'revenue' && others !== '' && (
              <Text size="xs" c="dimmed">
                {others}
              </Text>
            )}
          </UnstyledButton>
        ))}
      </SimpleGrid>
      <LineChart
        title={`${METRICS[metric]} over time`}
        points={shownLine.map((point, i) => {
          const previous = previousLine?.[i];
          return {
            label: labelOfTime(point.at, interval, timeZone),
            value: amountOf(point, metric, currency),
            ...(previous && { previous: amountOf(previous, metric, currency) }),
          };
        })}
        format={format}
        formatTick={
          metric === 'conversionRate' || metric === 'bounceRate'
            ? formatPercent
            : metric === 'sessionDuration'
              ? formatDuration
              : formatCompact
        }
      />
    </Stack>
  );
}

const hasData = ({ visits, conversions, leads }: Overview['line'][number]) => visits + conversions + leads > 0;

/** Long amounts use a smaller font to fit. */
function Amount({ text }: { text: string }) {
  return (
    <Text fz={text.length > 11 ? 19 : 24} fw={620} lh="31px" className="number">
      {text}
    </Text>
  );
}

function Change({ change, isLessBetter }: { change: number | null; isLessBetter: boolean }) {
  if (change === null) {
    return (
      <Text size="xs" c="dimmed">
        No previous data
      </Text>
    );
  }
  const isUp = change > 0.0005;
  const isDown = change < -0.0005;
  return (
    <Text
      size="xs"
      c={isUp || isDown ? (isUp === isLessBetter ? 'var(--worse)' : 'var(--better)') : 'dimmed'}
      className="number"
    >
      {(isUp || isDown) && <Icon name={isUp ? 'up' : 'down'} size={12} className={classes.arrow} />}
      {isUp || isDown ? formatChange(change) : 'No change'}
    </Text>
  );
}

function labelOfTime(at: string, interval: Overview['interval'], timeZone: string): string {
  const style: Intl.DateTimeFormatOptions =
    interval === 'hour'
      ? { hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'short' }
      : interval === 'month'
        ? { month: 'long', year: 'numeric' }
        : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(undefined, { ...style, timeZone }).format(new Date(at));
}

const CARDS: { title: string; dimensions: Dimension[] }[] = [
  { title: 'Sources', dimensions: ['source', 'channel', 'referrer', 'platform'] },
  { title: 'Campaigns', dimensions: ['campaign', 'medium', 'term', 'content'] },
  { title: 'Pages', dimensions: ['landingPage', 'page', 'exitPage'] },
  { title: 'Events', dimensions: ['event', 'funnel'] },
  { title: 'Countries', dimensions: ['country'] },
  { title: 'Devices', dimensions: ['device', 'browser', 'os'] },
];

interface BreakdownsProps {
  span: Span;
  state: OverviewState;
  onFilter: (filter: Filter) => void;
}

function Breakdowns({ span, state, onFilter }: BreakdownsProps) {
  const { interval: _, compare: __, ...range } = span;
  const hasFilters = state.filters !== undefined;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {CARDS.map(({ title, dimensions }) => (
          <BreakdownCard
            key={title}
            title={title}
            dimensions={dimensions}
            range={range}
            filters={state.filters}
            onFilter={onFilter}
          />
        ))}
      </SimpleGrid>
      <Suspense fallback={<LoadingState />}>
        <AttributionCard range={range} filters={state.filters} />
        <UnmatchedSummary range={range} isUnfiltered={hasFilters} isLinked />
        <LiveCard isUnfiltered={hasFilters} />
      </Suspense>
    </>
  );
}
