import type { BreakdownRow } from '@headwater/sdk';
import { Button, Group, Select, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { writeCsvRow } from '../conversions/csv.ts';
import { inSentence, t } from '../languages/translate.ts';
import { DIMENSION_LABELS, valueLabel } from '../reports/dimension-labels.ts';
import { amountOf, formatAmount, METRICS, type Metric, mainCurrency } from '../reports/metrics.ts';
import { type Dimension, filterParams, type OverviewState, type Span } from '../reports/overview-state.ts';
import { useReports } from '../reports/report-source.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { Dialog } from '../shared/dialogs.tsx';
import { downloadText } from '../shared/download-text.ts';
import { SearchBox } from '../shared/search-box.tsx';

const MAX_ROWS = 1_000;

type Order = 'visitors' | 'visits' | 'sessions' | 'leads' | 'conversions' | 'revenue';

const ORDERS: Order[] = ['visitors', 'visits', 'sessions', 'leads', 'conversions', 'revenue'];
const COLUMNS = Object.keys(METRICS) as Metric[];

interface BreakdownDialogProps {
  dimension: Dimension;
  order: Order;
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
  /** Without it, nothing can be filtered or searched. */
  onFilter: ((value: string) => void) | undefined;
  onClose: () => void;
}

/** All values of a dimension with all metrics, searchable, sortable, and as CSV. */
export function BreakdownDialog({ dimension, order, range, filters, onFilter, onClose }: BreakdownDialogProps) {
  const reports = useReports();
  const [sort, setSort] = useState<Order>(order);
  const [search, setSearch] = useState<string>();
  const query = useQuery({
    queryKey: ['breakdown', dimension, sort, range, filters, search, MAX_ROWS],
    queryFn: ({ signal }) =>
      reports.getBreakdown(
        {
          ...{ ...range, by: dimension, order: sort, limit: MAX_ROWS },
          ...filterParams(filters),
          ...(search !== undefined && { [`filter[${dimension}][contains]`]: [search] }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const found = query.data?.breakdowns[dimension];
  // A session with a matching page has others, too.
  const rows = found?.rows.filter(
    ({ value }) => search === undefined || value?.toLowerCase().includes(search.toLowerCase()),
  );
  const currency = rows?.[0] ? mainCurrency(rows[0]) : null;
  const label = DIMENSION_LABELS[dimension];
  const textOf = (row: BreakdownRow, metric: Metric) => formatAmount(amountOf(row, metric, currency), metric, currency);
  return (
    <Dialog onClose={onClose} title={label} size="min(1200px, 96vw)">
      <Stack>
        <Group gap="sm" align="flex-end">
          {onFilter && (
            <SearchBox value={search} onSearch={setSearch} label={t('Search {label}', { label: inSentence(label) })} />
          )}
          <Select
            aria-label={t('Sort by')}
            data={ORDERS.map((value) => ({ value, label: METRICS[value] }))}
            value={sort}
            onChange={(next) => setSort((next as Order | null) ?? 'visitors')}
            allowDeselect={false}
            w={150}
          />
          <Button
            variant="default"
            disabled={!rows || rows.length === 0}
            onClick={() => rows && downloadCsv(dimension, rows, currency)}
          >
            {t('Download CSV')}
          </Button>
        </Group>
        <DataTable
          label={label}
          query={{ ...query, data: rows }}
          isDense
          minWidth={1_000}
          rowKey={({ value }) => value ?? ''}
          {...(onFilter && { onOpen: ({ value }: BreakdownRow) => onFilter(value ?? '') })}
          columns={[
            { id: 'value', label, cell: ({ value }) => valueLabel(dimension, value) },
            ...COLUMNS.map(
              (metric): Column<BreakdownRow> => ({
                id: metric,
                label: METRICS[metric],
                isNumber: true,
                cell: (row) => textOf(row, metric),
              }),
            ),
          ]}
        />
        {found?.more && t('The first {maxRows} values are shown. Search to find others.', { maxRows: MAX_ROWS })}
      </Stack>
    </Dialog>
  );
}

/** Numbers with a decimal point, as programs read them. */
function downloadCsv(dimension: Dimension, rows: readonly BreakdownRow[], currency: string | null): void {
  const revenue = currency === null ? t('Revenue') : t('Revenue ({currency})', { currency });
  const header = [
    DIMENSION_LABELS[dimension],
    ...COLUMNS.map((name) => (name === 'revenue' ? revenue : METRICS[name])),
  ];
  const lines = rows.map((row) => [
    valueLabel(dimension, row.value),
    ...COLUMNS.map((metric) => String(amountOf(row, metric, currency))),
  ]);
  downloadText(`${dimension}.csv`, 'text/csv', [header, ...lines].map(writeCsvRow).join(''));
}
