import type { AdPerformance, AdPerformanceNumbers } from '@headwater/sdk';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
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

/** What could be converted, with a note if that is not all; without a currency of the account, each amount. */
const inOne = (text: string, isComplete: boolean): ReactNode =>
  isComplete ? (
    text
  ) : (
    <>
      {text}
      <Text size="xs" c="dimmed" component="div">
        {t('not all converted')}
      </Text>
    </>
  );

export const costText = ({ cost, converted }: AdPerformanceNumbers) =>
  converted ? inOne(formatMoney(converted.cost, converted.currency), converted.isComplete) : amounts(cost);

export const revenueText = ({ revenue, converted }: AdPerformanceNumbers) =>
  converted ? inOne(formatMoney(converted.revenue, converted.currency), converted.isComplete) : amounts(revenue);

export function costPerConversionText({ costPerConversion, converted }: AdPerformanceNumbers): ReactNode {
  if (!converted) return amounts(costPerConversion);
  return converted.costPerConversion === null ? '' : formatMoney(converted.costPerConversion, converted.currency);
}

export function returnText({ returnOnAdSpend, converted }: AdPerformanceNumbers): ReactNode {
  if (converted) return converted.returnOnAdSpend === null ? '' : formatPercent(converted.returnOnAdSpend);
  return returnOnAdSpend.map(({ currency, value }) => (
    <div key={currency}>
      {formatPercent(value)}
      {returnOnAdSpend.length > 1 && ` ${currency}`}
    </div>
  ));
}

const LABELS: Record<By, { label: string; none: string }> = {
  source: { label: t('Source'), none: t('No source') },
  campaign: { label: t('Campaign'), none: t('No campaign') },
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
    { id: 'cost', label: t('Ad spend'), isNumber: true, cell: costText },
    { id: 'clicks', label: t('Clicks'), isNumber: true, cell: ({ clicks }) => formatNumber(clicks) },
    { id: 'sessions', label: t('Sessions'), isNumber: true, cell: ({ sessions }) => formatNumber(sessions) },
    {
      id: 'conversions',
      label: t('Conversions'),
      isNumber: true,
      cell: ({ conversions }) => formatNumber(conversions),
    },
    { id: 'revenue', label: t('Revenue'), isNumber: true, cell: revenueText },
    { id: 'cpa', label: t('Cost per conversion'), isNumber: true, cell: costPerConversionText },
    { id: 'roas', label: 'ROAS', isNumber: true, cell: returnText },
  ];
  return (
    <DataTable
      label={t('Ad performance')}
      query={{ data: rows }}
      columns={columns}
      minWidth={760}
      isBare={isBare}
      rowKey={({ value }) => value ?? ''}
      empty={empty ?? <EmptyState icon="coins" title={t('No ad spend in this period')} />}
    />
  );
}
