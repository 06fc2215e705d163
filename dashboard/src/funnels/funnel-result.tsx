import type { Funnel } from '@headwater/sdk';
import { Box, Group, Stack, Text } from '@mantine/core';
import { formatNumber, formatPercent } from '../shared/formats.ts';
import classes from './funnels.module.css';

/** The steps of a funnel as bars. */
export function FunnelResult({ funnel }: { funnel: Funnel }) {
  return (
    <Stack p="lg" gap="md">
      {funnel.steps.map(({ page, event, count, dropped, ofFirst, ofPrevious }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step can occur twice
        <div key={i}>
          <Group justify="space-between" mb={4} gap="xs">
            <Text size="sm" fw={550}>
              {i + 1}. {page ?? event}
            </Text>
            <Text size="sm" className="number">
              {formatNumber(count)}
              {ofFirst !== null && i > 0 && ` · ${formatPercent(ofFirst)} of step 1`}
            </Text>
          </Group>
          <Box className={classes.track}>
            <span
              className={classes.bar}
              style={{ width: `${(i === 0 ? (count > 0 ? 1 : 0) : (ofFirst ?? 0)) * 100}%` }}
            />
          </Box>
          {i > 0 && (
            <Text size="xs" c="dimmed" mt={4} className="number">
              {formatNumber(dropped)} dropped off{ofPrevious !== null && `, ${formatPercent(ofPrevious)} continued`}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
