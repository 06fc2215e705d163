import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Presets } from './date-range-dialog.tsx';
import { isDay } from './days.ts';
import { formatDay, formatWallTimes } from './formats.ts';
import { Icon } from './icons.tsx';
import { lazy } from './lazy.tsx';

// The calendar is loaded when it is opened.
const DateRangeDialog = lazy(() => import('./date-range-dialog.tsx'));

interface DateRangeButtonProps {
  from: string | undefined;
  to: string | undefined;
  /** The label without a range. */
  label: string;
  /** Without times of day. */
  isDaysOnly?: boolean;
  onChange: (range: { from: string; to: string }) => void;
  /** Periods that the dialog offers besides. */
  presets?: Presets;
}

/** Shows the custom date range, and opens the dialog that changes it. */
export function DateRangeButton({ from, to, label, isDaysOnly = false, onChange, presets }: DateRangeButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const preset = from ? undefined : presets?.options.find(({ value }) => value === presets.value);
  return (
    <>
      <Button
        variant={from || preset ? 'light' : 'default'}
        leftSection={<Icon name="clock" size={16} />}
        onClick={() => setIsOpen(true)}
      >
        {from && to ? formatRange({ from, to }) : (preset?.label ?? label)}
      </Button>
      <Suspense>
        {isOpen && (
          <DateRangeDialog
            from={from}
            to={to}
            isDaysOnly={isDaysOnly}
            onClose={close}
            {...(presets && {
              presets: {
                ...presets,
                onChoose: (value: string) => {
                  close();
                  presets.onChoose(value);
                },
              },
            })}
            onChoose={(range) => {
              close();
              onChange(range);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** "20 Nov 2026 – 23 Nov 2026", or with times of day. */
export function formatRange({ from, to }: { from: string; to: string }): string {
  if (!isDay(from)) return formatWallTimes(from, to);
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}
