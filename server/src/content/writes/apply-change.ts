import { addDecimals } from '../../shared/decimal.ts';
import { escapePointer, type Fault } from '../../shared/errors.ts';
import { isExact, rawAsText, readJson } from '../../shared/json.ts';
import { type Collection, type Field, fieldsOfRow, isActive, type NestedField } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { ValueFault } from '../field-types/field-type.ts';
import { isGroup } from '../field-types/group.ts';
import { typeOf } from '../field-types/index.ts';
import type { RowChange, ValueChange } from './contract.ts';

/** What a change sends in the end: whole values by field ID, as if the client had read the entry and sent them. */
interface AppliedChange {
  values: Values;
  faults: Fault[];
  /** Where the request contains what `values` has at a pointer. */
  pointerOf(pointer: string): string;
}

type Operation = 'increment' | 'append' | 'remove' | 'merge';
type Apply = (field: Field, stored: unknown, sent: unknown, report: Report) => unknown;
/** @param member where in what was sent for the field */
type Report = (code: string, detail: string, member?: string) => undefined;

export function hasOperations(change: ValueChange): boolean {
  return OPERATIONS.some((name) => change[name] !== undefined) || change.rows !== undefined;
}

/** Applies the operations of a change to the stored values of an entry. Values that it does not name stay as they are. */
export function applyChange(collection: Collection, change: ValueChange, stored: Values): AppliedChange {
  const values: Values = { ...change.values };
  const faults: Fault[] = [];
  const origins = new Map<string, string>();
  for (const operation of OPERATIONS) {
    for (const [id, sent] of Object.entries(change[operation] ?? {})) {
      const pointer = `/${operation}/${escapePointer(id)}`;
      const field = fieldOf(collection, id, pointer, faults);
      if (!field) continue;
      const isReduced = operation === 'append' && origins.get(`/values/${id}`) === `/remove/${escapePointer(id)}`;
      if (Object.hasOwn(values, id) && !isReduced) {
        const detail = `"${field.label}" is changed twice. Send one change of a field.`;
        faults.push({ pointer, code: 'change_conflict', detail });
        continue;
      }
      const report: Report = (code, detail, member) => {
        faults.push({ pointer: member === undefined ? pointer : `${pointer}/${member}`, code, detail });
      };
      const before = own(isReduced ? values : stored, id);
      const value = APPLY[operation](field, before, sent, report);
      if (value === undefined) continue;
      values[id] = value;
      const kept = operation === 'append' && Array.isArray(before) ? before.length : 0;
      if (operation !== 'append') origins.set(`/values/${id}`, pointer);
      else for (const i of [sent].flat().keys()) origins.set(`/values/${id}/${kept + i}`, `${pointer}/${i}`);
    }
  }
  if (change.rows) applyRows(collection, change.rows, stored, values, faults, origins);
  return { values, faults, pointerOf: (pointer) => originOf(origins, pointer) };
}

/** In the order in which they apply: what one change removes from a list and appends to it is removed first. */
const OPERATIONS = ['increment', 'remove', 'append', 'merge'] as const satisfies Operation[];

const APPLY: Record<Operation, Apply> = {
  increment(field, stored, given, report) {
    if (field.type !== 'number' || field.repeated) {
      return report('operator_not_allowed', `"${field.label}" is no number, so it cannot be incremented.`);
    }
    const sent = rawAsText(given);
    const isNumber = (typeof sent === 'number' && Number.isFinite(sent)) || typeof sent === 'string';
    const sum = isNumber ? addDecimals(String(stored ?? 0), String(sent)) : undefined;
    if (sum === undefined) return report('type', `"${field.label}" must be incremented by a number.`);
    return typeof stored === 'string' || typeof sent === 'string' || !isExact(sum) ? sum : Number(sum);
  },
  append(field, stored, sent, report) {
    const added = listOf(field, sent, report);
    return added && [...storedItems(stored), ...added];
  },
  remove(field, stored, sent, report) {
    const removed = listOf(field, sent, report);
    if (!removed) return undefined;
    const names = new Set(removed.flatMap((item) => namesOf(field, item)));
    return storedItems(stored).filter((item) => !names.has(nameOf(item)));
  },
  merge(field, stored, sent, report) {
    if (typeOf(field).structure !== 'fields' || field.repeated) {
      return report('operator_not_allowed', `"${field.label}" is no single group. Use rows for a repeated one.`);
    }
    if (!isGroup(sent)) return report('type', `"${field.label}" must be an object.`);
    return mergeGroup(field.fields ?? [], isGroup(stored) ? stored : {}, sent);
  },
};

function listOf(field: Field, sent: unknown, report: Report): unknown[] | undefined {
  if (!field.repeated) {
    return report('operator_not_allowed', `"${field.label}" has one value. Only lists can be appended to.`);
  }
  return Array.isArray(sent) ? sent : report('type', `"${field.label}" must be an array.`);
}

const storedItems = (stored: unknown): unknown[] => (Array.isArray(stored) ? stored : []);

/** What identifies an item of a list: an asset its ID, a row its own. */
function nameOf(item: unknown): string {
  if (isGroup(item)) return JSON.stringify(item.assetId ?? item._id ?? item);
  return JSON.stringify(item);
}

/** The names that a sent item can have as a stored one: it may be written differently, such as a time in another zone. */
function namesOf(field: Field, item: unknown): string[] {
  const parsed = typeof item === 'string' ? typeOf(field).parseOperand(item, field) : item;
  return [nameOf(item), ...(parsed instanceof ValueFault ? [] : [nameOf(parsed)])];
}

/** A group in which members that are not sent stay, null clears, and groups within it are merged alike. */
function mergeGroup(fields: readonly NestedField[], stored: Values, sent: Values): Values {
  const active = new Map(fields.filter(isActive).map((field) => [field.id, field]));
  const merged = new Map(Object.entries(stored).filter(([id]) => active.has(id) || id.startsWith('_')));
  for (const [id, value] of Object.entries(sent)) {
    const inner = nestedFieldsOf(active.get(id));
    const before = own(stored, id);
    merged.set(id, inner && isGroup(value) ? mergeGroup(inner, isGroup(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

/** The fields of a group within a group, if that is no list. */
function nestedFieldsOf(field: NestedField | undefined): readonly NestedField[] | undefined {
  if (!field || typeOf(field).structure !== 'fields' || field.repeated) return undefined;
  return field.fields ?? [];
}

/** A row, the list that contains it, and the fields of that list. */
interface FoundRow {
  list: Values[];
  index: number;
  field: NestedField;
}

function applyRows(
  collection: Collection,
  changes: readonly RowChange[],
  stored: Values,
  values: Values,
  faults: Fault[],
  origins: Map<string, string>,
): void {
  const changed = new Map<string, Values[]>();
  const touched: [row: Values, pointer: string][] = [];
  for (const [i, change] of changes.entries()) {
    const pointer = `/rows/${i}`;
    const field = fieldOf(collection, change.field, `${pointer}/field`, faults);
    if (!field) continue;
    const add = (member: string, code: string, detail: string) =>
      faults.push({ pointer: `${pointer}/${member}`, code, detail });
    if (typeOf(field).structure !== 'fields' || !field.repeated) {
      add('field', 'operator_not_allowed', `"${field.label}" has no rows.`);
      continue;
    }
    const [kind, second] = (['insert', 'values', 'delete'] as const).filter((name) => change[name]);
    if (second) {
      add(second, 'change_conflict', 'Insert, change or delete a row, in one change each.');
      continue;
    }
    if (change.insert === undefined && change.after !== undefined) {
      add('after', 'not_allowed', 'Only a new row is placed after another one. To move a row, send the whole list.');
      continue;
    }
    if (Object.hasOwn(values, field.id) && !changed.has(field.id)) {
      add('field', 'change_conflict', `"${field.label}" is changed twice. Send one change of a field.`);
      continue;
    }
    const list = changed.get(field.id) ?? (readJson(JSON.stringify(storedItems(own(stored, field.id)))) as Values[]);
    changed.set(field.id, list);
    values[field.id] = list;
    const find = (id: string, member: string) => {
      const found = findRow(list, field, id);
      if (!found) add(member, 'row_unknown', `"${field.label}" has no row with the ID "${id}".`);
      return found;
    };
    if (change.insert !== undefined) {
      const row = { ...change.insert };
      const target = typeof change.after === 'string' ? find(change.after, 'after') : undefined;
      if (typeof change.after === 'string' && !target) continue;
      if (target) target.list.splice(target.index + 1, 0, row);
      else list.splice(change.after === null ? 0 : list.length, 0, row);
      touched.push([row, `${pointer}/insert`]);
      continue;
    }
    if (change.id === undefined) {
      add('id', 'required', 'A change of a row needs its ID.');
      continue;
    }
    if (!kind) {
      add('values', 'required', 'A change of a row has "values", "insert" or "delete": true.');
      continue;
    }
    const found = find(change.id, 'id');
    if (!found) continue;
    if (change.delete) {
      found.list.splice(found.index, 1);
      continue;
    }
    const before = found.list[found.index] ?? {};
    const row = mergeGroup(fieldsOfRow(found.field, before), before, change.values ?? {});
    found.list[found.index] = row;
    touched.push([row, `${pointer}/values`]);
  }
  for (const [id, list] of changed) {
    for (const [i, row] of list.entries()) {
      const origin = touched.findLast(([each]) => each === row)?.[1];
      if (origin !== undefined) origins.set(`/values/${id}/${i}`, origin);
    }
  }
}

/** A row of a list, or of a list within its rows. */
function findRow(list: Values[], field: NestedField, id: string): FoundRow | undefined {
  const index = list.findIndex((row) => row._id === id);
  if (index !== -1) return { list, index, field };
  for (const row of list) {
    for (const inner of fieldsOfRow(field, row)) {
      const nested = own(row, inner.id);
      if (typeOf(inner).structure !== 'fields' || !Array.isArray(nested)) continue;
      const found = findRow(nested as Values[], inner, id);
      if (found) return found;
    }
  }
  return undefined;
}

function fieldOf({ byId }: Collection, id: string, pointer: string, faults: Fault[]): Field | undefined {
  const field = byId.get(id);
  if (field && isActive(field)) return field;
  const [code, detail] =
    field && !field.hidden
      ? ['field_deleted', `"${field.label}" was deleted and cannot be written.`]
      : ['unknown_property', `There is no field with the ID "${id}".`];
  faults.push({ pointer, code, detail });
  return undefined;
}

/** By the longest part of the pointer whose origin is known. */
function originOf(origins: ReadonlyMap<string, string>, pointer: string): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const origin = origins.get(pointer.slice(0, end));
    if (origin !== undefined) return origin + pointer.slice(end);
  }
  return pointer;
}

function own(values: Values, id: string): unknown {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}
