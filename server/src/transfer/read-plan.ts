import type { Collection } from '../content/index.ts';
import type { Fault } from '../shared/errors.ts';
import type { Forms } from './cell-fault.ts';
import type { ImportPlan } from './contract.ts';
import { systemName, type Target, targetsOf } from './targets.ts';

/** A plan, bound to the fields of a collection as it is. */
export interface BoundPlan {
  /** How many cells a row has. */
  width: number;
  columns: { at: number; target: Target; separator: string | undefined }[];
  idColumn: number | undefined;
  /** The column by whose value an entry is found. */
  key: { at: number; target: Target } | undefined;
  keepsEmpty: boolean;
  forms: Forms;
}

const KEY_TYPES = ['text', 'number', 'date', 'timestamp', 'url', 'select'];

/** Binds a plan. Pure; what is wrong with it is added to `faults`. @param width how many columns the file has */
export function bindPlan(collection: Collection, plan: ImportPlan, width: number, faults: Fault[]): BoundPlan {
  const fault = (pointer: string, code: string, detail: string) => void faults.push({ pointer, code, detail });
  if (plan.columns.length !== width) {
    fault('/columns', 'columns_wrong', `The file has ${width} columns; one answer for each is needed.`);
  }
  const targets = new Map(targetsOf(collection).map((target) => [target.name, target]));
  const taken = new Set<string>();
  const columns = plan.columns.flatMap((column, at) => {
    if (column === null) return [];
    const pointer = `/columns/${at}/field`;
    const target = targets.get(column.field);
    if (!target) return fault(pointer, 'field_unknown', 'There is no such active field.') ?? [];
    if (taken.has(column.field)) return fault(pointer, 'field_repeated', 'Another column has this field.') ?? [];
    taken.add(column.field);
    return [{ at, target, separator: column.separator }];
  });
  const { idColumn = null, keyField = null, timeZone = null, decimal = null, dateOrder = null } = plan;
  if (idColumn !== null && keyField !== null) {
    fault('/keyField', 'key_conflict', 'Entries are found by their id or by a field, not by both.');
  }
  if (idColumn !== null && idColumn >= width) fault('/idColumn', 'column_unknown', 'The file has no such column.');
  if (idColumn !== null && plan.columns[idColumn]) {
    fault(`/columns/${idColumn}`, 'column_repeated', 'The column has the ids: it is no field as well.');
  }
  const key = columns.find(({ target }) => target.name === keyField);
  if (keyField !== null && !key) fault('/keyField', 'field_unknown', 'No column has this field.');
  if (key && (key.target.nested || key.target.field.repeated || !KEY_TYPES.includes(key.target.field.type))) {
    fault('/keyField', 'field_not_unique', `Entries are found by a field of one value: ${KEY_TYPES.join(', ')}.`);
  }
  if (columns.length === 0) fault('/columns', 'too_few', 'At least one column has to belong to a field.');
  if (timeZone !== null && !isTimeZone(timeZone)) {
    fault('/timeZone', 'time_zone_unknown', 'must be an IANA time zone, such as Europe/Berlin');
  }
  return {
    width,
    columns,
    idColumn: idColumn ?? undefined,
    key,
    keepsEmpty: plan.emptyCells === 'keep',
    forms: { timeZone, decimal, dateOrder },
  };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, '');

/**
 * What each heading names: the entry's id (`_id`, which no field is called), a field by its id or its label, or nothing. Each
 * is given to the first that names it.
 */
export function proposeColumns(collection: Collection, headings: readonly string[]): (string | null)[] {
  const targets = targetsOf(collection);
  const byName = new Map<string, string>();
  const add = (name: string, target: string) => byName.has(plainName(name)) || byName.set(plainName(name), target);
  for (const { name } of targets) add(name, name);
  for (const { name, field, nested } of targets) {
    add(nested ? `${field.label}.${nested.label}` : field.label, name);
    if (nested) add(`${field.label} ${nested.label}`, name);
  }
  for (const { name, nested } of targets) if (nested) add(nested.label, name);
  const idName = systemName(collection, 'id');
  const taken = new Set<string>();
  return headings.map((heading) => {
    const name = heading === idName ? '_id' : byName.get(plainName(heading));
    if (name === undefined || taken.has(name)) return null;
    taken.add(name);
    return name;
  });
}
