import { Anchor, TextInput } from '@mantine/core';
import { t } from '../../languages/translate.ts';
import { defineFieldType, inputProps } from '../definition.ts';

export const email = defineFieldType<string>({
  label: t('Email'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'text',
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      inputMode="email"
      autoComplete="off"
      placeholder="name@example.com"
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  ),
  format: (value) => value,
  Cell({ values, isInteractive }) {
    const [value = ''] = values;
    if (values.length > 1 || isInteractive) return values.join(', ');
    return (
      <Anchor href={`mailto:${value}`} size="sm">
        {value}
      </Anchor>
    );
  },
  filter: { operators: ['contains', 'eq', 'ne', 'exists'] },
  csv: { canMatch: true, formats: [] },
});
