import type { Overview } from '@headwater/sdk';
import { SimpleGrid, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { LOCALE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import classes from '../reports/line-chart.module.css';
import { LineChart } from '../reports/line-chart.tsx';
import {
  amountOf,
  DEFINITIONS,
  formatAmount,
  METRICS,
  type Metric,
  mainCurrency,
  otherRevenue,
} from '../reports/metrics.ts';
import { formatChange, formatCompact, formatDuration, formatPercent } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';

const AnnotationLayer = lazy(async () => ({
  default: (await import('../annotations/annotation-layer.tsx')).AnnotationLayer,
}));

/** With the keyboard as well; on a touch screen a tap chooses the metric. */
const TOOLTIP_EVENTS = { hover: true, focus: true, touch: false };

interface NumbersProps {
  overview: Overview;
  /** Whether the chart shows annotations, and whether they can be changed. */
  annotations?: 'editable' | 'readable' | undefined;
}

/** The metrics of an overview, and the chart of the chosen one. */
export function Numbers({ overview, annotations }: NumbersProps) {
  const [metric, setMetric] = useState<Metric>('visitors');
  const { current, previous, change, line, previousLine, interval, timeZone } = overview;
  const currency = mainCurrency(current);
  const others = otherRevenue(current, currency);
  // All time starts with the first data.
  const start = previousLine ? 0 : Math.max(0, line.findIndex(hasData) - 1);
  const shownLine = line.length > 100 ? line.slice(start) : line;
  const format = (amount: number) => formatAmount(amount, metric, currency);
  const changeOf = (name: Metric) =>
    name !== 'revenue'
      ? change?.[name]
      : current.convertedRevenue
        ? change?.convertedRevenue
        : change?.revenue.find((each) => each.currency === currency)?.change;
  return (
    <Stack className="surface" p={{ base: 'xs', sm: 'md' }} gap="md">
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 5 }} spacing="xs">
        {(Object.keys(METRICS) as Metric[]).map((name) => (
          <Tooltip key={name} label={DEFINITIONS[name]} multiline w={240} openDelay={400} events={TOOLTIP_EVENTS}>
            <UnstyledButton
              className={classes.stat}
              data-chosen={name === metric}
              aria-pressed={name === metric}
              onClick={() => setMetric(name)}
            >
              <Text size="sm" c="dimmed">
                {METRICS[name]}
              </Text>
              <Amount text={formatAmount(amountOf(current, name, currency), name, currency)} />
              {previous && <Change change={changeOf(name) ?? null} isLessBetter={name === 'bounceRate'} />}
              {name === 'revenue' && others !== '' && (
                <Text size="xs" c="dimmed">
                  {others}
                </Text>
              )}
            </UnstyledButton>
          </Tooltip>
        ))}
      </SimpleGrid>
      <LineChart
        title={t('{metrics} over time', { metrics: METRICS[metric] })}
        unfinished={unfinishedOf(overview, shownLine)}
        points={shownLine.map((point, i) => {
          const previous = previousLine?.[i];
          return {
            label: labelOfTime(point.at, interval, timeZone),
            value: amountOf(point, metric, currency),
            ...(previous && { previous: amountOf(previous, metric, currency) }),
          };
        })}
        format={format}
        formatTick={
          metric === 'conversionRate' || metric === 'bounceRate'
            ? formatPercent
            : metric === 'sessionDuration'
              ? formatDuration
              : formatCompact
        }
        overlay={
          annotations &&
          ((geometry) => (
            <Suspense>
              <AnnotationLayer
                geometry={geometry}
                starts={shownLine.map(({ at }) => at)}
                isHourly={interval === 'hour'}
                from={overview.from}
                to={overview.to}
                mayEdit={annotations === 'editable'}
              />
            </Suspense>
          ))
        }
      />
    </Stack>
  );
}

/** The position of the interval in which the numbers were counted; undefined if all are over. */
function unfinishedOf({ to, asOf }: Overview, line: Overview['line']): number | undefined {
  if (asOf >= to) return undefined;
  const after = line.findIndex(({ at }) => at > asOf);
  return after < 0 ? line.length - 1 : Math.max(0, after - 1);
}

const hasData = ({ visits, conversions, leads }: Overview['line'][number]) => visits + conversions + leads > 0;

/** Long amounts use a smaller font to fit. */
function Amount({ text }: { text: string }) {
  return (
    <Text fz={text.length > 11 ? 19 : 24} fw={620} lh="31px" className="number">
      {text}
    </Text>
  );
}

function Change({ change, isLessBetter }: { change: number | null; isLessBetter: boolean }) {
  if (change === null) {
    return (
      <Text size="xs" c="dimmed">
        {t('No previous data')}
      </Text>
    );
  }
  const isUp = change > 0.0005;
  const isDown = change < -0.0005;
  return (
    <Text
      size="xs"
      c={isUp || isDown ? (isUp === isLessBetter ? 'var(--worse)' : 'var(--better)') : 'dimmed'}
      className="number"
    >
      {(isUp || isDown) && <Icon name={isUp ? 'up' : 'down'} size={12} className={classes.arrow} />}
      {isUp || isDown ? formatChange(change) : t('No change')}
    </Text>
  );
}

function labelOfTime(at: string, interval: Overview['interval'], timeZone: string): string {
  const style: Intl.DateTimeFormatOptions =
    interval === 'hour'
      ? { hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'short' }
      : interval === 'month'
        ? { month: 'long', year: 'numeric' }
        : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(LOCALE, { ...style, timeZone }).format(new Date(at));
}
