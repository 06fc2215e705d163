import {
  type CsvFormats,
  fieldsOfRow,
  isActive,
  type NestedField,
  typeOf,
  ValueFault,
  type Values,
} from '../content/index.ts';
import { escapeFormulaInJson } from '../shared/csv.ts';
import { parseExactly, unstorableFaults } from '../shared/json.ts';
import { cellField, type EntryColumn } from './entry-columns.ts';

/** Formats a stored value as a CSV cell. No value is an empty cell, a repeated field a JSON array. */
export function cellText(column: EntryColumn, value: unknown): string {
  if (value === undefined) return '';
  const field = cellField(column);
  const isJson = field.repeated || typeOf(field).structure === 'fields';
  return isJson ? escapeFormulaInJson(JSON.stringify(cellJson(field, value))) : typeOf(field).csv.format(value);
}

function cellJson(field: NestedField, value: unknown): unknown {
  if (Array.isArray(value) && field.repeated) return value.map((item) => itemJson(field, item));
  return itemJson(field, value);
}

function itemJson(field: NestedField, value: unknown): unknown {
  if (typeOf(field).structure !== 'fields') return typeOf(field).csv.toJson(value);
  const { _block, _id, ...group } = value as Values;
  const present = fieldsOfRow(field, value).filter((nested) => isActive(nested) && Object.hasOwn(group, nested.id));
  const values = present.map((nested) => [nested.id, cellJson(nested, group[nested.id])]);
  return { ...(_block !== undefined && { _block }), ...(_id !== undefined && { _id }), ...Object.fromEntries(values) };
}

/** More than any field accepts. Bounds the work on a cell, which can be as long as a row. */
const MAX_PARTS = 10_000;

/**
 * Parses a cell that is not empty into a value as the API takes it. Whether the field accepts the value is up to its own
 * rules. A cell that is ambiguous is a fault.
 * @param separator separates the values of a repeated field that is not written as a JSON array
 */
export function readCell(
  column: EntryColumn,
  cell: string,
  separator: string | undefined,
  formats: CsvFormats,
): unknown {
  const value = parseCell(column, cell, separator, formats);
  const [unstorable] = value instanceof ValueFault ? [] : unstorableFaults(value, '', true);
  if (!unstorable) return value;
  const detail = 'The cell contains U+0000, an unpaired surrogate, or a number beyond the range of JSON numbers.';
  return new ValueFault(unstorable.code, detail);
}

function parseCell(column: EntryColumn, cell: string, separator: string | undefined, formats: CsvFormats): unknown {
  const field = cellField(column);
  const parse = (text: string) => typeOf(field).csv.parse(text, field, formats);
  const text = cell.trim();
  if (!field.repeated)
    return typeOf(field).structure === 'fields' && text.startsWith('{') ? readJson(field, text) : parse(cell);
  if (text.startsWith('[')) return readJson(field, text);
  if (typeOf(field).structure === 'fields' || separator === undefined) {
    const detail = 'The field is repeated. Write a JSON array, or specify what separates its values.';
    return new ValueFault('list_invalid', detail);
  }
  const parts = text.split(separator, MAX_PARTS + 1);
  if (parts.length > MAX_PARTS) return new ValueFault('too_many', `The cell has more than ${MAX_PARTS} values.`);
  const values = parts.flatMap((part) => {
    const value = part.trim();
    return value === '' ? [] : [parse(value)];
  });
  return values.find((value) => value instanceof ValueFault) ?? values;
}

function readJson(field: NestedField, text: string): unknown {
  try {
    return fromJson(field, parseExactly(text));
  } catch {
    return new ValueFault('list_invalid', 'The cell starts like a JSON array or object but is not one.');
  }
}

/** What a JSON cell has for a field; what does not fit it is left to the check of values. */
function fromJson(field: NestedField, value: unknown): unknown {
  if (field.repeated && Array.isArray(value)) return value.map((item) => fromJson({ ...field, repeated: false }, item));
  if (typeOf(field).structure !== 'fields' || typeof value !== 'object' || value === null) {
    return typeOf(field).csv.fromJson(value);
  }
  const nested = new Map(fieldsOfRow(field, value).map((each) => [each.id, each]));
  return Object.fromEntries(
    Object.entries(value as Values).map(([id, member]) => {
      const type = nested.get(id);
      return [id, type ? fromJson(type, member) : member];
    }),
  );
}
