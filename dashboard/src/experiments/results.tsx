import type { Experiment, ExperimentComparison, ExperimentResults } from '@headwater/sdk';
import { Alert, Badge, Select, Stack, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { textOf } from '../reports/list-filters.tsx';
import { Card } from '../shared/card.tsx';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatChange, formatDate, formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';
import { FunnelPlot } from './funnel-plot.tsx';
import { metricName } from './guardrails.tsx';
import { outcomeOf } from './outcome.ts';
import type { Segment } from './queries.ts';

type Arm = ExperimentResults['arms'][number];
type Interval = { lift: number | null; low: number | null; high: number | null };

const SEGMENTS: { value: Segment; label: string }[] = [
  { value: 'device', label: t('Device') },
  { value: 'source', label: t('Source') },
  { value: 'medium', label: t('Medium') },
  { value: 'campaign', label: t('Campaign') },
  { value: 'browser', label: t('Browser') },
  { value: 'os', label: t('Operating system') },
  { value: 'country', label: t('Country') },
  { value: 'region', label: t('Region') },
];

const intervalText = ({ low, high }: Interval) =>
  low === null || high === null ? '–' : `${formatChange(low)} … ${formatChange(high)}`;
const liftText = ({ lift }: Interval) => (lift === null ? '–' : formatChange(lift));

const DECISIONS: Record<ExperimentComparison['decision'], { label: string; color: string }> = {
  better: { label: t('Better'), color: 'green' },
  worse: { label: t('Worse'), color: 'red' },
  undecided: { label: t('Undecided'), color: 'gray' },
};

interface ResultsProps {
  experiment: Experiment;
  results: ExperimentResults;
  segment: Segment | undefined;
  onSegment: (segment: Segment | undefined) => void;
}

/** What came out: settled revenue decides; revenue to date is shown below it, and never does. */
export function Results({ experiment: { status, metric }, results, segment, onSegment }: ResultsProps) {
  const { comparisons, sampleRatio, toDate, holdout, contaminated, pace } = results;
  const isRevenue = metric.kind === 'revenue';
  const columns = armColumns(isRevenue, moneyOf(results));
  return (
    <Stack gap="xl">
      {!sampleRatio.ok && (
        <Alert color="red" role="alert" title={t('Visitors are missing from a variant')}>
          {t('The shares differ from the weights by more than chance. Find the cause before you trust a result.')}
        </Alert>
      )}
      <Card title={isRevenue ? t('Settled revenue') : t('Settled visitors')}>
        <Text fw={600}>{outcomeOf(status, results)}</Text>
        {pace.decisionExpectedAt !== null && results.decidedAt === null && (
          <Text size="sm" c="dimmed">
            {t('At {rate} visitors a day, {needed} settled visitors decide it about {day}.', {
              rate: formatNumber(pace.visitorsPerDay ?? 0),
              needed: formatNumber(pace.visitorsNeeded ?? 0),
              day: formatDate(pace.decisionExpectedAt),
            })}
          </Text>
        )}
        <Comparisons label={t('Comparisons')} rows={comparisons} />
        <FunnelPlot looks={results.looks} />
      </Card>
      <DataTable
        label={t('Variants')}
        query={{ data: results.arms }}
        columns={columns}
        rowKey={({ variant }) => variant}
      />
      {contaminated > 0 && (
        <Text size="sm" c="dimmed">
          {t('{count, plural, one {# person} other {# persons}} saw more than one variant; the first one counts.', {
            count: contaminated,
          })}
        </Text>
      )}
      {holdout && <Holdout holdout={holdout} columns={columns} money={moneyOf(results)} />}
      <Card title={isRevenue ? t('Revenue to date, never a decision') : t('To date, never a decision')}>
        <Text size="sm" c="dimmed">
          {t('Part of it may still be refunded or only have come sooner.')}
        </Text>
        <DataTable
          label={t('To date')}
          isBare
          query={{ data: toDate.comparisons }}
          columns={[
            {
              id: 'variant',
              label: t('Variant'),
              cell: ({ variant }) => variant,
              note: ({ metric, kind }) => metricName(metric, kind),
            },
            { id: 'lift', label: t('Difference'), isNumber: true, cell: liftText },
            { id: 'interval', label: t('Interval'), isNumber: true, cell: intervalText },
          ]}
          rowKey={(_, i) => i}
        />
      </Card>
      <Card
        title={t('Segments, for exploration')}
        controls={
          <Select
            aria-label={t('Segment by')}
            placeholder={t('Segment by')}
            clearable
            data={SEGMENTS}
            value={segment ?? null}
            onChange={(next) => onSegment((next as Segment | null) ?? undefined)}
          />
        }
      >
        <Text size="sm" c="dimmed">
          {t('In one of many segments something differs by chance. None of them decides.')}
        </Text>
        {results.segments && <Segments {...results.segments} />}
      </Card>
    </Stack>
  );
}

const moneyOf =
  ({ currency }: ExperimentResults) =>
  (value: string) =>
    currency === null ? formatNumber(Number(value)) : formatMoney(value, currency);

/** Without the columns of revenue where something else decides. */
const armColumns = (isRevenue: boolean, money: (value: string) => string): Column<Arm>[] =>
  allArmColumns(money).filter(({ id }) => isRevenue || (id !== 'revenue' && id !== 'to-date'));

const allArmColumns = (money: (value: string) => string): Column<Arm>[] => [
  { id: 'variant', label: t('Variant'), cell: ({ variant }) => variant },
  { id: 'visitors', label: t('Visitors'), isNumber: true, cell: ({ visitors }) => formatNumber(visitors) },
  { id: 'settled', label: t('Settled'), isNumber: true, cell: ({ settledVisitors }) => formatNumber(settledVisitors) },
  { id: 'revenue', label: t('Settled revenue'), isNumber: true, cell: ({ settledRevenue }) => money(settledRevenue) },
  {
    id: 'conversions',
    label: t('Conversions to date'),
    isNumber: true,
    cell: ({ conversions }) => formatNumber(conversions),
  },
  { id: 'to-date', label: t('Revenue to date'), isNumber: true, isDimmed: true, cell: ({ revenue }) => money(revenue) },
];

function Comparisons({ label, rows }: { label: string; rows: readonly ExperimentComparison[] }) {
  return (
    <DataTable
      label={label}
      isBare
      query={{ data: rows }}
      columns={[
        { id: 'variant', label: t('Variant'), cell: ({ variant }) => variant },
        {
          id: 'metric',
          label: t('Metric'),
          isWrapped: true,
          cell: ({ metric, kind }) => metricName(metric, kind),
          note: ({ isGuardrail }) => (isGuardrail ? t('Guardrail') : null),
        },
        { id: 'lift', label: t('Difference'), isNumber: true, cell: liftText },
        { id: 'interval', label: t('Interval over all looks'), isNumber: true, cell: intervalText },
        {
          id: 'decision',
          label: t('Decision'),
          cell: ({ decision }) => (
            <Badge variant="light" color={DECISIONS[decision].color}>
              {DECISIONS[decision].label}
            </Badge>
          ),
        },
      ]}
      rowKey={(_, i) => i}
    />
  );
}

interface HoldoutProps {
  holdout: NonNullable<ExperimentResults['holdout']>;
  columns: Column<Arm>[];
  money: (value: string) => string;
}

function Holdout({ holdout, columns, money }: HoldoutProps) {
  const since = { gain: money((holdout.gain ?? '').replace('-', '')), day: formatDate(holdout.since) };
  return (
    <Card title={t('Holdout')}>
      <Text>
        {holdout.gain === null
          ? t('{share} of visitors see the first variant. Nothing can be compared yet.', {
              share: formatPercent(holdout.share),
            })
          : holdout.gain.startsWith('-')
            ? t('{gain} less than without it since {day}, to date.', since)
            : t('{gain} more than without it since {day}, to date.', since)}
      </Text>
      <DataTable
        label={t('Holdout')}
        isBare
        query={{ data: holdout.arms }}
        columns={columns}
        rowKey={({ variant }) => variant}
      />
    </Card>
  );
}

function Segments({ by, segments }: NonNullable<ExperimentResults['segments']>) {
  const rows = segments.flatMap(({ value, arms, comparisons }) =>
    comparisons.map((comparison) => ({
      ...comparison,
      value,
      visitors: arms.reduce((sum, { visitors }) => sum + visitors, 0),
    })),
  );
  return (
    <DataTable
      label={t('Segments')}
      isBare
      query={{ data: rows }}
      columns={[
        {
          id: 'value',
          label: t('Segment'),
          cell: ({ value }) => (value ? textOf(by as Segment, value) : t('Unknown')),
        },
        { id: 'variant', label: t('Variant'), cell: ({ variant }) => variant },
        { id: 'visitors', label: t('Visitors'), isNumber: true, cell: ({ visitors }) => formatNumber(visitors) },
        { id: 'lift', label: t('Difference'), isNumber: true, cell: liftText },
        { id: 'interval', label: t('Interval'), isNumber: true, cell: intervalText },
      ]}
      rowKey={({ value, variant }) => `${value} ${variant}`}
    />
  );
}
