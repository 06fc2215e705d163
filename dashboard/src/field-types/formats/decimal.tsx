import { NumberInput, TextInput } from '@mantine/core';
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
  settings: {
    Editor: ({ field, onChange, errors, pointer }) => (
      <NumberInput
        label={t('Decimal places')}
        description={t('Values with more are refused, not rounded')}
        placeholder={t('Any number')}
        min={0}
        allowDecimal={false}
        value={field.scale ?? ''}
        error={errors.get(`${pointer}/scale`)}
        onChange={(scale) => onChange({ ...field, scale: scale === '' ? undefined : Number(scale) })}
        maw={260}
      />
    ),
    toRequest: ({ scale, isNew }) => (isNew && scale === undefined ? {} : { scale: scale ?? null }),
  },
});
