import { Textarea, TextInput } from '@mantine/core';
import { TextDifference } from '../content/text-difference.tsx';
import { t } from '../languages/translate.ts';
import { defineFieldType, inputProps } from './definition.ts';

export const text = defineFieldType<string>({
  label: t('Text'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'text',
  isDefaultTitle: true,
  Input(props) {
    const shared = {
      ...inputProps(props),
      dir: 'auto',
      value: props.value ?? '',
      onChange: (event: { currentTarget: { value: string } }) => props.onChange(event.currentTarget.value || undefined),
    };
    return props.variant ? <TextInput {...shared} /> : <Textarea {...shared} autosize minRows={1} maxRows={16} />;
  },
  format: (value) => value,
  Difference: ({ value, other }) => <TextDifference text={value} other={other ?? ''} />,
  filter: { operators: ['contains', 'eq', 'ne', 'startsWith', 'endsWith', 'exists'] },
  csv: { canMatch: true, formats: [] },
});
