import { type CsvFormats, type Field, isActive, typeOf, ValueFault, type Values } from '../content/index.ts';
import { escapeFormulaInJson } from '../shared/csv.ts';
import { unstorableFaults } from '../shared/json.ts';
import { cellField, type EntryColumn } from './entry-columns.ts';

/** Formats a stored value as a CSV cell. No value is an empty cell, a repeated field a JSON array. */
export function cellText(column: EntryColumn, value: unknown): string {
  if (value === undefined) return '';
  if (column.field.repeated && Array.isArray(value))
    return escapeFormulaInJson(JSON.stringify(value.map((item) => cellJson(column.field, item))));
  return typeOf(cellField(column)).csv.format(value);
}

function cellJson(field: Field, value: unknown): unknown {
  if (typeOf(field).structure !== 'fields') return typeOf(field).csv.toJson(value);
  const group = value as Values;
  const present = (field.fields ?? []).filter((nested) => isActive(nested) && Object.hasOwn(group, nested.id));
  return Object.fromEntries(present.map((nested) => [nested.id, typeOf(nested).csv.toJson(group[nested.id])]));
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
  const [unstorable] = value instanceof ValueFault ? [] : unstorableFaults(value, '');
  if (!unstorable) return value;
  const detail = 'The cell contains U+0000, an unpaired surrogate, or a number beyond the range of JSON numbers.';
  return new ValueFault(unstorable.code, detail);
}

function parseCell(column: EntryColumn, cell: string, separator: string | undefined, formats: CsvFormats): unknown {
  const { field } = column;
  const typed = cellField(column);
  const parse = (text: string) => typeOf(typed).csv.parse(text, typed, formats);
  if (!field.repeated) return parse(cell);
  const text = cell.trim();
  if (text.startsWith('[')) return readList(field, text);
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

function readList(field: Field, text: string): unknown {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return new ValueFault('list_invalid', 'The cell starts like a JSON array but is not one.');
  }
  const nested = new Map((field.fields ?? []).map((each) => [each.id, each]));
  return (list as unknown[]).map((item) => {
    if (typeOf(field).structure !== 'fields' || typeof item !== 'object' || item === null) {
      return typeOf(field).csv.fromJson(item);
    }
    return Object.fromEntries(
      Object.entries(item as Values).map(([id, value]) => {
        const type = nested.get(id);
        return [id, type ? typeOf(type).csv.fromJson(value) : value];
      }),
    );
  });
}
