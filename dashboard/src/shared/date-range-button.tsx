import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { formatDay } from './formats.ts';
import { Icon } from './icons.tsx';

// The calendar is loaded when it is opened.
const DateRangeDialog = lazy(() => import('./date-range-dialog.tsx'));

interface DateRangeButtonProps {
  from: string | undefined;
  to: string | undefined;
  /** The label without a range. */
  label: string;
  onChange: (range: { from: string; to: string }) => void;
}

/** Shows the custom date range, and opens the dialog that changes it. */
export function DateRangeButton({ from, to, label, onChange }: DateRangeButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        variant={from ? 'light' : 'default'}
        leftSection={<Icon name="clock" size={16} />}
        onClick={() => setIsOpen(true)}
      >
        {from && to ? formatRange(from, to) : label}
      </Button>
      <Suspense>
        {isOpen && (
          <DateRangeDialog
            from={from}
            to={to}
            onClose={close}
            onChoose={(first, last) => {
              close();
              onChange({ from: first, to: last });
            }}
          />
        )}
      </Suspense>
    </>
  );
}

export const formatRange = (from: string, to: string) =>
  from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
