import type { Funnel } from '@headwater/sdk';
import { Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { valueLabel } from '../reports/dimension-labels.ts';
import type { Dimension } from '../reports/overview-state.ts';
import { formatDuration, formatNumber, formatPercent } from '../shared/formats.ts';
import { stepText } from './funnel-state.ts';
import classes from './funnels.module.css';

interface FunnelResultProps {
  funnel: Funnel;
  breakdownBy?: Dimension | undefined;
}

/** The steps of a funnel as bars, with the previous period behind them, and by the values of a dimension. */
export function FunnelResult({ funnel, breakdownBy }: FunnelResultProps) {
  const { steps, timeToConvert, previous, breakdown } = funnel;
  const last = steps.at(-1);
  return (
    <Stack p="lg" gap="lg">
      {last && steps.length > 1 && (
        <Group gap="xl">
          <Figure label={t('Conversion rate')} value={last.ofFirst === null ? '–' : formatPercent(last.ofFirst)}>
            {previous && t('Previous: {ofFirst}', { ofFirst: percentOf(previous.steps.at(-1)?.ofFirst) })}
          </Figure>
          <Figure label={t('Completed')} value={formatNumber(last.count)}>
            {previous && t('Previous: {count}', { count: formatNumber(previous.steps.at(-1)?.count ?? 0) })}
          </Figure>
          <Figure
            label={t('Median time to convert')}
            value={timeToConvert ? formatDuration(timeToConvert.median) : '–'}
          >
            {timeToConvert && t('Average: {average}', { average: formatDuration(timeToConvert.average) })}
          </Figure>
        </Group>
      )}
      {steps.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step can occur twice
        <StepBar key={i} step={step} at={i} previous={previous?.steps[i]} previousFirst={previous?.steps[0]?.count} />
      ))}
      {breakdown && breakdownBy && <BreakdownTable breakdown={breakdown} steps={steps} dimension={breakdownBy} />}
    </Stack>
  );
}

const percentOf = (share: number | null | undefined) =>
  share === null || share === undefined ? '–' : formatPercent(share);

function Figure({ label, value, children }: { label: string; value: string; children: string | null }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={24} fw={620} lh="31px" className="number">
        {value}
      </Text>
      {children && (
        <Text size="xs" c="dimmed" className="number">
          {children}
        </Text>
      )}
    </div>
  );
}

interface StepBarProps {
  step: Funnel['steps'][number];
  at: number;
  previous: { count: number; ofFirst: number | null } | undefined;
  previousFirst: number | undefined;
}

function StepBar({ step, at, previous, previousFirst = 0 }: StepBarProps) {
  const { count, dropped, ofFirst, ofPrevious, fromPrevious } = step;
  const shareOf = (ofFirst: number | null, count: number) => (at === 0 ? Math.min(count, 1) : (ofFirst ?? 0));
  return (
    <div>
      <Group justify="space-between" mb={4} gap="xs">
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {at + 1}. {stepText(step)}
        </Text>
        <Text size="sm" className="number">
          {formatNumber(count)}
          {ofFirst !== null && at > 0 && ` ${t('· {ofFirst} of step 1', { ofFirst: formatPercent(ofFirst) })}`}
        </Text>
      </Group>
      <Box className={classes.track}>
        <span className={classes.bar} style={{ width: `${shareOf(ofFirst, count) * 100}%` }} />
        {previous && (
          <span className={classes.previous} style={{ width: `${shareOf(previous.ofFirst, previousFirst) * 100}%` }} />
        )}
      </Box>
      <Text size="xs" c="dimmed" mt={4} className="number">
        {[
          ...(at > 0
            ? [
                t('{count, number} dropped off', { count: dropped }),
                ...(ofPrevious === null ? [] : [t('{share} continued', { share: formatPercent(ofPrevious) })]),
              ]
            : []),
          ...(fromPrevious
            ? [
                t('{median} from the previous step (median), {average} on average', {
                  median: formatDuration(fromPrevious.median),
                  average: formatDuration(fromPrevious.average),
                }),
              ]
            : []),
          ...(previous
            ? [
                at > 0 && previous.ofFirst !== null
                  ? t('Previous: {count, number}, {share} of step 1', {
                      count: previous.count,
                      share: formatPercent(previous.ofFirst),
                    })
                  : t('Previous: {count, number}', { count: previous.count }),
              ]
            : []),
        ].join(' · ')}
      </Text>
    </div>
  );
}

interface BreakdownTableProps {
  breakdown: NonNullable<Funnel['breakdown']>;
  steps: Funnel['steps'];
  dimension: Dimension;
}

function BreakdownTable({ breakdown: { rows, more }, steps, dimension }: BreakdownTableProps) {
  return (
    <div>
      <Title order={2} size="h4" mb="xs">
        {t('Breakdown')}
      </Title>
      <Table.ScrollContainer minWidth={480} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Value')}</Table.Th>
              {steps.map((step, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step can occur twice
                <Table.Th key={i} ta="right" title={stepText(step)}>
                  {t('Step {i}', { i: i + 1 })}
                </Table.Th>
              ))}
              <Table.Th ta="right">{t('Conversion rate')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ value, counts, ofFirst }) => (
              <Table.Tr key={value ?? ''}>
                <Table.Td>{valueLabel(dimension, value)}</Table.Td>
                {counts.map((count, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns are steps
                  <Table.Td key={i} ta="right" className="number">
                    {formatNumber(count)}
                  </Table.Td>
                ))}
                <Table.Td ta="right" className="number">
                  {percentOf(ofFirst)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('The first {count} values are shown.', { count: rows.length })}
        </Text>
      )}
    </div>
  );
}
