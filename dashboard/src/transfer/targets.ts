import type { Collection, Field, Import, ImportPlan, NestedField } from '@headwater/sdk';
import { isActive } from '../content/field-types.ts';

/** Where a column can belong, as a plan names it. */
export interface Target {
  name: string;
  label: string;
  type: NestedField['type'];
  isRepeated: boolean;
  required: boolean;
  /** Whether entries can be found by it. */
  isKey: boolean;
}

const KEY_TYPES: readonly string[] = ['text', 'number', 'date', 'timestamp', 'url', 'select'];

export function targetsOf({ fields }: Collection): Target[] {
  return fields.filter(isActive).flatMap((field: Field): Target[] => {
    const { id, label, type, repeated, required } = field;
    if (type === 'group' && !repeated) {
      return (field.fields ?? []).filter(isActive).map((nested) => ({
        name: `${id}.${nested.id}`,
        label: `${label}: ${nested.label}`,
        type: nested.type,
        isRepeated: false,
        required: false,
        isKey: false,
      }));
    }
    return [{ name: id, label, type, isRepeated: repeated, required, isKey: !repeated && KEY_TYPES.includes(type) }];
  });
}

/** What the form of an import holds: of each column the field it belongs to, and how cells are read. */
export interface Mapping {
  /** By column: a field, `ID`, or null. */
  columns: (string | null)[];
  separators: Record<string, string>;
  /** How a row finds its entry: by `ID`, by a field, or `NEW`: not at all. */
  match: string;
  emptyCells: 'clear' | 'keep';
  decimal: '.' | ',' | null;
  dateOrder: 'dmy' | 'mdy' | null;
  timeZone: string | null;
}

/** The column of entries' ids, as the service calls it; no field is called so. */
export const ID = '_id';
/** No field is called so, either. */
export const NEW = '_new';

/** What was rehearsed last, else what the service proposes. */
export function mappingOf({ columns, plan }: Import): Mapping {
  const separators = (plan?.columns ?? []).flatMap((column) =>
    column?.separator === undefined ? [] : [[column.field, column.separator]],
  );
  const proposed = columns.map((column) => column.proposed);
  const planned = plan?.columns.map((column, i) => (plan.idColumn === i ? ID : (column?.field ?? null)));
  const chosen = planned ?? proposed;
  return {
    columns: chosen,
    separators: Object.fromEntries(separators),
    match: plan?.keyField ?? (chosen.includes(ID) ? ID : NEW),
    emptyCells: plan?.emptyCells ?? 'clear',
    decimal: plan?.decimal ?? null,
    dateOrder: plan?.dateOrder ?? null,
    timeZone: plan?.timeZone ?? null,
  };
}

export function planOf(mapping: Mapping, targets: readonly Target[]): ImportPlan {
  const { columns, separators, match, emptyCells, decimal, dateOrder, timeZone } = mapping;
  const idColumn = columns.indexOf(ID);
  const isRepeated = (name: string) => targets.some((target) => target.name === name && target.isRepeated);
  return {
    columns: columns.map((field) => {
      if (field === null || field === ID) return null;
      const separator = separators[field];
      return { field, ...(separator && isRepeated(field) && { separator }) };
    }),
    idColumn: match === ID && idColumn !== -1 ? idColumn : null,
    keyField: match === ID || match === NEW ? null : match,
    emptyCells,
    decimal,
    dateOrder,
    timeZone,
  };
}
