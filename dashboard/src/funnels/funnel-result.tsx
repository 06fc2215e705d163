import type { Funnel } from '@headwater/sdk';
import { Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import { valueLabel } from '../overview/dimension-labels.ts';
import type { Dimension } from '../overview/overview-state.ts';
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
          <Figure label="Conversion rate" value={last.ofFirst === null ? '–' : formatPercent(last.ofFirst)}>
            {previous && `Previous: ${percentOf(previous.steps.at(-1)?.ofFirst)}`}
          </Figure>
          <Figure label="Completed" value={formatNumber(last.count)}>
            {previous && `Previous: ${formatNumber(previous.steps.at(-1)?.count ?? 0)}`}
          </Figure>
          <Figure label="Median time to convert" value={timeToConvert ? formatDuration(timeToConvert.median) : '–'}>
            {timeToConvert && `Average: ${formatDuration(timeToConvert.average)}`}
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
          {ofFirst !== null && at > 0 && ` · ${formatPercent(ofFirst)} of step 1`}
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
                `${formatNumber(dropped)} dropped off${ofPrevious === null ? '' : `, ${formatPercent(ofPrevious)} continued`}`,
              ]
            : []),
          ...(fromPrevious
            ? [
                `${formatDuration(fromPrevious.median)} from the previous step (median), ${formatDuration(fromPrevious.average)} on average`,
              ]
            : []),
          ...(previous
            ? [
                `${at > 0 ? 'previous' : 'Previous'}: ${formatNumber(previous.count)}${at > 0 && previous.ofFirst !== null ? `, ${formatPercent(previous.ofFirst)} of step 1` : ''}`,
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
        Breakdown
      </Title>
      <Table.ScrollContainer minWidth={480} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Value</Table.Th>
              {steps.map((step, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step can occur twice
                <Table.Th key={i} ta="right" title={stepText(step)}>
                  Step {i + 1}
                </Table.Th>
              ))}
              <Table.Th ta="right">Conversion rate</Table.Th>
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
          The first {rows.length} values are shown.
        </Text>
      )}
    </div>
  );
}
