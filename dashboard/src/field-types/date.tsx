import { DateInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { t } from '../languages/translate.ts';
import { formatDay } from '../shared/formats.ts';
import { formatInputDay } from '../shared/locale.ts';
import { type CsvFormats, isAmbiguousDate, readCsvDay } from './csv-cells.ts';
import { defineFieldType, inputProps, type Operator } from './definition.ts';

export const TIME_OPERATORS: { operators: Operator[]; operatorLabels: Partial<Record<Operator, string>> } = {
  operators: ['gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'exists'],
  operatorLabels: { lt: t('is before'), gt: t('is after'), gte: t('is on or after'), lte: t('is on or before') },
};

export const CSV_DATES = {
  canMatch: true,
  preview(cell: string, { dateOrder }: CsvFormats) {
    const day = readCsvDay(cell, dateOrder);
    return day === undefined ? undefined : formatDay(day);
  },
  needsDateOrder: isAmbiguousDate,
};

/** The value is `YYYY-MM-DD`. */
export const date = defineFieldType<string>({
  label: t('Date'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'range',
  Input: (props) => (
    <DateInput
      {...inputProps(props)}
      value={props.value ?? null}
      onChange={(day) => props.onChange(day ?? undefined)}
      placeholder={formatInputDay('2027-01-31')}
      clearable={!props.field.required}
      popoverProps={{ withinPortal: true }}
    />
  ),
  format: formatDay,
  filter: TIME_OPERATORS,
  csv: { ...CSV_DATES, formats: ['dateOrder'] },
});
