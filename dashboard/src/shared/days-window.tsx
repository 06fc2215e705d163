import { Button, Modal, Stack } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useState } from 'react';
import { useFocusBack } from './use-focus-back.ts';

interface DaysWindowProps {
  from: string | undefined;
  to: string | undefined;
  onClose: () => void;
  onChoose: (from: string, to: string) => void;
}

/** The first and the last day of a period of one's own. */
export default function DaysWindow({ from, to, onClose, onChoose }: DaysWindowProps) {
  useFocusBack();
  const [days, setDays] = useState<[string | null, string | null]>([from ?? null, to ?? null]);
  const [first, last] = days;
  return (
    <Modal opened onClose={onClose} title="First and last day" size="auto">
      <Stack align="center">
        <DatePicker type="range" allowSingleDateInRange value={days} onChange={setDays} maxDate={new Date()} />
        <Button disabled={!first || !last} onClick={() => first && last && onChoose(first, last)}>
          Show these days
        </Button>
      </Stack>
    </Modal>
  );
}
