import { Checkbox, Select } from '@mantine/core';
import { fieldTypeOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { FieldInput } from './field-input.tsx';
import { type FilterPath, operatorsAt } from './filter-paths.ts';
import type { Condition } from './filter-tree.ts';

export type PartialCondition = Omit<Partial<Condition>, 'path'> & { path: string };

interface ConditionInputsProps {
  paths: readonly FilterPath[];
  value: PartialCondition | undefined;
  onChange: (value: PartialCondition) => void;
  /** Labels are visible to screen readers only. */
  isRow?: boolean;
}

/** The field, the operator and the value of a condition. */
export function ConditionInputs({ paths, value, onChange, isRow = false }: ConditionInputsProps) {
  const found = paths.find(({ path }) => path === value?.path);
  const operators = found ? operatorsAt(found) : [];
  const label = (text: string) => (isRow ? { 'aria-label': text } : { label: text });
  const chosen = operators.find((each) => each.value === value?.operator)?.value ?? operators[0]?.value;
  const text = value?.value;
  return (
    <>
      <Select
        {...label(t('Field'))}
        data={paths.map(({ path, label: name }) => ({ value: path, label: name }))}
        value={value?.path ?? null}
        onChange={(path) => {
          const next = paths.find((each) => each.path === path);
          if (next) onChange({ path: next.path, operator: operatorsAt(next)[0]?.value });
        }}
        searchable={paths.length > 10}
        comboboxProps={{ withinPortal: false }}
        miw={0}
        data-autofocus={!isRow || undefined}
      />
      {found && chosen && (
        <>
          <Select
            {...label(t('Condition'))}
            data={operators}
            value={chosen}
            onChange={(name) => {
              const operator = operators.find((each) => each.value === name)?.value;
              // Whether there is a value is another question than which.
              const isKept = operator !== 'exists' && chosen !== 'exists' && !value?.isCurrentUser;
              onChange({ path: found.path, operator, ...(isKept && text !== undefined && { value: text }) });
            }}
            comboboxProps={{ withinPortal: false }}
            miw={0}
          />
          {found.mayBeUser && (chosen === 'eq' || chosen === 'ne') && (
            <Checkbox
              label={t('Current user')}
              checked={value?.isCurrentUser === true}
              onChange={(event) =>
                onChange({
                  ...{ path: found.path, operator: chosen },
                  ...(event.currentTarget.checked && { value: '', isCurrentUser: true as const }),
                })
              }
            />
          )}
          {!value?.isCurrentUser && (
            <FieldInput
              key={`${found.path} ${chosen === 'exists'}`}
              field={{
                ...found.field,
                repeated: false,
                ...(chosen === 'exists' && { type: 'boolean', format: undefined }),
              }}
              label={t('Value')}
              value={text === undefined ? undefined : readValue(found, chosen, text)}
              onChange={(next) =>
                onChange({ path: found.path, operator: chosen, ...(next !== undefined && { value: String(next) }) })
              }
              errors={NO_ERRORS}
              pointer=""
              variant={isRow ? 'row' : 'filter'}
            />
          )}
        </>
      )}
    </>
  );
}

const NO_ERRORS = new Map<string, string>();

function readValue({ field }: FilterPath, operator: string, text: string): unknown {
  if (operator === 'exists') return text === 'true';
  return fieldTypeOf(field).filter.parse?.(text) ?? text;
}

/** A condition that has everything. */
export const completed = ({ path, operator, value, isCurrentUser }: PartialCondition): Condition | undefined =>
  operator !== undefined && value !== undefined
    ? { path, operator, value, ...(isCurrentUser && { isCurrentUser }) }
    : undefined;
