import { TextInput } from '@mantine/core';
import { t } from '../../languages/translate.ts';
import { defineFieldType, inputProps } from '../definition.ts';
import { number } from '../number.tsx';

/** A number, or its digits as they were typed, where a number would round them. */
type Digits = number | string;

const { isSortable, isEditableInTable, isNestable, filter } = number;

export const decimal = defineFieldType<Digits>({
  label: t('Exact number'),
  formatOf: 'number',
  ...{ isSortable, isEditableInTable, isNestable, rules: 'range' },
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      inputMode="decimal"
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  ),
  format: String,
  Cell: ({ values }) => <span className="number">{values.join(', ')}</span>,
  filter: { operators: filter.operators },
  csv: { canMatch: true, formats: ['decimal'] },
});
