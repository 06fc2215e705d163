import { SegmentedControl, Select } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { isPeriodName, PERIODS, type PeriodName } from './overview-state.ts';

const OPTIONS = Object.entries(PERIODS)
  .filter(([, { isFurther }]) => !isFurther)
  .map(([value, { label }]) => ({ value, label }));

interface PeriodSwitchProps {
  /** Empty while a custom range is active, or a period that is not offered here. */
  value: string;
  onChange: (period: PeriodName) => void;
}

/** The period of a report; a select on narrow screens. */
export function PeriodSwitch({ value, onChange }: PeriodSwitchProps) {
  const choose = (next: string | null) => isPeriodName(next) && onChange(next);
  return (
    <>
      <SegmentedControl
        visibleFrom="xs"
        aria-label={t('Period')}
        value={OPTIONS.some((each) => each.value === value) ? value : ''}
        onChange={choose}
        data={OPTIONS}
      />
      <Select
        hiddenFrom="xs"
        aria-label={t('Period')}
        placeholder={t('Period')}
        w={130}
        value={OPTIONS.some((each) => each.value === value) ? value : null}
        onChange={choose}
        data={OPTIONS}
      />
    </>
  );
}
