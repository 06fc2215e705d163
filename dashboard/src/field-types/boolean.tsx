import { Input, SegmentedControl } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { defineFieldType, inputProps } from './definition.ts';

const CHOICES = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
];

export const boolean = defineFieldType<boolean>({
  label: t('Boolean'),
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
            data={isOptional ? [...CHOICES, { value: '', label: t('Not set') }] : CHOICES}
          />
        </div>
      </Input.Wrapper>
    );
  },
  format: (value) => (value ? t('Yes') : t('No')),
  filter: { operators: ['eq', 'ne', 'exists'], parse: (text) => text === 'true' },
  csv: { canMatch: false, formats: [] },
});
