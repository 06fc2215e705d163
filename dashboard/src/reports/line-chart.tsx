import { Box, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { t } from '../languages/translate.ts';
import classes from './line-chart.module.css';

export interface Point {
  label: string;
  value: number;
  /** The value at the same position of the previous period. */
  previous?: number;
}

interface LineChartProps {
  title: string;
  points: Point[];
  /** The position of the interval that is not over: the line to it is dashed, and ends there. */
  unfinished?: number | undefined;
  format: (value: number) => string;
  /** Short, for the axis. */
  formatTick: (value: number) => string;
  /** Additional content of the chart. */
  overlay?: ((geometry: Geometry) => ReactNode) | undefined;
}

/** Of a chart, in pixels. */
export interface Geometry {
  /** The position of a point. */
  x: (point: number) => number;
  /** The point under the pointer. */
  hovered: number | undefined;
  /** Of the time axis. */
  bottom: number;
  height: number;
}

const HEIGHT = 240;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 8;
/** Of labels, in pixels: wider than the digits and most letters of the font. */
const CHARACTER = 6.2;
const LABEL_GAP = 18;

/** A line over time with the previous period behind it, and the same data as a table for screen readers. */
export function LineChart({ title, points, unfinished, format, formatTick, overlay }: LineChartProps) {
  const { ref, width } = useElementSize();
  const [at, setAt] = useState<number>();
  const top = niceCeiling(Math.max(1e-9, ...points.flatMap(({ value, previous = 0 }) => [value, previous])));
  const inner = Math.max(width - LEFT - 8, 1);
  const x = (i: number) => LEFT + (points.length < 2 ? inner / 2 : (i / (points.length - 1)) * inner);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const path = (values: number[]) =>
    values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const values = points.slice(0, unfinished).map(({ value }) => value);
  const last = unfinished === undefined ? undefined : points[unfinished];
  const known = last ? [...values, last.value] : values;
  const previousValues = points.map(({ previous }) => previous).filter((value) => value !== undefined);
  const labelWidth = Math.max(...points.map(({ label }) => label.length)) * CHARACTER + LABEL_GAP;
  const everyNth = Math.max(1, Math.ceil((points.length - 1) / Math.max(1, Math.floor(inner / labelWidth))));
  /** Labels stay inside the chart: the first starts at its point, one at the right edge ends there. */
  const anchorAt = (i: number) => {
    if (i === 0 && points.length > 1) return 'start';
    return x(i) + labelWidth / 2 > width ? 'end' : 'middle';
  };
  const shown = at === undefined ? undefined : points[at];
  const onMove = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left - LEFT) / inner;
    setAt(Math.max(0, Math.min(points.length - 1, Math.round(share * (points.length - 1)))));
  };
  return (
    <Box
      ref={ref}
      pos="relative"
      h={HEIGHT}
      mb={overlay && 24}
      onPointerMove={onMove}
      onPointerLeave={() => setAt(undefined)}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true" className={classes.chart}>
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <line x1={LEFT} x2={width - 8} y1={y(top * share)} y2={y(top * share)} className={classes.grid} />
              <text x={LEFT - 8} y={y(top * share) + 4} textAnchor="end">
                {formatTick(top * share)}
              </text>
            </g>
          ))}
          {points.map(({ label }, i) =>
            i % everyNth === 0 ? (
              <text key={label} x={x(i)} y={HEIGHT - 6} textAnchor={anchorAt(i)}>
                {label}
              </text>
            ) : null,
          )}
          {previousValues.length > 1 && <path d={path(previousValues)} className={classes.previous} />}
          {known.length > 1 && (
            <path d={`${path(known)}L${x(known.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} className={classes.area} />
          )}
          <path d={path(values)} className={classes.line} />
          {last && unfinished !== undefined && unfinished > 0 && (
            <path
              d={`M${x(unfinished - 1)} ${y(values.at(-1) ?? 0)}L${x(unfinished)} ${y(last.value)}`}
              className={`${classes.line} ${classes.unfinished}`}
            />
          )}
          {known.length === 1 && <circle cx={x(0)} cy={y(known[0] ?? 0)} r={4} className={classes.dot} />}
          {at !== undefined && (
            <>
              <line x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} className={classes.cursor} />
              {at < known.length && <circle cx={x(at)} cy={y(known[at] ?? 0)} r={4} className={classes.dot} />}
            </>
          )}
        </svg>
      )}
      {width > 0 && overlay?.({ x, hovered: at, bottom: HEIGHT - BOTTOM, height: HEIGHT })}
      {shown && at !== undefined && (
        <Box className={classes.tip} style={{ left: Math.min(Math.max(x(at), 80), width - 80) }}>
          <Text size="xs" c="dimmed">
            {shown.label}
          </Text>
          <Text size="sm" fw={600} className="number">
            {at < known.length ? format(shown.value) : '–'}
            {at === unfinished && ` ${t('so far')}`}
          </Text>
          {shown.previous !== undefined && (
            <Text size="xs" c="dimmed" className="number">
              {t('Previous: {previous}', { previous: format(shown.previous) })}
            </Text>
          )}
        </Box>
      )}
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <tbody>
            {points.map(({ label, value, previous }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{format(value)}</td>
                {previous !== undefined && <td>{t('Previous: {previous}', { previous: format(previous) })}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  );
}

/** The next of 1, 2, 2.5, 5, 10 and so on. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value * 0.999) ?? 10) * power;
}
