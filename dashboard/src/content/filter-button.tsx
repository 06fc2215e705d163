import type { Field } from '@headwater/sdk';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FilterPopover } from '../shared/filter-popover.tsx';
import { isActive, operatorsOf } from './field-types.ts';
import type { Condition, Operator } from './table-state.ts';
import { ValueInput } from './value-input.tsx';

const NO_FAULTS = new Map<string, string>();

/** Adds a condition: a field, what to compare, and with what. */
export function FilterButton({ fields, onAdd }: { fields: Field[]; onAdd: (condition: Condition) => void }) {
  const [fieldId, setFieldId] = useState<string | null>(null);
  const [operator, setOperator] = useState<Operator | null>(null);
  const [value, setValue] = useState<unknown>();
  const field = fields.find(({ id }) => id === fieldId);
  const operators = field ? operatorsOf(field) : [];
  const chosen = operators.find((each) => each.value === operator)?.value ?? operators[0]?.value;
  const submit = () => {
    if (!field || !chosen || value === undefined) return;
    onAdd({ field: field.id, operator: chosen, value: String(value) });
    setValue(undefined);
    setFieldId(null);
  };
  return (
    <FilterPopover
      disabled={fields.length === 0}
      isComplete={field !== undefined && value !== undefined}
      onSubmit={submit}
    >
      {() => (
        <>
          <Select
            label="Field"
            data={fields.map(({ id, label }) => ({ value: id, label }))}
            value={fieldId}
            onChange={(next) => {
              setFieldId(next);
              setOperator(null);
              setValue(undefined);
            }}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          {field && (
            <>
              <Select
                label="Condition"
                data={operators}
                value={chosen ?? null}
                onChange={(next) => {
                  setOperator(next as Operator);
                  setValue(undefined);
                }}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
              />
              {chosen === 'exists' || field.type === 'boolean' || field.type === 'select' ? (
                <Select
                  label="Value"
                  data={
                    chosen !== 'exists' && field.type === 'select'
                      ? (field.options ?? [])
                          .filter(isActive)
                          .map((option) => ({ value: option.value, label: option.label }))
                      : [
                          { value: 'true', label: 'Yes' },
                          { value: 'false', label: 'No' },
                        ]
                  }
                  value={value === undefined ? null : String(value)}
                  onChange={(next) => setValue(next ?? undefined)}
                  comboboxProps={{ withinPortal: false }}
                />
              ) : field.type === 'text' || field.type === 'url' ? (
                <TextInput
                  label="Value"
                  value={(value as string) ?? ''}
                  onChange={(event) => setValue(event.currentTarget.value || undefined)}
                />
              ) : (
                <ValueInput
                  field={{ ...field, label: 'Value', required: false, repeated: false }}
                  value={value}
                  onChange={setValue}
                  faults={NO_FAULTS}
                  pointer=""
                />
              )}
            </>
          )}
        </>
      )}
    </FilterPopover>
  );
}
