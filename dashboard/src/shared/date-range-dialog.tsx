import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { LOCALE } from '../languages/language.ts';
import '@mantine/dates/styles.css';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { addDays, daysOfRange, isRange } from './days.ts';
import { Dialog } from './dialogs.tsx';
import { displayTimeZone } from './time-zone.ts';

export interface Presets {
  options: { value: string; label: string }[];
  /** Of the active one. */
  value: string | undefined;
  onChoose: (value: string) => void;
}

interface Range {
  from: string;
  to: string;
}

interface DateRangeDialogProps {
  from: string | undefined;
  to: string | undefined;
  isDaysOnly: boolean;
  onClose: () => void;
  onChoose: (range: Range) => void;
  presets?: Presets;
}

const timeFormat = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short', timeZone: 'UTC' });
const TIMES = Array.from({ length: 96 }, (_, quarter) => {
  const time = new Date(quarter * 900_000);
  return { value: time.toISOString().slice(11, 16), label: timeFormat.format(time) };
});

/** Chooses a custom range: days, with times of day if they are wanted. */
export default function DateRangeDialog({ from, to, isDaysOnly, onClose, onChoose, presets }: DateRangeDialogProps) {
  const given = from && to ? { from, to } : undefined;
  const shown = given && daysOfRange(given);
  const [days, setDays] = useState<[string | null, string | null]>([shown?.from ?? null, shown?.to ?? null]);
  const [start, setStart] = useState(timeOf(from));
  const [end, setEnd] = useState(timeOf(to));
  const [first, last] = days;
  const range = first && last ? rangeOf({ from: first, to: last }, start, end) : undefined;
  const isEmpty = range !== undefined && !isRange(range);
  return (
    <Dialog onClose={onClose} title={t('Custom range')} size="auto">
      <Stack align="center">
        {presets && (
          <Group gap="xs" justify="center" maw={320} role="group" aria-label={t('Periods')}>
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
        {!isDaysOnly && (
          <Stack gap={6} maw={320}>
            <Group grow gap="xs" wrap="nowrap">
              <TimeSelect label={t('From')} placeholder={t('Start of day')} value={start} onChange={setStart} />
              <TimeSelect label={t('To')} placeholder={t('End of day')} value={end} onChange={setEnd} />
            </Group>
            <Text size="xs" c={isEmpty ? 'var(--worse)' : 'dimmed'} role="status">
              {isEmpty
                ? t('The end must be after the start.')
                : t('Time zone: {displayTimeZone}', { displayTimeZone: displayTimeZone() })}
            </Text>
          </Stack>
        )}
        <Button disabled={!range || isEmpty} onClick={() => range && onChoose(range)}>
          {t('Apply')}
        </Button>
      </Stack>
    </Dialog>
  );
}

interface TimeSelectProps {
  label: string;
  placeholder: string;
  value: string | null;
  onChange: (time: string | null) => void;
}

const TimeSelect = (props: TimeSelectProps) => <Select {...props} data={TIMES} searchable clearable />;

/** The time of day of the start or the end of a range of times; midnight is the start or the end of a day. */
function timeOf(time: string | undefined): string | null {
  const at = time?.slice(11) ?? '';
  return at === '' || at === '00:00' ? null : at;
}

/** Days, or with a time of day, times. */
function rangeOf(days: Range, start: string | null, end: string | null): Range {
  if (start === null && end === null) return days;
  return {
    from: `${days.from}T${start ?? '00:00'}`,
    to: end === null ? `${addDays(days.to, 1)}T00:00` : `${days.to}T${end}`,
  };
}
