import type { BreakdownRow } from '@headwater/sdk';
import { SegmentedControl, Select, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { DIMENSION_LABELS, TAB_LABELS, valueLabel } from './dimension-labels.ts';
import classes from './line-chart.module.css';
import { amountOf, formatAmount, mainCurrency } from './metrics.ts';
import { type Dimension, filterParams, type OverviewState, type Span } from './overview-state.ts';

type Order = 'visitors' | 'visits' | 'leads' | 'conversions' | 'revenue';

const ORDERS: { value: Order; label: string }[] = [
  { value: 'visitors', label: 'Visitors' },
  { value: 'visits', label: 'Visits' },
  { value: 'leads', label: 'Leads' },
  { value: 'conversions', label: 'Conversions' },
  { value: 'revenue', label: 'Revenue' },
];

interface BreakdownCardProps {
  title: string;
  dimensions: Dimension[];
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
  onFilter: (dimension: Dimension, value: string) => void;
}

/** The top values of a dimension. A click filters the overview by a value. */
export function BreakdownCard({ title, dimensions, range, filters, onFilter }: BreakdownCardProps) {
  const [dimension = 'source', setDimension] = useState(dimensions[0]);
  const [order, setOrder] = useState<Order>('visitors');
  const query = useQuery({
    queryKey: ['breakdown', dimension, order, range, filters],
    queryFn: ({ signal }) =>
      headwater.getBreakdown({ ...range, by: dimension, order, limit: 8, ...filterParams(filters) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return (
    <Card
      title={title}
      controls={
        <Select
          aria-label={`Sort ${title} by`}
          data={ORDERS}
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
            rows={breakdowns[dimension]?.rows ?? []}
            more={breakdowns[dimension]?.more ?? false}
            order={order}
            onFilter={onFilter}
          />
        )}
      </Loaded>
    </Card>
  );
}

interface RowsProps {
  dimension: Dimension;
  rows: BreakdownRow[];
  more: boolean;
  order: Order;
  onFilter: BreakdownCardProps['onFilter'];
}

function Rows({ dimension, rows, more, order, onFilter }: RowsProps) {
  const [first] = rows;
  if (!first) {
    return (
      <Text size="sm" c="dimmed" py="sm">
        No data for this period.
      </Text>
    );
  }
  const currency = order === 'revenue' ? mainCurrency(first) : null;
  const amounts = rows.map((row) => amountOf(row, order, currency));
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
            onClick={() => onFilter(dimension, row.value ?? '')}
            title={`${label}: ${formatNumber(row.conversions)} conversions of ${formatNumber(row.sessions)} sessions`}
          >
            <span className={classes.bar} style={{ width: `${Math.max((amount / max) * 100, 0)}%` }} />
            <Text size="sm" component="span" className={classes.value}>
              {label}
            </Text>
            <Text size="sm" component="span" fw={550} className={`${classes.value} number`}>
              {formatAmount(amount, order, currency)}
            </Text>
          </UnstyledButton>
        );
      })}
      {more && (
        <Text size="xs" c="dimmed" px={10} pt={4}>
          Top {rows.length} shown
        </Text>
      )}
    </div>
  );
}
