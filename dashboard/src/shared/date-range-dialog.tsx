import { Button, Group, Stack } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useState } from 'react';
import type { Presets } from './date-range-button.tsx';
import { Dialog } from './dialogs.tsx';

interface DateRangeDialogProps {
  from: string | undefined;
  to: string | undefined;
  onClose: () => void;
  onChoose: (from: string, to: string) => void;
  presets?: Presets;
}

/** Chooses a custom date range. */
export default function DateRangeDialog({ from, to, onClose, onChoose, presets }: DateRangeDialogProps) {
  const [days, setDays] = useState<[string | null, string | null]>([from ?? null, to ?? null]);
  const [first, last] = days;
  return (
    <Dialog onClose={onClose} title="Custom range" size="auto">
      <Stack align="center">
        {presets && (
          <Group gap="xs" justify="center" maw={320} role="group" aria-label="Periods">
            {presets.options.map(({ value, label }) => (
              <Button
                key={value}
                size="compact-sm"
                variant={value === presets.value ? 'light' : 'default'}
                onClick={() => presets.onChoose(value)}
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
        <DatePicker type="range" allowSingleDateInRange value={days} onChange={setDays} maxDate={new Date()} />
        <Button disabled={!first || !last} onClick={() => first && last && onChoose(first, last)}>
          Apply
        </Button>
      </Stack>
    </Dialog>
  );
}
