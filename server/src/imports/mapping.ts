import { type Collection, type CsvFormats, FIELD_TYPES, typeOf, type ValueFault } from '../content/index.ts';
import type { Fault } from '../shared/errors.ts';
import { isTimeZone } from '../shared/time.ts';
import type { ImportMapping } from './contract.ts';
import { type EntryColumn, entryColumns, systemColumn } from './entry-columns.ts';

/** A column that is mapped to a field, and how its cells are read. */
export interface MappedColumn {
  at: number;
  column: EntryColumn;
  separator: string | undefined;
  formats: CsvFormats;
  /** What is wrong with cells that have two readings, because other cells of the column prove both. */
  contradiction?: ValueFault | undefined;
}

/** A mapping, resolved against the current fields of a collection. */
export interface ResolvedMapping {
  /** The number of cells of a row. */
  width: number;
  columns: MappedColumn[];
  idColumn: number | undefined;
  /** The column by whose value entries are matched. */
  key: MappedColumn | undefined;
  keepsEmpty: boolean;
}

const KEY_TYPES = FIELD_TYPES.filter((type) => typeOf({ type }).isImportKey);

/** Resolves a mapping, and adds what is wrong with it to `faults`. @param width the number of columns of the file */
export function resolveMapping(
  collection: Collection,
  mapping: ImportMapping,
  width: number,
  faults: Fault[],
): ResolvedMapping {
  const fault = (pointer: string, code: string, detail: string) => void faults.push({ pointer, code, detail });
  if (mapping.columns.length !== width) {
    fault('/columns', 'column_count_mismatch', `The file has ${width} columns. Map each of them, or set it to null.`);
  }
  const known = new Map(entryColumns(collection).map((column) => [column.name, column]));
  const mapped = new Set<string>();
  const { idColumn = null, keyField = null, timeZone = null, decimal = null, dateOrder = null } = mapping;
  const formats = { timeZone, decimal, dateOrder };
  const columns = mapping.columns.flatMap((each, at): MappedColumn[] => {
    if (each === null) return [];
    const { field, separator } = each;
    const pointer = `/columns/${at}/field`;
    const column = known.get(field);
    if (!column) return fault(pointer, 'field_unknown', `The collection has no active field "${field}".`) ?? [];
    if (mapped.has(field)) return fault(pointer, 'field_repeated', 'Another column has the same field.') ?? [];
    mapped.add(field);
    return [{ at, column, separator, formats }];
  });
  if (idColumn !== null && keyField !== null) {
    fault('/keyField', 'key_conflict', 'Match entries either by id or by a field: send `idColumn` or `keyField`.');
  }
  if (idColumn !== null && idColumn >= width) fault('/idColumn', 'column_unknown', 'The file has no such column.');
  if (idColumn !== null && mapping.columns[idColumn]) {
    fault(`/columns/${idColumn}`, 'column_repeated', 'The column holds ids. Set it to null.');
  }
  const key = columns.find(({ column }) => column.name === keyField);
  if (keyField !== null && !key) fault('/keyField', 'field_unknown', 'No column is mapped to this field.');
  if (key && (key.column.nested || key.column.field.repeated || !typeOf(key.column.field).isImportKey)) {
    const detail = `Match entries by a field with a single value of one of these types: ${KEY_TYPES.join(', ')}.`;
    fault('/keyField', 'field_not_unique', detail);
  }
  if (columns.length === 0) fault('/columns', 'too_few', 'Map at least one column to a field.');
  if (timeZone !== null && !isTimeZone(timeZone)) {
    fault('/timeZone', 'time_zone_unknown', 'The time zone is unknown. Use an IANA name, such as Europe/Berlin.');
  }
  return {
    width,
    columns,
    idColumn: idColumn ?? undefined,
    key,
    keepsEmpty: mapping.emptyCells === 'keep',
  };
}

const normalize = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}.]/gu, '');

/**
 * The field that each heading names by id or label; `_id` for the id of the entry, which no field can be called; null if
 * none. If several headings name the same field, only the first gets it.
 */
export function suggestFields(collection: Collection, headings: readonly string[]): (string | null)[] {
  const columns = entryColumns(collection);
  const byName = new Map<string, string>();
  const add = (name: string, column: string) => byName.has(normalize(name)) || byName.set(normalize(name), column);
  for (const { name } of columns) add(name, name);
  for (const { name, field, nested } of columns) {
    add(nested ? `${field.label}.${nested.label}` : field.label, name);
    if (nested) add(`${field.label} ${nested.label}`, name);
  }
  for (const { name, nested } of columns) if (nested) add(nested.label, name);
  const idHeading = systemColumn(collection, 'id');
  const taken = new Set<string>();
  return headings.map((heading) => {
    const name = heading === idHeading ? '_id' : byName.get(normalize(heading));
    if (name === undefined || taken.has(name)) return null;
    taken.add(name);
    return name;
  });
}
