import { Select } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { DateOrder } from './conversion-times.ts';

interface DateOrderSelectProps {
  value: DateOrder | null;
  onChange: (order: DateOrder) => void;
}

/** Asks how the dates of a CSV are written. */
export function DateOrderSelect({ value, onChange }: DateOrderSelectProps) {
  return (
    <Select
      label={t('Date format')}
      description={t('The rows below show how the times are read.')}
      placeholder={t('Choose a format')}
      data={[
        { value: 'dmy', label: t('Day first: 03/04/2026 is 3 April') },
        { value: 'mdy', label: t('Month first: 03/04/2026 is March 4') },
      ]}
      value={value}
      onChange={(next) => onChange(next as DateOrder)}
      maw={400}
    />
  );
}
