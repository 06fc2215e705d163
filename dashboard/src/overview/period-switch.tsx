import { SegmentedControl, Select } from '@mantine/core';
import { PERIODS } from './overview-state.ts';

const OPTIONS = Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }));

interface PeriodSwitchProps {
  /** Empty where none of them is chosen. */
  value: string;
  onChange: (period: string) => void;
}

/** How many days are looked at; a list where there is no room for all of them. */
export function PeriodSwitch({ value, onChange }: PeriodSwitchProps) {
  return (
    <>
      <SegmentedControl visibleFrom="xs" aria-label="Period" value={value} onChange={onChange} data={OPTIONS} />
      <Select
        hiddenFrom="xs"
        aria-label="Period"
        placeholder="Period"
        w={130}
        value={value || null}
        onChange={(next) => next && onChange(next)}
        data={OPTIONS}
        allowDeselect={false}
      />
    </>
  );
}
