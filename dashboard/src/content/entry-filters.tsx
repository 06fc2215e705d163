import type { Field } from '@headwater/sdk';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { formatFilterValue, operatorsOf } from '../field-types/index.ts';
import { FilterChip } from '../shared/filter-chip.tsx';
import { FilterPopover } from '../shared/filter-popover.tsx';
import { FieldInput } from './field-input.tsx';
import type { Condition, Operator } from './table-state.ts';

interface EntryFiltersProps {
  fields: Field[];
  conditions: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
}

/** The button that adds a filter. */
export function AddFilter({ fields, conditions, onChange }: EntryFiltersProps) {
  const [fieldId, setFieldId] = useState<string | null>(null);
  const [operator, setOperator] = useState<Operator>();
  const [value, setValue] = useState<unknown>();
  const field = fields.find(({ id }) => id === fieldId);
  const operators = field ? operatorsOf(field) : [];
  const chosen = operators.find((each) => each.value === operator)?.value ?? operators[0]?.value;
  const submit = () => {
    if (!field || !chosen || value === undefined) return;
    onChange([...conditions, { field: field.id, operator: chosen, value: String(value) }]);
    setValue(undefined);
    setFieldId(null);
  };
  return (
    <FilterPopover disabled={fields.length === 0} isComplete={value !== undefined} onSubmit={submit}>
      {() => (
        <>
          <Select
            label="Field"
            data={fields.map(({ id, label }) => ({ value: id, label }))}
            value={fieldId}
            onChange={(next) => {
              setFieldId(next);
              setOperator(undefined);
              setValue(undefined);
            }}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          {field && chosen && (
            <>
              <Select
                label="Condition"
                data={operators}
                value={chosen}
                onChange={(next) => {
                  setOperator(operators.find((each) => each.value === next)?.value);
                  setValue(undefined);
                }}
                comboboxProps={{ withinPortal: false }}
              />
              <FieldInput
                key={`${field.id} ${chosen}`}
                field={{
                  ...field,
                  repeated: false,
                  ...(chosen === 'exists' && { type: 'boolean', format: undefined }),
                }}
                label="Value"
                value={value}
                onChange={setValue}
                errors={NO_ERRORS}
                pointer=""
                variant="filter"
              />
            </>
          )}
        </>
      )}
    </FilterPopover>
  );
}

const NO_ERRORS = new Map<string, string>();

/** The filters of a table, each with a button that removes it. */
export function FilterChips({ fields, conditions, onChange }: EntryFiltersProps) {
  return conditions.map((condition, i) => (
    <FilterChip
      // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may occur twice
      key={i}
      text={describe(condition, fields)}
      onRemove={() => onChange(conditions.filter((_, at) => at !== i))}
    />
  ));
}

function describe({ field: fieldId, operator, value }: Condition, fields: readonly Field[]): string {
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) return `${fieldId} ${operator} ${value}`;
  if (operator === 'exists') return `${field.label} ${value === 'true' ? 'has a value' : 'has no value'}`;
  const label = operatorsOf(field).find((each) => each.value === operator)?.label ?? operator;
  return `${field.label} ${label} ${formatFilterValue(field, value)}`;
}
