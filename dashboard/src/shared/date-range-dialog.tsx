import { Button, Stack } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useState } from 'react';
import { Dialog } from './dialogs.tsx';

interface DateRangeDialogProps {
  from: string | undefined;
  to: string | undefined;
  onClose: () => void;
  onChoose: (from: string, to: string) => void;
}

/** Chooses a custom date range. */
export default function DateRangeDialog({ from, to, onClose, onChoose }: DateRangeDialogProps) {
  const [days, setDays] = useState<[string | null, string | null]>([from ?? null, to ?? null]);
  const [first, last] = days;
  return (
    <Dialog onClose={onClose} title="Custom range" size="auto">
      <Stack align="center">
        <DatePicker type="range" allowSingleDateInRange value={days} onChange={setDays} maxDate={new Date()} />
        <Button disabled={!first || !last} onClick={() => first && last && onChoose(first, last)}>
          Apply
        </Button>
      </Stack>
    </Dialog>
  );
}
