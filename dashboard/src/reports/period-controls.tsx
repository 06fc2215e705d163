import { Select } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { DateRangeButton } from '../shared/date-range-button.tsx';
import { DEFAULT_PERIOD, isPeriodName, type OverviewState, PERIODS } from './overview-state.ts';
import { PeriodSwitch } from './period-switch.tsx';

const FURTHER_PERIODS = Object.entries(PERIODS)
  .filter(([, { isFurther }]) => isFurther)
  .map(([value, { label }]) => ({ value, label }));

interface PeriodControlsProps {
  state: OverviewState;
  onChange: (part: Partial<OverviewState>) => void;
  withComparison?: boolean;
}

/** Chooses the period of a report and what it is compared with. */
export function PeriodControls({ state, onChange, withComparison = true }: PeriodControlsProps) {
  return (
    <>
      <PeriodSwitch
        value={state.from ? '' : (state.period ?? DEFAULT_PERIOD)}
        onChange={(period) => onChange({ period, from: undefined, to: undefined })}
      />
      <DateRangeButton
        from={state.from}
        to={state.to}
        label={t('Custom range')}
        onChange={(range) => onChange({ ...range, period: undefined })}
        presets={{
          options: FURTHER_PERIODS,
          value: state.period,
          onChoose: (period) => isPeriodName(period) && onChange({ period, from: undefined, to: undefined }),
        }}
      />
      {withComparison && (
        <Select
          aria-label={t('Compare')}
          w={190}
          value={state.compare ?? 'previous'}
          onChange={(compare) =>
            onChange({ compare: compare === 'previous' ? undefined : (compare as 'year' | 'none') })
          }
          data={[
            { value: 'previous', label: t('Previous period') },
            { value: 'year', label: t('Previous year') },
            { value: 'none', label: t('No comparison') },
          ]}
        />
      )}
    </>
  );
}
