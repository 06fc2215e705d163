import type { Attribution } from '@headwater/sdk';
import { Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { costText } from '../ad-costs/performance-table.tsx';
import { performanceQuery } from '../ad-costs/queries.ts';
import { t } from '../languages/translate.ts';
import { DIMENSION_LABELS, valueLabel } from '../reports/dimension-labels.ts';
import {
  type Filter,
  filterParams,
  hasWholeDays,
  type OverviewState,
  type Span,
  withFilter,
} from '../reports/overview-state.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatMoney, formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { costOf, type Spend } from './ad-spend.ts';

const MODELS = [
  { id: 'first', label: t('First-touch') },
  { id: 'last', label: t('Last-touch') },
  { id: 'linear', label: t('Linear') },
  { id: 'position', label: t('Position-based') },
  { id: 'timeDecay', label: t('Time decay') },
] as const;
const BY = ['source', 'medium', 'campaign', 'platform', 'landingPage'] as const;
const WINDOWS = [1, 7, 30, 90];
const SHOWN = 10;
/** Media that no ad led to are left out, as in the ad spend. */
const PAID: Filter = {
  dimension: 'medium',
  operator: 'isNot',
  values: ['organic', 'referral', 'email', 'ai-assistant'],
};

type Row = Attribution['rows'][number];

interface AttributionCardProps {
  range: Omit<Span, 'interval' | 'compare'>;
  filters: OverviewState['filters'];
}

/** The conversions of the period by source, attributed by five models side by side. */
export function AttributionCard({ range, filters }: AttributionCardProps) {
  const [by, setBy] = useState<(typeof BY)[number]>('source');
  const [windowDays, setWindowDays] = useState(30);
  const query = useQuery({
    queryKey: ['attribution', by, windowDays, range, filters],
    queryFn: ({ signal }) =>
      headwater.getAttribution({ ...range, by, windowDays, ...filterParams(filters) }, { signal }),
    placeholderData: keepPreviousData,
  });
  const costs = useSpend(by, range);
  // Cost is compared with what ads led to, as in the table of ad spend.
  const paid = useQuery({
    queryKey: ['attribution', 'paid', by, windowDays, range, filters],
    enabled: costs !== undefined,
    queryFn: ({ signal }) =>
      headwater.getAttribution(
        { ...range, by, windowDays, ...filterParams(withFilter({ filters }, PAID)) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const paidRows = new Map(paid.data?.rows.map((row) => [row.value, row]));
  return (
    <Card
      title={t('Attribution')}
      note={t('Conversions in this period, including those from earlier clicks.')}
      controls={
        <Group gap="xs">
          <Select
            aria-label={t('Dimension')}
            size="xs"
            w={140}
            value={by}
            onChange={(next) => setBy(next as typeof by)}
            data={BY.map((value) => ({ value, label: DIMENSION_LABELS[value] }))}
          />
          <Select
            aria-label={t('Lookback window')}
            size="xs"
            w={140}
            value={String(windowDays)}
            onChange={(next) => setWindowDays(Number(next))}
            data={WINDOWS.map((days) => ({ value: String(days), label: t('{days}-day lookback', { days }) }))}
          />
        </Group>
      }
    >
      <Loaded query={query} rows={5}>
        {({ rows, conversions, attributed }) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed" py="sm">
              {t('No conversions of this period have a visit within the lookback window.')}
            </Text>
          ) : (
            <>
              <DataTable
                label={t('Attribution')}
                query={{ data: rows.slice(0, SHOWN) }}
                minWidth={620}
                isDense
                isBare
                rowKey={({ value }) => value ?? ''}
                columns={[
                  { id: by, label: DIMENSION_LABELS[by], cell: ({ value }) => valueLabel(by, value) },
                  ...(costs
                    ? [
                        {
                          id: 'cost',
                          label: t('Ad spend'),
                          isNumber: true,
                          cell: ({ value }: Row) => costs.get(value)?.text,
                        },
                      ]
                    : []),
                  ...MODELS.map(
                    ({ id, label }): Column<Row> => ({
                      id,
                      label,
                      isNumber: true,
                      cell: (row) => formatNumber(Math.round(row[id].conversions * 10) / 10),
                      note: (row) => (
                        <>
                          {revenueText(row[id])}
                          {spendText(paidRows.get(row.value)?.[id], costs?.get(row.value)?.spend)}
                        </>
                      ),
                    }),
                  ),
                ]}
              />
              <Text size="xs" c="dimmed">
                {t('{attributed} of {conversions} conversions have a visit within the lookback window.{top}{costs}', {
                  attributed: formatNumber(attributed),
                  conversions: formatNumber(conversions),
                  top: rows.length > SHOWN && ` ${t('Top {shown} shown.', { shown: SHOWN })}`,
                  costs:
                    costs &&
                    ` ${t('Cost per conversion (CPA) and return on ad spend (ROAS) count the conversions that ads led to.')}`,
                })}
              </Text>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** The revenue in the currency of the account, or in every currency, one on each line. */
const revenueText = ({ revenue, convertedRevenue }: Row['first']) =>
  (convertedRevenue?.isComplete && revenue.length > 0 ? [convertedRevenue] : revenue).map(({ value, currency }) => (
    <div key={currency}>{currency === null ? formatNumber(Number(value)) : formatMoney(value, currency)}</div>
  ));

/** The ad spend of the period by source or campaign; undefined if there is none. */
function useSpend(by: (typeof BY)[number], range: AttributionCardProps['range']) {
  const isCosted = (by === 'source' || by === 'campaign') && hasWholeDays(range);
  const { data } = useQuery({ ...performanceQuery(range, by === 'campaign' ? by : 'source'), enabled: isCosted });
  if (!isCosted || !data || data.rows.length === 0) return undefined;
  return new Map(data.rows.map((row) => [row.value, { text: costText(row), spend: costOf(row) }]));
}

function spendText(share: Row['first'] | undefined, spend: Spend | undefined) {
  if (!spend || !share) return null;
  const { conversions, revenue, convertedRevenue } = share;
  const { perConversion, returned } = spend({ conversions, revenue, convertedRevenue });
  return (
    <>
      {perConversion !== null && <div>{t('CPA {perConversion}', { perConversion })}</div>}
      {returned !== null && <div>{t('ROAS {returned}', { returned })}</div>}
    </>
  );
}
