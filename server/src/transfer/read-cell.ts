import { type Field, isActive, type NestedField, type Values } from '../content/index.ts';
import { undefuse } from '../shared/csv.ts';
import { isDate, isoTime, parseTimestamp } from '../shared/time.ts';
import { CellFault, type Forms } from './cell-fault.ts';
import { readDate, readDateTime } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { type Target, typedBy } from './targets.ts';

/**
 * What a cell that is not empty says, as the API takes it; whether the field allows it is for the field's own rules. What
 * could mean more than one thing, and nothing says which, is a fault.
 * @param separator what parts the values of a repeated field where they are no JSON array
 */
export function readCell(target: Target, cell: string, separator: string | undefined, forms: Forms): unknown {
  const { field } = target;
  if (!field.repeated) return readValue(typedBy(target), cell, forms);
  const text = cell.trim();
  if (text.startsWith('[')) return readList(field, text);
  if (field.type === 'group' || separator === undefined) {
    return new CellFault('list_invalid', 'The field is repeated: write a JSON array, or say what parts its values.');
  }
  const values = text.split(separator).flatMap((part) => {
    const value = part.trim();
    return value === '' ? [] : [readValue(field, value, forms)];
  });
  return values.find((value) => value instanceof CellFault) ?? values;
}

function readValue(field: NestedField, cell: string, forms: Forms): unknown {
  const text = undefuse(field.type === 'text' ? cell : cell.trim());
  switch (field.type) {
    case 'number':
      return readNumber(text, forms.decimal);
    case 'boolean':
      return readBoolean(text);
    case 'date':
      return isDate(text) ? text : readDate(text, forms.dateOrder);
    case 'timestamp': {
      const ms = parseTimestamp(text);
      return ms === undefined ? readDateTime(text, forms) : isoTime(ms);
    }
    case 'select':
      return readOption(field, text);
    case 'asset':
      return { assetId: text };
    default:
      return text;
  }
}

const YES = new Set(['true', 'yes', 'y', 'on', '1']);
const NO = new Set(['false', 'no', 'n', 'off', '0']);

function readBoolean(text: string): boolean | CellFault {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  return new CellFault('boolean_invalid', 'Write true or false, yes or no, on or off, 1 or 0.');
}

/** By its value, else by its label. */
function readOption({ options }: NestedField, text: string): string | CellFault {
  if (options?.some(({ value }) => value === text)) return text;
  const labelled = options?.filter((option) => isActive(option) && option.label.trim() === text) ?? [];
  if (labelled.length > 1) return new CellFault('option_ambiguous', 'Several options have this label: write a value.');
  return labelled[0]?.value ?? text;
}

function readList(field: Field, text: string): unknown {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return new CellFault('list_invalid', 'The cell begins like a JSON array and is none.');
  }
  return (list as unknown[]).map((each) => {
    if (field.type === 'asset') return assetOf(each);
    if (field.type !== 'group' || typeof each !== 'object' || each === null) return each;
    const assets = new Set((field.fields ?? []).filter(({ type }) => type === 'asset').map(({ id }) => id));
    return Object.fromEntries(
      Object.entries(each as Values).map(([id, value]) => [id, assets.has(id) ? assetOf(value) : value]),
    );
  });
}

const assetOf = (value: unknown) => (typeof value === 'string' ? { assetId: value } : value);
