import type { Overview } from '@headwater/sdk';
import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { headwater } from '../service/session.ts';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { FilterChip } from '../shared/filter-chip.tsx';
import { formatChange, formatCompact, formatPercent, formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded, LoadingState } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { BreakdownCard } from './breakdown-card.tsx';
import { DIMENSION_LABELS, valueLabel } from './dimension-labels.ts';
import classes from './line-chart.module.css';
import { LineChart } from './line-chart.tsx';
import { amountOf, formatAmount, METRICS, type Metric, mainCurrency, otherRevenue } from './metrics.ts';
import {
  DEFAULT_PERIOD,
  type Dimension,
  daysOf,
  filterParams,
  type OverviewState,
  type Span,
  spanOf,
} from './overview-state.ts';
import { PeriodSwitch } from './period-switch.tsx';

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
  const filters = Object.entries(state.filters ?? {}) as [Dimension, string][];
  const setFilter = (dimension: Dimension, value: string | undefined) => {
    const { [dimension]: _, ...rest } = state.filters ?? {};
    const next = value === undefined ? rest : { ...rest, [dimension]: value };
    set({ filters: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <Page
      wide
      title="Overview"
      description={query.data && `Updated ${formatRelativeTime(query.data.asOf)}`}
      actions={<PeriodControls state={state} onChange={set} />}
    >
      {filters.length > 0 && (
        <Group gap="xs">
          {filters.map(([dimension, value]) => {
            const text = `${DIMENSION_LABELS[dimension]}: ${valueLabel(dimension, value || null)}`;
            return <FilterChip key={dimension} text={text} onRemove={() => setFilter(dimension, undefined)} />;
          })}
          {filters.every(([dimension, value]) => SESSION_FILTERS.has(dimension) && value !== '') && (
            <Anchor
              component={Link}
              to={`/sessions?${new URLSearchParams({ ...state.filters, ...daysOf(span) })}`}
              size="sm"
            >
              View sessions
            </Anchor>
          )}
        </Group>
      )}
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

/** The dimensions that the list of sessions can be filtered by. */
const SESSION_FILTERS = new Set<Dimension>(['source', 'medium', 'campaign', 'platform', 'country', 'device']);

const isEmpty = ({ current, previous }: Overview) =>
  current.visits + current.conversions + current.leads + (previous?.visits ?? 0) + (previous?.conversions ?? 0) === 0;

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
  const format = (amount: number) => formatAmount(amount, metric, currency);
  const changeOf = (name: Metric) =>
    name !== 'revenue'
      ? change?.[name]
      : current.convertedRevenue
        ? change?.convertedRevenue
        : change?.revenue.find((each) => each.currency === currency)?.change;
  return (
    <Stack className="surface" p={{ base: 'xs', sm: 'md' }} gap="md">
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="xs">
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
            {previous && <Change change={changeOf(name) ?? null} />}
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
        points={line.map((point, i) => {
          const previous = previousLine?.[i];
          return {
            label: labelOfTime(point.at, interval, timeZone),
            value: amountOf(point, metric, currency),
            ...(previous && { previous: amountOf(previous, metric, currency) }),
          };
        })}
        format={format}
        formatTick={metric === 'conversionRate' ? formatPercent : formatCompact}
      />
    </Stack>
  );
}

/** Long amounts use a smaller font to fit. */
function Amount({ text }: { text: string }) {
  return (
    <Text fz={text.length > 11 ? 19 : 24} fw={620} lh="31px" className="number">
      {text}
    </Text>
  );
}

function Change({ change }: { change: number | null }) {
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
    <Text size="xs" c={isUp ? 'var(--better)' : isDown ? 'var(--worse)' : 'dimmed'} className="number">
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
  { title: 'Sources', dimensions: ['source', 'medium', 'campaign', 'platform'] },
  { title: 'Pages', dimensions: ['landingPage', 'page'] },
  { title: 'Events', dimensions: ['event', 'funnel'] },
  { title: 'Audience', dimensions: ['country', 'device'] },
];

interface BreakdownsProps {
  span: Span;
  state: OverviewState;
  onFilter: (dimension: Dimension, value: string) => void;
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
