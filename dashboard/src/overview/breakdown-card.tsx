import type { BreakdownRow } from '@headwater/sdk';
import { Button, SegmentedControl, Select, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { DIMENSION_LABELS, TAB_LABELS, valueLabel } from '../reports/dimension-labels.ts';
import classes from '../reports/line-chart.module.css';
import { amountOf, formatAmount, mainCurrency } from '../reports/metrics.ts';
import { type Dimension, type Filter, filterParams, type OverviewState, type Span } from '../reports/overview-state.ts';
import { useReports } from '../reports/report-source.ts';
import { Card } from '../shared/card.tsx';
import { formatNumber } from '../shared/formats.ts';
import { GuideLink } from '../shared/guide-link.tsx';
import { lazy } from '../shared/lazy.tsx';
import { Loaded } from '../shared/states.tsx';

// Loaded when it is opened.
const BreakdownDialog = lazy(async () => ({ default: (await import('./breakdown-dialog.tsx')).BreakdownDialog }));

type Order = 'visitors' | 'visits' | 'sessions' | 'leads' | 'conversions' | 'revenue' | 'events';

const ORDERS: { value: Order; label: string }[] = [
  { value: 'visitors', label: t('Visitors') },
  { value: 'visits', label: t('Visits') },
  { value: 'sessions', label: t('Sessions') },
  { value: 'leads', label: t('Leads') },
  { value: 'conversions', label: t('Conversions') },
  { value: 'revenue', label: t('Revenue') },
];

/** Counted by events first; sessions without any are no row. */
const isOfEvents = (dimension: Dimension | undefined) => dimension === 'event' || dimension === 'funnel';

interface BreakdownCardProps {
  title: string;
  dimensions: Dimension[];
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
  onFilter?: ((filter: Filter) => void) | undefined;
}

/** The top values of a dimension. A click filters the overview by a value. */
export function BreakdownCard({ title, dimensions, range, filters, onFilter }: BreakdownCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [dimension = 'source', setDimension] = useState(dimensions[0]);
  const [order, setOrder] = useState<Order>(isOfEvents(dimensions[0]) ? 'events' : 'visitors');
  const reports = useReports();
  const filterBy = onFilter && ((value: string) => onFilter({ dimension, operator: 'is', values: [value] }));
  const query = useQuery({
    queryKey: ['breakdown', dimension, order, range, filters],
    queryFn: ({ signal }) =>
      reports.getBreakdown({ ...range, by: dimension, order, limit: 8, ...filterParams(filters) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return (
    <Card
      title={title}
      controls={
        <Select
          aria-label={t('Sort {title} by', { title })}
          data={isOfEvents(dimension) ? [{ value: 'events', label: t('Events') }, ...ORDERS] : ORDERS}
          value={order}
          onChange={(next) => setOrder(next as Order)}
          size="xs"
          w={140}
        />
      }
    >
      {dimensions.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={title}
          value={dimension}
          onChange={(next) => setDimension(next as Dimension)}
          data={dimensions.map((name) => ({ value: name, label: TAB_LABELS[name] ?? DIMENSION_LABELS[name] }))}
        />
      )}
      <Loaded query={query} rows={5}>
        {({ breakdowns }) => (
          <Rows
            dimension={dimension}
            rows={(breakdowns[dimension]?.rows ?? []).filter(({ value }) => value !== null || !isOfEvents(dimension))}
            more={breakdowns[dimension]?.more ?? false}
            order={order}
            onFilter={filterBy}
            onViewAll={() => setIsOpen(true)}
          />
        )}
      </Loaded>
      <Suspense>
        {isOpen && (
          <BreakdownDialog
            dimension={dimension}
            order={order === 'events' ? 'visitors' : order}
            range={range}
            filters={filters}
            onFilter={
              filterBy &&
              ((value) => {
                setIsOpen(false);
                filterBy(value);
              })
            }
            onClose={() => setIsOpen(false)}
          />
        )}
      </Suspense>
    </Card>
  );
}

interface RowsProps {
  dimension: Dimension;
  rows: BreakdownRow[];
  more: boolean;
  order: Order;
  onFilter: ((value: string) => void) | undefined;
  onViewAll: () => void;
}

function Rows({ dimension, rows, more, order, onFilter, onViewAll }: RowsProps) {
  const [first] = rows;
  if (!first) {
    return (
      <Text size="sm" c="dimmed" py="sm">
        {t('No data for this period.')}
      </Text>
    );
  }
  const currency = order === 'revenue' ? mainCurrency(first) : null;
  const amounts = rows.map((row) => (order === 'events' ? (row.events ?? 0) : amountOf(row, order, currency)));
  const max = Math.max(...amounts, 1e-9);
  return (
    <div>
      {rows.map((row, i) => {
        const amount = amounts[i] ?? 0;
        const label = valueLabel(dimension, row.value);
        return (
          <UnstyledButton
            key={row.value ?? ''}
            className={classes.row}
            data-printed
            disabled={!onFilter}
            onClick={() => onFilter?.(row.value ?? '')}
            title={t('{label}: {conversions} conversions of {sessions} sessions', {
              label,
              conversions: formatNumber(row.conversions),
              sessions: formatNumber(row.sessions),
            })}
          >
            <span className={classes.bar} style={{ width: `${Math.max((amount / max) * 100, 0)}%` }} />
            <Text size="sm" component="span" className={classes.value}>
              {label}
            </Text>
            <Text size="sm" component="span" fw={550} className={`${classes.value} number`}>
              {order === 'events' ? formatNumber(amount) : formatAmount(amount, order, currency)}
            </Text>
          </UnstyledButton>
        );
      })}
      {(dimension === 'country' || dimension === 'region') && rows.every((row) => row.value === null) && (
        <Text size="xs" px={10} pt={4}>
          <GuideLink to="tracking#countries-and-regions">
            {t('Set up {dimension}', { dimension: dimension === 'country' ? t('countries') : t('regions') })}
          </GuideLink>
        </Text>
      )}
      <Button variant="subtle" size="compact-xs" mt={4} onClick={onViewAll}>
        {more ? t('View all') : t('Details')}
      </Button>
    </div>
  );
}
