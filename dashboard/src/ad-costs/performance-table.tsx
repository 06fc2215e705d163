import type { AdPerformance, AdPerformanceNumbers } from '@headwater/sdk';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';
import { EmptyState } from '../shared/states.tsx';

export type By = 'source' | 'campaign';

type Row = AdPerformance['rows'][number];
type Amounts = readonly { currency: string | null; value: string }[];

/** Amounts in several currencies, one on each line. */
function amounts(list: Amounts): ReactNode {
  return list.map(({ currency, value }) => (
    <div key={currency}>{currency === null ? formatNumber(Number(value)) : formatMoney(value, currency)}</div>
  ));
}

/** The converted amount if every currency has a rate, else the amount in each currency. */
export const costText = ({ cost, converted }: AdPerformanceNumbers) =>
  converted?.isComplete ? formatMoney(converted.cost, converted.currency) : amounts(cost);

export const revenueText = ({ revenue, converted }: AdPerformanceNumbers) =>
  converted?.isComplete ? formatMoney(converted.revenue, converted.currency) : amounts(revenue);

export function costPerConversionText({ costPerConversion, converted }: AdPerformanceNumbers): ReactNode {
  if (!converted?.isComplete) return amounts(costPerConversion);
  return converted.costPerConversion === null ? '' : formatMoney(converted.costPerConversion, converted.currency);
}

export function returnText({ returnOnAdSpend, converted }: AdPerformanceNumbers): ReactNode {
  if (converted?.isComplete) return converted.returnOnAdSpend === null ? '' : formatPercent(converted.returnOnAdSpend);
  return returnOnAdSpend.map(({ currency, value }) => (
    <div key={currency}>
      {formatPercent(value)}
      {returnOnAdSpend.length > 1 && ` ${currency}`}
    </div>
  ));
}

const LABELS: Record<By, { label: string; none: string }> = {
  source: { label: 'Source', none: 'No source' },
  campaign: { label: 'Campaign', none: 'No campaign' },
};

interface PerformanceTableProps {
  by: By;
  rows: Row[] | undefined;
  isBare?: boolean;
  empty?: ReactNode;
}

/** What ads cost and what came of it. */
export function PerformanceTable({ by, rows, isBare, empty }: PerformanceTableProps) {
  const columns: Column<Row>[] = [
    { id: 'value', label: LABELS[by].label, cell: ({ value }) => value ?? LABELS[by].none },
    { id: 'cost', label: 'Ad spend', isNumber: true, cell: costText },
    { id: 'clicks', label: 'Clicks', isNumber: true, cell: ({ clicks }) => formatNumber(clicks) },
    { id: 'sessions', label: 'Sessions', isNumber: true, cell: ({ sessions }) => formatNumber(sessions) },
    { id: 'conversions', label: 'Conversions', isNumber: true, cell: ({ conversions }) => formatNumber(conversions) },
    { id: 'revenue', label: 'Revenue', isNumber: true, cell: revenueText },
    { id: 'cpa', label: 'Cost per conversion', isNumber: true, cell: costPerConversionText },
    { id: 'roas', label: 'ROAS', isNumber: true, cell: returnText },
  ];
  return (
    <DataTable
      label="Ad performance"
      query={{ data: rows }}
      columns={columns}
      minWidth={760}
      isBare={isBare}
      rowKey={({ value }) => value ?? ''}
      empty={empty ?? <EmptyState icon="coins" title="No ad spend in this period" />}
    />
  );
}
