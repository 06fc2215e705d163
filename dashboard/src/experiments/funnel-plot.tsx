import type { ExperimentResults } from '@headwater/sdk';
import { Box, Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatChange, formatDate, formatNumber } from '../shared/formats.ts';

const WIDTH = 720;
const HEIGHT = 200;
const PAD = 8;
const COLORS = ['blue', 'orange', 'teal', 'grape', 'red', 'cyan', 'lime', 'pink', 'indigo'];

/** The interval of each variant at each look: it narrows as visitors settle, until it leaves out 0. */
export function FunnelPlot({ looks }: Pick<ExperimentResults, 'looks'>) {
  const known = looks.filter(({ intervals }) => intervals.some(({ low }) => low !== null));
  const last = known.at(-1);
  if (!last || known.length < 2) return null;
  const bounds = known.flatMap(({ intervals }) => intervals.flatMap(({ low, high }) => [low ?? 0, high ?? 0]));
  // Early intervals are as wide as nothing is known; they are cut off.
  const top = Math.min(2, Math.max(0.05, ...bounds));
  const bottom = Math.max(-1, Math.min(-0.05, ...bounds));
  const x = (i: number) => (i / (known.length - 1)) * WIDTH;
  const y = (lift: number) =>
    PAD + ((top - Math.max(bottom, Math.min(top, lift))) / (top - bottom)) * (HEIGHT - 2 * PAD);
  const colorOf = (k: number) => `var(--mantine-color-${COLORS[k % COLORS.length]}-6)`;
  const variants = last.intervals.map(({ variant }) => variant);
  const line = (variant: string, of: 'lift' | 'low' | 'high') =>
    known.flatMap(({ intervals }, i) => {
      const value = intervals.find((each) => each.variant === variant)?.[of];
      return value == null ? [] : [`${x(i).toFixed(1)},${y(value).toFixed(1)}`];
    });
  const summary = last.intervals
    .map(({ variant, low, high }) => `${variant}: ${formatChange(low ?? 0)} … ${formatChange(high ?? 0)}`)
    .join('; ');
  return (
    <Box component="figure" m={0}>
      <Group gap="md" mb="xs">
        {variants.map((variant, k) => (
          <Group key={variant} gap={6}>
            <Box w={10} h={10} bg={colorOf(k)} style={{ borderRadius: 2 }} />
            <Text size="xs">{variant}</Text>
          </Group>
        ))}
      </Group>
      <Group gap="xs" wrap="nowrap" h={HEIGHT}>
        <Box pos="relative" w={52} h="100%">
          {[top, 0, bottom].map((lift) => (
            <Text
              key={lift}
              size="xs"
              c="dimmed"
              pos="absolute"
              right={0}
              style={{ top: y(lift), transform: 'translateY(-50%)' }}
            >
              {formatChange(lift)}
            </Text>
          ))}
        </Box>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          // As high on a phone as on a desk.
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          role="img"
          aria-label={t('Intervals over time. On {day}, {summary}', { day: formatDate(last.at), summary })}
        >
          <line
            x1={0}
            x2={WIDTH}
            y1={y(0)}
            y2={y(0)}
            stroke="var(--mantine-color-dimmed)"
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
          />
          {variants.map((variant, k) => {
            const color = colorOf(k);
            const area = [...line(variant, 'low'), ...line(variant, 'high').reverse()].join(' ');
            return (
              <g key={variant}>
                <polygon points={area} fill={color} opacity={0.18} />
                <polyline
                  points={line(variant, 'lift').join(' ')}
                  fill="none"
                  stroke={color}
                  strokeWidth={2}
                  vectorEffect="non-scaling-stroke"
                />
              </g>
            );
          })}
        </svg>
      </Group>
      <Text component="figcaption" size="xs" c="dimmed" mt="xs">
        {t('{from} to {to}: the difference to the first variant and its interval, by {count} settled visitors', {
          from: formatDate(known[0]?.at ?? last.at),
          to: formatDate(last.at),
          count: formatNumber(last.settledVisitors),
        })}
      </Text>
    </Box>
  );
}
