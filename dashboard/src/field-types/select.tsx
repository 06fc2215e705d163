import { Badge, Group, MultiSelect, Select } from '@mantine/core';
import { toApiId } from '../content/api-id.ts';
import { OptionList } from '../content/option-list.tsx';
import { t } from '../languages/translate.ts';
import { type AnyField, defineFieldType, inputProps } from './definition.ts';

const MAX_OPTIONS_WITHOUT_SEARCH = 8;

/** Active options, and archived ones that are already chosen. */
function optionsOf({ options }: AnyField, chosen: readonly (string | undefined)[]) {
  return (options ?? [])
    .filter(({ status, value }) => status === 'active' || chosen.includes(value))
    .map(({ status, value, label }) => ({
      value,
      label: status === 'active' ? label : t('{label} (archived)', { label }),
    }));
}

const labelOf = (value: string, { options }: AnyField) =>
  options?.find((option) => option.value === value)?.label ?? value;

export const select = defineFieldType<string>({
  label: t('Select'),
  isSortable: true,
  isEditableInTable: true,
  isNestable: true,
  Input(props) {
    const { field, value, variant } = props;
    return (
      <Select
        {...inputProps(props)}
        data={optionsOf(field, [value])}
        value={value ?? null}
        onChange={(next) => props.onChange(next ?? undefined)}
        placeholder={t('Select')}
        clearable={!field.required}
        searchable={(field.options ?? []).length > MAX_OPTIONS_WITHOUT_SEARCH}
        defaultDropdownOpened={variant === 'row'}
        comboboxProps={{ withinPortal: variant !== 'filter' }}
      />
    );
  },
  RepeatedInput(props) {
    const { field, value = [], errors, pointer } = props;
    const error = [...errors].find(([at]) => at === pointer || at.startsWith(`${pointer}/`))?.[1];
    return (
      <MultiSelect
        {...inputProps(props)}
        error={error}
        data={optionsOf(field, value)}
        value={value}
        onChange={(next) => props.onChange(next.length === 0 ? undefined : next)}
        placeholder={value.length === 0 ? t('Select') : undefined}
        clearable
        searchable
      />
    );
  },
  format: labelOf,
  Cell: ({ field, values }) => (
    <Group gap={4} wrap="nowrap" component="span">
      {values.map((value) => (
        <Badge key={value} variant="light" color="water" tt="none" fw={500}>
          {labelOf(value, field)}
        </Badge>
      ))}
    </Group>
  ),
  filter: { operators: ['eq', 'ne', 'exists'] },
  csv: { canMatch: true, formats: [] },
  settings: {
    Editor: ({ field, onChange, errors, pointer }) => (
      <OptionList
        options={field.options}
        onChange={(options) => onChange({ ...field, options })}
        errors={errors}
        pointer={`${pointer}/options`}
      />
    ),
    toRequest: ({ options }) => ({
      options: options.map(({ value, label, status, isNew }) => ({
        value: value || toApiId(label),
        label: label.trim(),
        ...(!isNew && { status }),
      })),
    }),
  },
});
