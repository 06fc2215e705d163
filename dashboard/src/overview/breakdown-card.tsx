import type { BreakdownRow } from '@headwater/sdk';
import { Group, SegmentedControl, Select, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { DIMENSION_LABELS, labelOfValue } from './dimension-labels.ts';
import classes from './line-chart.module.css';
import { amountOf, formatAmount, mainCurrency } from './metrics.ts';
import { type Dimension, filterParams, type OverviewState, type Span } from './overview-state.ts';

type Order = 'visitors' | 'visits' | 'leads' | 'conversions' | 'revenue';

const ORDERS: { value: Order; label: string }[] = [
  { value: 'visitors', label: 'by visitors' },
  { value: 'visits', label: 'by visits' },
  { value: 'leads', label: 'by leads' },
  { value: 'conversions', label: 'by conversions' },
  { value: 'revenue', label: 'by revenue' },
];

interface BreakdownCardProps {
  title: string;
  dimensions: Dimension[];
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
  onFilter: (dimension: Dimension, value: string) => void;
}

/** The values of a dimension that there is the most of; a click looks at one of them alone. */
export function BreakdownCard({ title, dimensions, range, filters, onFilter }: BreakdownCardProps) {
  const [chosen, setChosen] = useState<Dimension>();
  const dimension = chosen ?? dimensions[0] ?? 'source';
  const [order, setOrder] = useState<Order>('visitors');
  const query = useQuery({
    queryKey: ['breakdown', dimension, order, range, filters],
    queryFn: ({ signal }) =>
      headwater.getBreakdown({ ...range, by: dimension, order, limit: 8, ...filterParams(filters) }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return (
    <Stack className="surface" p="md" gap="sm">
      <Group justify="space-between">
        <Title order={2}>{title}</Title>
        <Select
          aria-label={`Order of ${title}`}
          data={ORDERS}
          value={order}
          onChange={(next) => setOrder(next as Order)}
          allowDeselect={false}
          size="xs"
          w={140}
        />
      </Group>
      {dimensions.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={title}
          value={dimension}
          onChange={(next) => setChosen(next as Dimension)}
          data={dimensions.map((name) => ({ value: name, label: DIMENSION_LABELS[name] }))}
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
    </Stack>
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
        Nothing in these days.
      </Text>
    );
  }
  const currency = order === 'revenue' ? mainCurrency(first) : null;
  const amounts = rows.map((row) => amountOf(row, order, currency));
  const most = Math.max(...amounts, 1e-9);
  return (
    <div>
      {rows.map((row, i) => {
        const amount = amounts[i] ?? 0;
        const label = labelOfValue(dimension, row.value);
        return (
          <UnstyledButton
            key={row.value ?? ''}
            className={classes.row}
            onClick={() => onFilter(dimension, row.value ?? '')}
            title={`${label}: ${formatNumber(row.conversions)} conversions of ${formatNumber(row.sessions)} sessions`}
          >
            <span className={classes.bar} style={{ width: `${Math.max((amount / most) * 100, 0)}%` }} />
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
          and others
        </Text>
      )}
    </div>
  );
}
