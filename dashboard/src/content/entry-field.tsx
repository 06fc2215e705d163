import type { Field } from '@headwater/sdk';
import { memo, useContext, useMemo } from 'react';
import type { FieldErrors } from '../field-types/definition.ts';
import { FieldInput } from './field-input.tsx';
import { FieldLocks } from './field-locks.ts';
import { EditedBy } from './presence.tsx';

export interface EntryFieldProps {
  field: Field;
  /** Other than that of the field. */
  label?: string;
  value: unknown;
  onChange: (id: string, value: unknown) => void;
  errors: FieldErrors;
}

/** Renders only when its own value or an error changes, not for each key that is typed in another one. */
export const EntryField = memo(function EntryField({ field, label, value, onChange, errors }: EntryFieldProps) {
  const lock = useContext(FieldLocks)(field);
  const shown = useMemo(
    () => (lock === undefined ? field : { ...field, helpText: [lock, field.helpText].filter(Boolean).join(' ') }),
    [field, lock],
  );
  const input = (
    <FieldInput
      field={shown}
      label={label ?? field.label}
      value={value ?? undefined}
      onChange={(next) => onChange(field.id, next)}
      errors={errors}
      pointer={`/values/${field.id}`}
    />
  );
  return (
    <div data-field={field.id}>
      {lock === undefined ? (
        input
      ) : (
        <fieldset disabled className="plain-fieldset">
          {input}
        </fieldset>
      )}
      <EditedBy field={field.id} />
    </div>
  );
});
