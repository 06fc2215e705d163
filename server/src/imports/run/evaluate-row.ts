import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedValues,
  type Collection,
  checkChangedValues,
  checkNewValues,
  isActive,
  ValueFault,
  type Values,
} from '../../content/index.ts';
import { cellText } from '../cells.ts';
import { valueAt } from '../entry-columns.ts';
import type { ResolvedMapping } from '../mapping.ts';
import { readMappedCell } from './column-formats.ts';

export interface FieldError {
  /** `price`, `seo.title`; null if the row as a whole is invalid. */
  field: string | null;
  code: string;
  detail: string;
  /** The letter of the column in a spreadsheet, and what its cell contains, shortened. */
  column?: string;
  value?: string;
}

/** Of one row, so that a batch of rows with a thousand invalid cells each has results of a few megabytes. */
const MAX_ROW_ERRORS = 50;

/** What a row does. The caller checks that the assets and referenced entries exist, and derives slugs. */
type Evaluation =
  | { action: 'create' | 'update'; checked: CheckedValues }
  | { action: 'none' }
  | { action: 'fail'; errors: FieldError[] };

/**
 * Evaluates a row by the rules of `POST …/entries`, or, if it updates an entry, by those of `PATCH …/entries/{entryId}`:
 * cells that equal the stored value are not sent.
 * @param stored the values of the entry that the row updates
 */
export function evaluateRow(
  collection: Collection,
  mapping: ResolvedMapping,
  cells: readonly string[],
  stored: Values | undefined,
): Evaluation {
  const { sent, errors } = readRow(mapping, cells, stored);
  if (stored && errors.length === 0 && Object.keys(sent).length === 0) return { action: 'none' };
  const checked = stored ? checkChangedValues(collection, sent, stored) : checkNewValues(collection, sent);
  // A cell that could not be read is one error. That its field now lacks a value is not another.
  const isUnread = (field: string) =>
    errors.some((error) => field === error.field || field.startsWith(`${error.field}.`));
  const all = [...errors];
  for (const { pointer, code, detail } of checked.faults) {
    const field = fieldOf(pointer);
    if (!isUnread(field)) all.push({ field, code, detail });
  }
  if (all.length > 0) {
    const errors = all.slice(0, MAX_ROW_ERRORS).map((error) => ({ ...error, ...cellOf(mapping, cells, error.field) }));
    return { action: 'fail', errors };
  }
  if (stored && isDeepStrictEqual(checked.values, stored)) return { action: 'none' };
  return { action: stored ? 'update' : 'create', checked };
}

const MAX_SHOWN_LENGTH = 100;

/** The cell that an error is about. */
function cellOf({ columns }: ResolvedMapping, cells: readonly string[], field: string | null) {
  const mapped = columns.find(({ column: { name } }) => field === name || field?.startsWith(`${name}.`));
  if (!mapped) return {};
  const value = cells[mapped.at] ?? '';
  return { column: columnLetter(mapped.at), value: value.slice(0, MAX_SHOWN_LENGTH).toWellFormed() };
}

/** `A`, `B` … `Z`, `AA`: as spreadsheets name columns. */
function columnLetter(at: number): string {
  const rest = Math.floor(at / 26) - 1;
  return (rest < 0 ? '' : columnLetter(rest)) + String.fromCharCode(65 + (at % 26));
}

/** Turns a pointer into the values into the name of a column: `/values/seo/title` is `seo.title`. */
export const fieldOf = (pointer: string) => pointer.replace(/^\/values\//, '').replaceAll('/', '.');

/** Reads the values that the cells of a row change. Cells with errors are left out. */
function readRow(mapping: ResolvedMapping, cells: readonly string[], stored: Values | undefined) {
  const sent: Values = {};
  const errors: FieldError[] = [];
  for (const mapped of mapping.columns) {
    const { at, column } = mapped;
    const cell = cells[at] ?? '';
    const previous = stored && valueAt(stored, column);
    if (stored && cell === cellText(column, previous)) continue;
    const isEmpty = cell.trim() === '';
    // A spreadsheet does not distinguish an empty text from no value.
    if (isEmpty && (previous === undefined || previous === '' || mapping.keepsEmpty)) continue;
    const value = isEmpty ? null : readMappedCell(mapped, cell);
    if (value instanceof ValueFault) {
      errors.push({ field: column.name, code: value.code, detail: value.detail });
      continue;
    }
    const { field, nested } = column;
    if (nested === undefined) {
      sent[field.id] = value;
      continue;
    }
    // Groups are replaced as a whole, so start from the stored values, which the file may have no column for.
    const group = (sent[field.id] ?? storedGroup(field.fields ?? [], stored?.[field.id])) as Values;
    if (value === null) delete group[nested.id];
    else group[nested.id] = value;
    sent[field.id] = group;
  }
  for (const { column } of mapping.columns) {
    const { field, nested } = column;
    const group = sent[field.id];
    if (nested && group && Object.keys(group).length === 0) sent[field.id] = null;
  }
  return { sent, errors };
}

/** The values of a stored group that can be sent again: those of its active fields. */
function storedGroup(fields: readonly { id: string; status: 'active' | 'deleted' }[], stored: unknown): Values {
  const group = (stored ?? {}) as Values;
  return Object.fromEntries(
    fields.flatMap((field) => (isActive(field) && Object.hasOwn(group, field.id) ? [[field.id, group[field.id]]] : [])),
  );
}
