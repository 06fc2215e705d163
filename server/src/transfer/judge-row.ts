import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedValues,
  type Collection,
  checkChangedValues,
  checkNewValues,
  isActive,
  type Values,
} from '../content/index.ts';
import { CellFault } from './cell-fault.ts';
import { cellText } from './cell-text.ts';
import { readCell } from './read-cell.ts';
import type { BoundPlan } from './read-plan.ts';
import { valueAt } from './targets.ts';

export interface FieldFault {
  /** `price`, `seo.title`; null: the row as a whole. */
  field: string | null;
  code: string;
  detail: string;
}

/** What a row would do. Its assets are for the caller to ask for. */
export type Judgement =
  | { does: 'create' | 'change'; values: Values; assets: CheckedValues['assets'] }
  | { does: 'nothing' }
  | { does: 'fail'; faults: FieldFault[] };

/** Judges a row that makes an entry, by the rules of `POST …/entries`: an empty cell is no value. */
export function judgeNew(collection: Collection, plan: BoundPlan, cells: readonly string[]): Judgement {
  const { sent, faults } = readRow(plan, cells, undefined);
  return judged('create', checkNewValues(collection, sent), faults);
}

/**
 * Judges a row that changes an entry, by the rules of `PATCH`: what it sends is checked, and a cell that says what the entry
 * has already is not sent.
 */
export function judgeChange(
  collection: Collection,
  plan: BoundPlan,
  cells: readonly string[],
  stored: Values,
): Judgement {
  const { sent, faults } = readRow(plan, cells, stored);
  if (faults.length === 0 && Object.keys(sent).length === 0) return { does: 'nothing' };
  const checked = checkChangedValues(collection, sent, stored);
  const isSame = faults.length + checked.faults.length === 0 && isDeepStrictEqual(checked.values, stored);
  return isSame ? { does: 'nothing' } : judged('change', checked, faults);
}

function judged(does: 'create' | 'change', checked: CheckedValues, unread: FieldFault[]): Judgement {
  // A cell that could not be read is a fault by itself; that its field is without a value is no other.
  const isNew = ({ field }: FieldFault) =>
    !unread.some((fault) => field === fault.field || field?.startsWith(`${fault.field}.`));
  const faults = [
    ...unread,
    ...checked.faults.map(({ pointer, code, detail }) => ({ field: fieldOf(pointer), code, detail })).filter(isNew),
  ];
  if (faults.length > 0) return { does: 'fail', faults };
  return { does, values: checked.values, assets: checked.assets };
}

/** A pointer into the values as a file names its columns: `/values/seo/title` is `seo.title`. */
export const fieldOf = (pointer: string) => pointer.replace(/^\/values\//, '').replaceAll('/', '.');

/** What the cells of a row send, over what is stored. Values that were not read are left out. */
function readRow(plan: BoundPlan, cells: readonly string[], stored: Values | undefined) {
  const sent: Values = {};
  const faults: FieldFault[] = [];
  for (const { at, target, separator } of plan.columns) {
    const cell = cells[at] ?? '';
    const had = stored && valueAt(stored, target);
    if (stored && cell === cellText(target, had)) continue;
    const isEmpty = cell.trim() === '';
    // An empty text looks like none, in a spreadsheet too.
    if (isEmpty && (had === undefined || had === '' || plan.keepsEmpty)) continue;
    const value = isEmpty ? null : readCell(target, cell, separator, plan.forms);
    if (value instanceof CellFault) {
      faults.push({ field: target.name, code: value.code, detail: value.detail });
      continue;
    }
    const { field, nested } = target;
    if (nested === undefined) {
      sent[field.id] = value;
      continue;
    }
    // A group comes whole: what the file has no column for stays.
    const group = (sent[field.id] ?? groupOf(field.fields ?? [], stored?.[field.id])) as Values;
    if (value === null) delete group[nested.id];
    else group[nested.id] = value;
    sent[field.id] = group;
  }
  for (const { target } of plan.columns) {
    const { field, nested } = target;
    const group = sent[field.id];
    if (nested && group && Object.keys(group).length === 0) sent[field.id] = null;
  }
  return { sent, faults };
}

/** The values of a stored group that may be sent back. */
function groupOf(fields: readonly { id: string; status: 'active' | 'deleted' }[], stored: unknown): Values {
  const group = (stored ?? {}) as Values;
  return Object.fromEntries(
    fields.flatMap((field) => (isActive(field) && Object.hasOwn(group, field.id) ? [[field.id, group[field.id]]] : [])),
  );
}
