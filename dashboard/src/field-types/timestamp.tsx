import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { t } from '../languages/translate.ts';
import { formatDateTime } from '../shared/formats.ts';
import { instantOf, wallTimeOf } from '../shared/wall-time.ts';
import { CSV_DATES, TIME_OPERATORS } from './date.tsx';
import { defineFieldType, inputProps } from './definition.ts';

/** The value is ISO 8601 in UTC; the input shows the display time zone. */
export const timestamp = defineFieldType<string>({
  label: t('Date and time'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'range',
  Input: (props) => (
    <DateTimePicker
      {...inputProps(props)}
      value={props.value ? wallTimeOf(props.value) : null}
      onChange={(time) => props.onChange(time ? instantOf(time) : undefined)}
      placeholder={t('Date and time')}
      clearable={!props.field.required}
    />
  ),
  format: formatDateTime,
  filter: TIME_OPERATORS,
  csv: { ...CSV_DATES, formats: ['dateOrder', 'timeZone'] },
});
