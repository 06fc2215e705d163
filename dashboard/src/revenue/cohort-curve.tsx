import type { Roas, RoasCurve } from '@headwater/sdk';
import { Box, Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import classes from '../reports/line-chart.module.css';
import { niceCeiling } from '../reports/line-chart.tsx';
import { headwater } from '../service/session.ts';
import { formatCompact, formatDate, formatMoney, formatNumber } from '../shared/formats.ts';
import { AGES, formatAge } from './ages.ts';
import styles from './cohort-curve.module.css';

const HEIGHT = 240;
const LEFT = 52;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 24;
/** Between the labels of two ages, in pixels. */
const LABEL_WIDTH = 44;

interface CohortCurveProps {
  period: { from: string; to: string };
  by: 'source' | 'campaign' | 'adGroup' | 'ad' | 'landingPage';
  model: 'last' | 'first' | 'linear' | 'position' | 'timeDecay';
  roas: Roas;
}

const nameOf = ({ key, source }: { key: string | null; source: string }) =>
  key === null || key === source ? source : `${key} (${source})`;

/** Revenue of one row and cohort by age, over the band of what is expected. */
export function CohortCurve({ period, by, model, roas }: CohortCurveProps) {
  const [chosen, setChosen] = useState(0);
  const [start, setStart] = useState<string>();
  const rows = roas.rows.filter(({ revenue }) => Number(revenue) !== 0);
  const row = rows[chosen] ?? rows[0];
  const query = useQuery({
    queryKey: ['roas curve', period, by, model, row?.source, row?.key],
    enabled: row !== undefined,
    queryFn: ({ signal }) =>
      headwater.getRoas(
        { ...period, by, model, curveSource: row?.source ?? '', ...(row && row.key !== null && { curveKey: row.key }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const curve = query.data?.curve;
  const cohorts = curve?.cohorts.filter(({ byAge }) => byAge.length > 0) ?? [];
  if (!row || !curve || cohorts.length === 0) return null;
  const cohort = cohorts.find((each) => each.start === start) ?? cohorts.at(-1);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Revenue by age')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('What the clicks of a cohort have earned after so many days, and the band in which it is expected.')}
      </Text>
      <Group gap="sm">
        <Select
          label={t('Return of')}
          searchable
          allowDeselect={false}
          data={rows.map((each, i) => ({ value: `${i}`, label: nameOf(each) }))}
          value={`${rows.indexOf(row)}`}
          onChange={(next) => setChosen(Number(next))}
        />
        <Select
          label={t('Clicks from')}
          allowDeselect={false}
          data={cohorts.map((each) => ({ value: each.start, label: formatDate(each.start) }))}
          value={cohort?.start ?? null}
          onChange={(next) => setStart(next ?? undefined)}
        />
      </Group>
      {cohort && <Band name={nameOf(curve)} cohort={cohort} shares={curve.expected} currency={roas.total.currency} />}
    </Stack>
  );
}

interface BandProps {
  name: string;
  cohort: RoasCurve['cohorts'][number];
  /** Of the revenue of full age, by age. */
  shares: readonly number[];
  currency: string | null;
}

function Band({ name, cohort, shares, currency }: BandProps) {
  const { ref, width } = useElementSize();
  const { byAge, start } = cohort;
  const [low, expected, high] = [cohort.expectedLow, cohort.expectedRevenue, cohort.expectedHigh].map(Number);
  const money = (value: number) => (currency === null ? formatNumber(value) : formatMoney(value, currency));
  const last = Math.max(shares.length - 1, byAge.length - 1, 1);
  const at = (bound = 0) => shares.map((share) => share * bound);
  const [lows, middle, highs] = [at(low), at(expected), at(high)];
  const top = niceCeiling(Math.max(1e-9, ...highs, ...byAge));
  const bottom = Math.min(0, ...lows, ...byAge);
  const x = (age: number) => LEFT + (age / last) * Math.max(width - LEFT - RIGHT, 1);
  const y = (value: number) => TOP + (1 - (value - bottom) / (top - bottom)) * (HEIGHT - BOTTOM - TOP);
  const points = (values: readonly number[]) =>
    values.map((value, age) => `${x(age).toFixed(1)},${y(value).toFixed(1)}`);
  const band = [...points(lows), ...points(highs).reverse()].join(' ');
  const ages = AGES.filter((age) => age <= last);
  // Early ages are close to each other: late ones have their label first.
  const labeled = [last];
  for (const age of ages.toReversed()) {
    const hasRoom = x(labeled.at(-1) ?? last) - x(age) >= LABEL_WIDTH;
    if (hasRoom && (age === 0 || x(age) - x(0) >= LABEL_WIDTH)) labeled.push(age);
  }
  const latest = byAge.length - 1;
  const title = t('Revenue of {name}, clicks from {start}', { name, start: formatDate(start) });
  return (
    <>
      <Group gap="md" aria-hidden="true">
        {(
          [
            [t('Revenue'), <line key="line" x1={0} x2={20} y1={6} y2={6} className={classes.line} />],
            [t('Expected'), <line key="line" x1={0} x2={20} y1={6} y2={6} className={classes.previous} />],
            [t('Expected at least and at most'), <rect key="band" width={20} height={12} className={styles.band} />],
          ] as const
        ).map(([label, mark]) => (
          <Group key={label} gap={6}>
            <svg width={20} height={12} aria-hidden="true">
              {mark}
            </svg>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          </Group>
        ))}
      </Group>
      <Box ref={ref} h={HEIGHT}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            role="img"
            className={classes.chart}
            aria-label={t(
              '{title}: {revenue} after {age, plural, one {# day} other {# days}}, {low} to {high} expected.',
              {
                ...{ title, revenue: money(byAge[latest] ?? 0), age: latest },
                ...{ low: money(low ?? 0), high: money(high ?? 0) },
              },
            )}
          >
            {[...new Set([bottom, 0, top / 2, top])].map((value) => (
              <g key={value}>
                <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} className={classes.grid} />
                <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                  {formatCompact(value)}
                </text>
              </g>
            ))}
            <polygon points={band} className={styles.band} />
            <polyline points={points(middle).join(' ')} className={classes.previous} />
            <polyline points={points(byAge).join(' ')} className={classes.line} />
            <circle cx={x(latest)} cy={y(byAge[latest] ?? 0)} r={4} className={classes.dot} />
            {labeled.map((age) => (
              <text key={age} x={x(age)} y={HEIGHT - 6} textAnchor={age === last ? 'end' : 'middle'}>
                {formatAge(age)}
              </text>
            ))}
          </svg>
        )}
      </Box>
      <Table.ScrollContainer minWidth={520} type="native" tabIndex={0} role="region" aria-label={title}>
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Age')}</Table.Th>
              {ages.map((age) => (
                <Table.Th key={age} ta="end">
                  {formatAge(age)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(
              [
                [t('Revenue'), byAge],
                [t('Expected'), middle],
                [t('Expected at least'), lows],
                [t('Expected at most'), highs],
              ] as const
            ).map(([label, values]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                {ages.map((age) => (
                  <Table.Td key={age} ta="end" className="number">
                    {values[age] === undefined ? '' : money(values[age])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
