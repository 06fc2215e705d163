import type { Conversion } from '@headwater/sdk';
import { Badge } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatMoney, formatNumber, formatRevenue } from '../shared/formats.ts';
import type { ListState } from '../shared/list-state.ts';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { TotalLine } from '../shared/total-line.tsx';
import { timesOfRange } from '../shared/wall-time.ts';
import { sourceOf } from '../visitors/source.tsx';

const COLUMNS: Column<Conversion>[] = [
  { id: 'event', label: t('Conversion'), cell: ({ event }) => event, note: ({ eventId }) => eventId },
  {
    id: 'value',
    label: t('Value'),
    isNumber: true,
    isSortable: true,
    isLargestFirst: true,
    cell: valueText,
    note: (conversion) => <StateBadge conversion={conversion} />,
  },
  { ...timeColumn<Conversion>('createdOn', t('Time'), ({ createdOn }) => createdOn), isSortable: true },
  { id: 'source', label: t('Source'), cell: (conversion) => <SourceLink conversion={conversion} /> },
  {
    id: 'lead',
    label: t('Lead'),
    cell: ({ lead }) => lead && <TextLink to={`/leads/${lead.id}`}>{lead.email}</TextLink>,
  },
];

interface ConversionListProps {
  state: ListState;
  onSort: (sort: string | undefined) => void;
}

export function ConversionList({ state, onSort }: ConversionListProps) {
  const { q, event, origin, source, campaign, currency, sort = 'createdOn:desc' } = state;
  const filters = {
    ...timesOfRange(state),
    ...{ q, event, source, campaign },
    currency: currency?.toUpperCase(),
    origin: origin as Conversion['origin'] | undefined,
  };
  const totals = useQuery({
    queryKey: ['conversions', 'totals', filters],
    queryFn: async ({ signal }) =>
      (await headwater.listConversions({ ...filters, totals: true, pageSize: 1 }, { signal })).totals,
    placeholderData: keepPreviousData,
  }).data;
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['conversions', state],
      (pageToken, signal) =>
        headwater.listConversions({ ...filters, sort: sort as 'value:desc', pageToken }, { signal }),
      ({ conversions }) => conversions,
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TotalLine
        parts={
          totals && [
            t('{count, plural, one {# conversion} other {# conversions}}', {
              count: totals.conversions - totals.refunds,
            }),
            ...(totals.refunds > 0 ? [t('{refunds} refunded', { refunds: formatNumber(totals.refunds) })] : []),
            formatRevenue(totals.revenue),
          ]
        }
      />
      <DataTable
        label={t('Conversions')}
        query={query}
        columns={COLUMNS}
        minWidth={760}
        sort={{ value: state.sort, byDefault: 'createdOn:desc', onChange: onSort }}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/conversions/${id}`}
        empty={
          Object.keys(state).length === 0 ? (
            <EmptyState icon="check" title={t('No conversions yet')}>
              {rich(
                'Report sales from your back end with the click ID or session, or record an event with a <code>value</code>.',
                { code: (text) => <code>{text}</code> },
              )}
            </EmptyState>
          ) : (
            <EmptyState icon="search" title={t('No conversions found')}>
              {t(
                'Search by order ID, click ID, session hash, session ID or complete email. Filters match exact values.',
              )}
            </EmptyState>
          )
        }
      />
    </>
  );
}

/** Whether a conversion was refunded, or how often its value changed. */
export function StateBadge({ conversion }: { conversion: Pick<Conversion, 'adjustments' | 'isRefunded'> }) {
  const { adjustments, isRefunded } = conversion;
  if (!isRefunded && adjustments === 0) return null;
  return (
    <Badge variant="light" color={isRefunded ? 'red' : 'gray'} size="xs">
      {isRefunded
        ? t('Refunded')
        : t('{count, plural, one {Adjusted} other {Adjusted # times}}', { count: adjustments })}
    </Badge>
  );
}

/** The source of a conversion, linked to its session. */
export function SourceLink({ conversion }: { conversion: Conversion }) {
  const { sessionId } = conversion;
  if (sessionId === null) return t('No session');
  return <TextLink to={`/sessions/${sessionId}`}>{sourceOf(conversion)}</TextLink>;
}

/** The value of a conversion in its currency, with all its digits. */
export function valueText({ value, currency }: { value: string | null; currency: string | null }): string {
  if (value === null) return '–';
  return currency ? formatMoney(value, currency) : value;
}
