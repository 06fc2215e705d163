import type { Roas } from '@headwater/sdk';
import { Badge, Group, Progress, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { DEFAULT_PERIOD, daysOf, type OverviewState, spanOf } from '../reports/overview-state.ts';
import { PeriodSwitch } from '../reports/period-switch.tsx';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { addDays } from '../shared/days.ts';
import { formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { CohortCurve } from './cohort-curve.tsx';
import { DEFINITIONS, verdictOf } from './definitions.ts';
import { DiscrepancyTable } from './discrepancy-table.tsx';
import { TriangleMap } from './triangle-map.tsx';

type Model = 'last' | 'first' | 'linear' | 'position' | 'timeDecay';
type By = 'source' | 'campaign' | 'adGroup' | 'ad' | 'landingPage';
type Numbers = Roas['total'];

const BY: { value: By; label: string }[] = [
  { value: 'source', label: t('Sources') },
  { value: 'campaign', label: t('Campaigns') },
  { value: 'adGroup', label: t('Ad groups') },
  { value: 'ad', label: t('Ads') },
  { value: 'landingPage', label: t('Landing pages') },
];

const MODELS: { value: Model; label: string }[] = [
  { value: 'last', label: t('Last-touch') },
  { value: 'first', label: t('First-touch') },
  { value: 'linear', label: t('Linear') },
  { value: 'position', label: t('Position-based') },
  { value: 'timeDecay', label: t('Time decay') },
];

const money = (value: string | null, { currency }: Numbers) =>
  value === null ? '–' : currency === null ? formatNumber(Number(value)) : formatMoney(value, currency);
/** What was refunded, and whether amounts without an exchange rate are missing. */
const revenueNote = (numbers: Numbers) => {
  const { refunded, isComplete } = numbers;
  const notes = [
    Number(refunded) === 0 ? '' : t('{refunded} refunded', { refunded: money(refunded, numbers) }),
    isComplete ? '' : t('not all converted'),
  ];
  return notes.filter(Boolean).join(' · ');
};
const ratio = (value: number | null) => (value === null ? '–' : formatPercent(value));

/** What the ads of each source or campaign really returned, by the day of the click. */
export function RevenuePage() {
  const [state, set] = useSearchState<OverviewState>();
  const [by, setBy] = useState<By>('campaign');
  const [model, setModel] = useState<Model>('last');
  const days = daysOf(spanOf(state));
  const period = { from: days.from, to: addDays(days.to, 1) };
  const query = useQuery({
    queryKey: ['roas', period, by, model],
    queryFn: ({ signal }) => headwater.getRoas({ ...period, by, model, curves: true }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      wide
      title={t('Return on ad spend')}
      description={t('Revenue by the day of the click, after refunds, with what is still to come.')}
      actions={
        <>
          <PeriodSwitch
            value={state.from ? '' : (state.period ?? DEFAULT_PERIOD)}
            onChange={(next) => set({ period: next, from: undefined, to: undefined })}
          />
          <DateRangeButton
            from={state.from && days.from}
            to={state.to && days.to}
            label={t('Custom range')}
            isDaysOnly
            onChange={(range) => set({ ...range, period: undefined })}
          />
        </>
      }
    >
      <Loaded query={query}>
        {(roas) => (
          <Stack gap="xl">
            <Totals roas={roas} />
            <div>
              <Group mb="sm" justify="space-between">
                <SegmentedControl
                  aria-label={t('Return by')}
                  maw="100%"
                  style={{ overflowX: 'auto' }}
                  value={by}
                  onChange={(next) => setBy(next as By)}
                  data={BY}
                />
                <Select
                  aria-label={t('Attribution model')}
                  data={MODELS}
                  value={model}
                  allowDeselect={false}
                  onChange={(next) => next && setModel(next as Model)}
                />
              </Group>
              <DataTable
                label={t('Return on ad spend')}
                query={{ data: roas.rows }}
                columns={columnsOf(roas)}
                minWidth={960}
                rowKey={({ source, key }) => `${source} ${key ?? ''}`}
                empty={
                  <EmptyState
                    icon="coins"
                    title={t('No ad spend in this period')}
                    action={
                      <IconButton icon="coins" to="/ad-costs">
                        {t('Ad spend')}
                      </IconButton>
                    }
                  >
                    {t('Import what your ads cost on the page of ad spend.')}
                  </EmptyState>
                }
              />
            </div>
            {roas.status === 'ready' && <CohortCurve period={period} by={by} model={model} roas={roas} />}
            {roas.status === 'ready' && <TriangleMap roas={roas} />}
            <DiscrepancyTable period={period} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Totals({ roas }: { roas: Roas }) {
  const { total, coverage } = roas;
  const cards: [keyof typeof DEFINITIONS, string, string?][] = [
    ['cost', money(total.cost, total)],
    ['revenue', money(total.revenue, total), revenueNote(total)],
    [
      'expectedRevenue',
      money(total.expectedRevenue, total),
      total.expectedLow === null
        ? t('Too young to tell')
        : t('{expectedLow} to {expectedHigh}', {
            expectedLow: money(total.expectedLow, total),
            expectedHigh: money(total.expectedHigh, total),
          }),
    ],
    ['expectedRoas', ratio(total.expectedRoas ?? total.roas), t('{roas} to date', { roas: ratio(total.roas) })],
    [
      'coverage',
      coverage.observed === null ? t('None yet') : formatPercent(coverage.observed),
      coverage.observed === null
        ? undefined
        : t('of {cohorts} past forecasts with {level} intervals held', {
            cohorts: formatNumber(coverage.cohorts),
            level: formatPercent(coverage.level),
          }),
    ],
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }}>
      {cards.map(([name, value, note]) => (
        <div
          key={name}
          className="surface"
          style={{ padding: 'var(--mantine-spacing-md)' }}
          title={DEFINITIONS[name].text}
        >
          <Text size="sm" c="dimmed">
            {DEFINITIONS[name].label}
          </Text>
          <Text fw={600} size="lg" component="div" className="number">
            {value}
          </Text>
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function columnsOf({ by }: Roas): Column<Roas['rows'][number]>[] {
  return [
    {
      id: 'key',
      label: BY.find(({ value }) => value === by)?.label ?? by,
      cell: ({ key, source }) => key ?? (by === 'source' ? source : t('None')),
      note: ({ source }) => (by === 'source' ? null : source),
    },
    {
      id: 'verdict',
      label: t('Verdict'),
      cell: (row) => {
        const { label, color } = verdictOf(row);
        return (
          <Badge variant="light" color={color}>
            {label}
          </Badge>
        );
      },
    },
    {
      id: 'expectedRoas',
      label: t('Expected ROAS'),
      isNumber: true,
      cell: ({ expectedRoas }) => ratio(expectedRoas),
      note: ({ roasLow, roasHigh }) =>
        roasLow === null ? null : t('{roasLow} to {roasHigh}', { roasLow: ratio(roasLow), roasHigh: ratio(roasHigh) }),
    },
    { id: 'cost', label: t('Cost'), isNumber: true, cell: (row) => money(row.cost, row) },
    {
      id: 'revenue',
      label: t('Revenue'),
      isNumber: true,
      cell: (row) => money(row.revenue, row),
      note: (row) => revenueNote(row) || null,
    },
    {
      id: 'maturity',
      label: t('Maturity'),
      cell: ({ maturity }) =>
        maturity === null ? (
          '–'
        ) : (
          <Group gap="xs" wrap="nowrap">
            <Progress
              value={Math.min(100, maturity * 100)}
              w={60}
              aria-label={t('{maturity} of the expected revenue', { maturity: formatPercent(maturity) })}
            />
            <Text size="xs">{formatPercent(maturity)}</Text>
          </Group>
        ),
    },
    {
      id: 'expected',
      label: t('Expected'),
      isNumber: true,
      cell: (row) => money(row.expectedRevenue, row),
      note: (row) =>
        row.expectedLow === null
          ? null
          : t('{expectedLow} to {expectedHigh}', {
              expectedLow: money(row.expectedLow, row),
              expectedHigh: money(row.expectedHigh, row),
            }),
    },
    { id: 'roas', label: t('ROAS to date'), isNumber: true, cell: ({ roas }) => ratio(roas) },
  ];
}
