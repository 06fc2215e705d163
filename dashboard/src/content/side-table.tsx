import type { Field } from '@headwater/sdk';
import { Radio } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { DataTable } from '../shared/data-table.tsx';
import { ValueCell } from './value-cell.tsx';

export type Side = 'yours' | 'theirs';

interface SideTableProps {
  fields: readonly Field[];
  yours: Record<string, unknown>;
  theirs: Record<string, unknown>;
  /** What to call the other side. */
  other?: string;
  sides: Record<string, Side>;
  onChoose: (fieldId: string, side: Side) => void;
}

/** Two versions of fields beside each other: a choice for each. */
export function SideTable({ fields, yours, theirs, other = t('Theirs'), sides, onChoose }: SideTableProps) {
  const column = (side: Side, label: string, values: Record<string, unknown>) => ({
    id: side,
    label,
    cell: (field: Field) => (
      <Radio
        name={field.id}
        aria-label={`${field.label}: ${label}`}
        checked={(sides[field.id] ?? 'yours') === side}
        onChange={() => onChoose(field.id, side)}
        label={<ValueCell field={field} value={values[field.id]} />}
      />
    ),
  });
  return (
    <DataTable
      label={t('Conflicting fields')}
      query={{ data: fields as Field[] }}
      rowKey={({ id }) => id}
      minWidth={480}
      isBare
      columns={[
        { id: 'field', label: t('Field'), cell: ({ label }) => <b>{label}</b> },
        column('yours', t('Yours'), yours),
        column('theirs', other, theirs),
      ]}
    />
  );
}
