import { Anchor, TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { defineFieldType, inputProps } from './definition.ts';

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '');

export const url = defineFieldType<string>({
  label: t('Link'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'text',
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      inputMode="url"
      dir="auto"
      placeholder="https://"
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  ),
  format: (value) => value,
  Cell({ values, isInteractive }) {
    const [value = ''] = values;
    if (values.length > 1 || isInteractive) return values.map(withoutScheme).join(', ');
    return (
      <Anchor href={value} target="_blank" rel="noreferrer" size="sm">
        {withoutScheme(value)}
      </Anchor>
    );
  },
  filter: { operators: ['eq', 'ne', 'exists'] },
  csv: { canMatch: true, formats: [] },
});
