import type { Roas } from '@headwater/sdk';
import { Stack, Table, Text, Title } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatDate, formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';
import { AGES, formatAge } from './ages.ts';

/** Revenue of each cohort by its age, as shares of what is expected at full age. */
export function TriangleMap({ roas }: { roas: Roas }) {
  const { cohorts, development } = roas;
  const ages = AGES.filter((age) => development.ages.includes(age));
  const shown = cohorts.filter(({ byAge }) => byAge?.some((amount) => amount !== 0)).slice(-16);
  if (shown.length === 0 || ages.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Cohorts by age')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(
          'Revenue of the clicks of a {interval, select, day {day} week {week} other {month}} after so many days, and the share of what they are expected to earn. The last row is what earlier clicks had earned at that age.',
          { interval: roas.interval },
        )}
      </Text>
      <Table.ScrollContainer minWidth={640} type="native" tabIndex={0} role="region" aria-label={t('Cohorts by age')}>
        <Table aria-label={t('Cohorts by age')} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Clicks from')}</Table.Th>
              {ages.map((age) => (
                <Table.Th key={age} ta="end">
                  {formatAge(age)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ start, byAge = [], expectedRevenue, currency }) => (
              <Table.Tr key={start}>
                <Table.Td>{formatDate(start)}</Table.Td>
                {ages.map((age) => {
                  const amount = byAge[age];
                  const share =
                    amount === undefined || !Number(expectedRevenue) ? null : amount / Number(expectedRevenue);
                  return (
                    <Table.Td
                      key={age}
                      ta="end"
                      className="number"
                      style={share === null ? undefined : { background: heatOf(share) }}
                      title={
                        amount === undefined
                          ? undefined
                          : currency === null
                            ? formatNumber(amount)
                            : formatMoney(amount, currency)
                      }
                    >
                      {share === null ? '' : formatPercent(share)}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Th scope="row">{t('Expected')}</Table.Th>
              {ages.map((age) => (
                <Table.Td key={age} ta="end" className="number">
                  {development.expected[age] === undefined ? '' : formatPercent(development.expected[age])}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}

/** Weak enough for text on it to stay readable in both color schemes. */
const heatOf = (share: number) =>
  `color-mix(in srgb, var(--mantine-color-green-6) ${Math.round(Math.min(1, Math.max(0, share)) * 35)}%, transparent)`;
