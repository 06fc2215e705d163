import type { Overview } from '@headwater/sdk';
import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { headwater } from '../service/session.ts';
import { Chip } from '../shared/chip.tsx';
import { formatAgo, formatCompact, formatDay, formatPercent } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { narrowed } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded, Loading } from '../shared/states.tsx';
import { BreakdownCard } from './breakdown-card.tsx';
import { DIMENSION_LABELS, labelOfValue } from './dimension-labels.ts';
import classes from './line-chart.module.css';
import { LineChart } from './line-chart.tsx';
import { amountOf, formatAmount, METRICS, type Metric, mainCurrency } from './metrics.ts';
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

// What is not seen at first is loaded after the rest; the calendar when somebody chooses days.
const AttributionCard = lazy(async () => ({ default: (await import('./attribution-card.tsx')).AttributionCard }));
const WhyUnmatched = lazy(async () => ({
  default: (await import('../conversions/why-unmatched.tsx')).WhyUnmatched,
}));
const LiveCard = lazy(async () => ({ default: (await import('./live-card.tsx')).LiveCard }));
const DaysWindow = lazy(() => import('../shared/days-window.tsx'));

export function OverviewPage() {
  const state = useSearch({ from: '/shell/overview' });
  const navigate = useNavigate();
  const set = (part: Partial<OverviewState>) =>
    navigate({
      to: '/overview',
      search: narrowed(state, part),
      replace: true,
    });
  const span = spanOf(state);
  const query = useQuery({
    queryKey: ['overview', span, state.filters],
    queryFn: ({ signal }) => headwater.getOverview({ ...span, ...filterParams(state.filters) }, { signal }),
    placeholderData: keepPreviousData,
    // What was recorded just before is counted a moment later; whoever put the script on a page waits for a first visit.
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
      description={query.data && `Counted ${formatAgo(query.data.asOf)}`}
      actions={<PeriodControls state={state} onChange={set} />}
    >
      {filters.length > 0 && (
        <Group gap="xs">
          {filters.map(([dimension, value]) => {
            const text = `${DIMENSION_LABELS[dimension]}: ${labelOfValue(dimension, value || null)}`;
            return <Chip key={dimension} text={text} onRemove={() => setFilter(dimension, undefined)} />;
          })}
          {filters.every(([dimension, value]) => LISTED.has(dimension) && value !== '') && (
            <Anchor
              component={Link}
              to={`/sessions?${new URLSearchParams({ ...state.filters, ...daysOf(span) })}`}
              size="sm"
            >
              See these sessions
            </Anchor>
          )}
        </Group>
      )}
      <Loaded query={query} rows={8}>
        {(overview) =>
          filters.length === 0 && isEmpty(overview) ? (
            <div className="surface">
              <Empty
                icon="overview"
                title="Nothing was recorded in these days"
                action={
                  <Button component={Link} to="/settings/installation">
                    Put the script on your pages
                  </Button>
                }
              >
                Visits appear here within seconds, with where they came from and what became of them.
              </Empty>
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

/** What the list of sessions can be narrowed by as well. */
const LISTED = new Set<Dimension>(['source', 'medium', 'campaign', 'platform', 'country', 'device']);

const isEmpty = ({ current, previous }: Overview) =>
  current.visits + current.conversions + current.leads + (previous?.visits ?? 0) + (previous?.conversions ?? 0) === 0;

function PeriodControls({
  state,
  onChange,
}: {
  state: OverviewState;
  onChange: (part: Partial<OverviewState>) => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const own = state.from && state.to ? `${formatDay(state.from)} – ${formatDay(state.to)}` : 'Choose days';
  return (
    <>
      <PeriodSwitch
        value={state.from ? '' : (state.period ?? DEFAULT_PERIOD)}
        onChange={(period) => onChange({ period, from: undefined, to: undefined })}
      />
      <Button
        variant={state.from ? 'light' : 'default'}
        leftSection={<Icon name="clock" size={16} />}
        onClick={() => setIsChoosing(true)}
      >
        {own}
      </Button>
      <Select
        aria-label="Compare"
        w={190}
        value={state.compare ?? 'previous'}
        onChange={(compare) => onChange({ compare: compare === 'previous' ? undefined : (compare as 'year' | 'none') })}
        allowDeselect={false}
        data={[
          { value: 'previous', label: 'To the days before' },
          { value: 'year', label: 'To a year before' },
          { value: 'none', label: 'Compare to nothing' },
        ]}
      />
      <Suspense>
        {isChoosing && (
          <DaysWindow
            from={state.from}
            to={state.to}
            onClose={() => setIsChoosing(false)}
            onChoose={(from, to) => {
              onChange({ from, to, period: undefined });
              setIsChoosing(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const [metric, setMetric] = useState<Metric>('visitors');
  const { current, previous, change, line, previousLine, interval, timeZone } = overview;
  const currency = mainCurrency(current);
  const format = (amount: number) => formatAmount(amount, metric, currency);
  const changeOf = (name: Metric) =>
    name === 'revenue' ? change?.revenue.find((each) => each.currency === currency)?.change : change?.[name];
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
            {name === 'revenue' && current.revenue.length > 1 && (
              <Text size="xs" c="dimmed">
                {current.revenue
                  .filter((each) => each.currency !== currency)
                  .map(
                    ({ value, currency }) =>
                      formatAmount(Number(value), 'revenue', currency) + (currency ? '' : ' in no currency'),
                  )
                  .join(' · ')}
              </Text>
            )}
          </UnstyledButton>
        ))}
      </SimpleGrid>
      <LineChart
        title={`${METRICS[metric]} over time`}
        points={line.map((point, i) => {
          const before = previousLine?.[i];
          return {
            label: labelOfTime(point.at, interval, timeZone),
            value: amountOf(point, metric, currency),
            ...(before && { previous: amountOf(before, metric, currency) }),
          };
        })}
        format={format}
        formatTick={metric === 'conversionRate' ? formatPercent : formatCompact}
      />
    </Stack>
  );
}

/** Millions of a currency are smaller, so that they fit. */
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
        none before
      </Text>
    );
  }
  const isMore = change > 0.0005;
  const isLess = change < -0.0005;
  return (
    <Text size="xs" c={isMore ? 'var(--better)' : isLess ? 'var(--worse)' : 'dimmed'} className="number">
      {(isMore || isLess) && <Icon name={isMore ? 'up' : 'down'} size={12} className={classes.arrow} />}
      {formatPercent(Math.abs(change))}
      {isMore ? ' more' : isLess ? ' less' : ' as before'}
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
  { title: 'Where from', dimensions: ['source', 'medium', 'campaign', 'platform'] },
  { title: 'Pages', dimensions: ['landingPage', 'page'] },
  { title: 'What happened', dimensions: ['event', 'funnel'] },
  { title: 'Who', dimensions: ['country', 'device'] },
];

interface BreakdownsProps {
  span: Span;
  state: OverviewState;
  onFilter: (dimension: Dimension, value: string) => void;
}

function Breakdowns({ span, state, onFilter }: BreakdownsProps) {
  const { interval: _, compare: __, ...range } = span;
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
      <Suspense fallback={<Loading />}>
        <AttributionCard range={range} />
        <WhyUnmatched range={range} linked />
        <LiveCard />
      </Suspense>
    </>
  );
}
