import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import dayjs from 'dayjs';
import { formatDateTime } from '../shared/formats.ts';
import { CSV_DATES, TIME_OPERATORS } from './date.tsx';
import { defineFieldType, inputProps } from './definition.ts';

/** The value is ISO 8601 in UTC; the input shows the browser's time zone. */
export const timestamp = defineFieldType<string>({
  label: 'Date and time',
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  Input: (props) => (
    <DateTimePicker
      {...inputProps(props)}
      value={props.value ? dayjs(props.value).format('YYYY-MM-DD HH:mm:ss') : null}
      onChange={(time) => props.onChange(time ? dayjs(time).toISOString() : undefined)}
      placeholder="Date and time"
      clearable={!props.field.required}
    />
  ),
  format: formatDateTime,
  filter: TIME_OPERATORS,
  csv: { ...CSV_DATES, formats: ['dateOrder', 'timeZone'] },
});
