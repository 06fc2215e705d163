import type { Attribution } from '@headwater/sdk';
import { Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { formatMoney, formatNumber } from '../shared/formats.ts';
import { Loaded } from '../shared/states.tsx';
import { DIMENSION_LABELS, labelOfValue } from './dimension-labels.ts';
import type { Span } from './overview-state.ts';

const MODELS = {
  first: 'First',
  last: 'Last',
  linear: 'Linear',
  position: 'Position',
  timeDecay: 'Time decay',
} as const;
const BY = ['source', 'medium', 'campaign', 'platform', 'landingPage'] as const;
const WINDOWS = [1, 7, 30, 90];
const SHOWN = 10;

type Row = Attribution['rows'][number];

/** What led to the conversions of the days, by five models side by side. */
export function AttributionCard({ range }: { range: Omit<Span, 'interval' | 'compare'> }) {
  const [by, setBy] = useState<(typeof BY)[number]>('source');
  const [windowDays, setWindowDays] = useState(30);
  const query = useQuery({
    queryKey: ['attribution', by, windowDays, range],
    queryFn: ({ signal }) => headwater.getAttribution({ ...range, by, windowDays }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack className="surface" p="md" gap="sm">
      <Group justify="space-between">
        <Title order={2}>What led to conversions</Title>
        <Group gap="xs">
          <Select
            aria-label="Attribute to"
            size="xs"
            w={140}
            value={by}
            onChange={(next) => setBy(next as typeof by)}
            allowDeselect={false}
            data={BY.map((value) => ({ value, label: DIMENSION_LABELS[value] }))}
          />
          <Select
            aria-label="Days before a conversion that count"
            size="xs"
            w={140}
            value={String(windowDays)}
            onChange={(next) => setWindowDays(Number(next))}
            allowDeselect={false}
            data={WINDOWS.map((days) => ({
              value: String(days),
              label: days === 1 ? '1 day before' : `${days} days before`,
            }))}
          />
        </Group>
      </Group>
      <Loaded query={query} rows={5}>
        {({ rows, conversions, attributed }) =>
          rows.length === 0 ? (
            <Text size="sm" c="dimmed" py="sm">
              No conversion of these days has a visit within the window.
            </Text>
          ) : (
            <>
              <Table.ScrollContainer minWidth={620}>
                <Table className="data-table" verticalSpacing={6}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{DIMENSION_LABELS[by]}</Table.Th>
                      {Object.values(MODELS).map((label) => (
                        <Table.Th key={label} ta="right">
                          {label}
                        </Table.Th>
                      ))}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.slice(0, SHOWN).map((row) => (
                      <Table.Tr key={row.value ?? ''}>
                        <Table.Td>{labelOfValue(by, row.value)}</Table.Td>
                        {(Object.keys(MODELS) as (keyof typeof MODELS)[]).map((model) => (
                          <Table.Td key={model} ta="right" className="number">
                            <Share share={row[model]} currency={currencyOf(rows)} />
                          </Table.Td>
                        ))}
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <Text size="xs" c="dimmed">
                {formatNumber(attributed)} of {formatNumber(conversions)} conversions have a visit within the window.
                {rows.length > SHOWN && ` The ${SHOWN} with the most are shown.`}
              </Text>
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The currency with the most money in it: one for the whole table. */
function currencyOf(rows: Row[]): string | null {
  const sums = new Map<string | null, number>();
  for (const { last } of rows) {
    for (const { currency, value } of last.revenue) sums.set(currency, (sums.get(currency) ?? 0) + Number(value));
  }
  const [most] = [...sums].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

function Share({ share, currency }: { share: Row['first']; currency: string | null }) {
  const amount = share.revenue.find((each) => each.currency === currency)?.value;
  return (
    <>
      <Text size="sm">{formatNumber(Math.round(share.conversions * 10) / 10)}</Text>
      {currency !== null && (
        <Text size="xs" c="dimmed">
          {formatMoney(amount ?? 0, currency)}
        </Text>
      )}
    </>
  );
}
