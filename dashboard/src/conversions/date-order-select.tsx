import { Select } from '@mantine/core';
import type { DateOrder } from './conversion-times.ts';

interface DateOrderSelectProps {
  value: DateOrder | null;
  onChange: (order: DateOrder) => void;
}

/** Asks how the dates of a CSV are written. */
export function DateOrderSelect({ value, onChange }: DateOrderSelectProps) {
  return (
    <Select
      label="Date format"
      description="The rows below show how the times are read."
      placeholder="Choose a format"
      data={[
        { value: 'dmy', label: 'Day first: 03/04/2026 is 3 April' },
        { value: 'mdy', label: 'Month first: 03/04/2026 is March 4' },
      ]}
      value={value}
      onChange={(next) => onChange(next as DateOrder)}
      maw={400}
    />
  );
}
