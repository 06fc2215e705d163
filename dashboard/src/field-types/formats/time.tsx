import { TextInput } from '@mantine/core';
import { t } from '../../languages/translate.ts';
import { TIME_OPERATORS } from '../date.tsx';
import { defineFieldType, inputProps } from '../definition.ts';

/** The value is `HH:MM` or `HH:MM:SS`. */
export const time = defineFieldType<string>({
  label: t('Time of day'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  rules: 'range',
  Input: (props) => (
    <TextInput
      {...inputProps(props)}
      type="time"
      step={props.value?.length === 8 ? 1 : 60}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
    />
  ),
  format: (value) => value,
  filter: TIME_OPERATORS,
  csv: { canMatch: true, formats: [] },
});
