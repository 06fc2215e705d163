import type { ExperimentResults } from '@headwater/sdk';
import { Box, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { formatChange, formatDate, formatNumber } from '../shared/formats.ts';

const WIDTH = 720;
const HEIGHT = 200;
const PAD = 24;
const COLORS = ['blue', 'orange', 'teal', 'grape', 'red', 'cyan', 'lime', 'pink', 'indigo'];

/** The interval of each variant at each look: it narrows as visitors settle, until it leaves out 0. */
export function FunnelPlot({ looks }: Pick<ExperimentResults, 'looks'>) {
  const known = looks.filter(({ intervals }) => intervals.some(({ low }) => low !== null));
  const last = known.at(-1);
  if (!last || known.length < 2) return null;
  const bounds = known.flatMap(({ intervals }) => intervals.flatMap(({ low, high }) => [low ?? 0, high ?? 0]));
  // Early intervals are as wide as nothing is known; they are cut off.
  const reach = Math.min(2, Math.max(0.05, ...bounds.map(Math.abs)));
  const x = (i: number) => PAD + (i / (known.length - 1)) * (WIDTH - 2 * PAD);
  const y = (lift: number) => HEIGHT / 2 - (Math.max(-reach, Math.min(reach, lift)) / reach) * (HEIGHT / 2 - PAD);
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
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        role="img"
        aria-label={t('Intervals over time. On {day}, {summary}', { day: formatDate(last.at), summary })}
      >
        <line
          x1={PAD}
          x2={WIDTH - PAD}
          y1={y(0)}
          y2={y(0)}
          stroke="var(--mantine-color-dimmed)"
          strokeDasharray="4 4"
        />
        {variants.map((variant, k) => {
          const color = `var(--mantine-color-${COLORS[k % COLORS.length]}-6)`;
          const area = [...line(variant, 'low'), ...line(variant, 'high').reverse()].join(' ');
          return (
            <g key={variant}>
              <polygon points={area} fill={color} opacity={0.18} />
              <polyline points={line(variant, 'lift').join(' ')} fill="none" stroke={color} strokeWidth={2} />
            </g>
          );
        })}
      </svg>
      <Text component="figcaption" size="xs" c="dimmed">
        {t('{from} to {to}: the difference to the first variant and its interval, by {count} settled visitors', {
          from: formatDate(known[0]?.at ?? last.at),
          to: formatDate(last.at),
          count: formatNumber(last.settledVisitors),
        })}
      </Text>
    </Box>
  );
}
