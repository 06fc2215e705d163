import { t } from '../languages/translate.ts';
import { formatNumber } from '../shared/formats.ts';
import { formatInputNumber } from '../shared/locale.ts';
import { NumberField } from '../shared/number-field.tsx';
import { readCsvNumber } from './csv-cells.ts';
import { defineFieldType, inputProps } from './definition.ts';

/** Text until the input contains a number. */
type NumberOrText = number | string;

const format = (value: NumberOrText) => (typeof value === 'number' ? formatNumber(value) : value);

export const number = defineFieldType<NumberOrText>({
  label: t('Number'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'range',
  Input: (props) => <NumberField {...inputProps(props)} value={props.value} onChange={props.onChange} />,
  format,
  Cell: ({ values }) => <span className="number">{values.map(format).join(', ')}</span>,
  filter: { operators: ['gte', 'lte', 'gt', 'lt', 'eq', 'ne', 'exists'], parse: Number },
  csv: {
    canMatch: true,
    formats: ['decimal'],
    preview(cell, { decimal }) {
      const value = readCsvNumber(cell, decimal);
      return value === undefined ? undefined : formatInputNumber(value);
    },
  },
});
