import { Input, SegmentedControl } from '@mantine/core';
import { defineFieldType, inputProps } from './definition.ts';

const CHOICES = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

export const boolean = defineFieldType<boolean>({
  label: 'Boolean',
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  Input({ value, onChange, ...props }) {
    const { label, error, withAsterisk, description } = inputProps({ value, onChange, ...props });
    const isOptional = !props.field.required && props.variant !== 'filter';
    return (
      <Input.Wrapper
        label={label}
        description={description}
        error={error}
        withAsterisk={withAsterisk}
        labelElement="div"
      >
        <div>
          <SegmentedControl
            aria-label={props.label}
            value={value === undefined ? '' : String(value)}
            onChange={(next) => onChange(next === '' ? undefined : next === 'true')}
            data={isOptional ? [...CHOICES, { value: '', label: 'Not set' }] : CHOICES}
          />
        </div>
      </Input.Wrapper>
    );
  },
  format: (value) => (value ? 'Yes' : 'No'),
  filter: { operators: ['eq', 'ne', 'exists'], parse: (text) => text === 'true' },
  csv: { canMatch: false, formats: [] },
});
