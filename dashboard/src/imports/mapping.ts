import type { Collection, Import, ImportMapping } from '@headwater/sdk';
import { type FieldType, fieldTypeOf, isActive } from '../field-types/index.ts';
import { displayTimeZone } from '../shared/time-zone.ts';

/** A field that a column can be mapped to. */
export interface Target {
  /** As the service names it: `field` or `group.field`. */
  name: string;
  label: string;
  type: FieldType;
  isRepeated: boolean;
  isRequired: boolean;
  /** Whether rows can find their entry by it. */
  canMatch: boolean;
}

export function targetsOf({ fields }: Collection): Target[] {
  return fields.filter(isActive).flatMap((field): Target[] => {
    const { id, label, type, repeated, required } = field;
    if (field.fields !== null && !repeated) {
      return field.fields.filter(isActive).map((each) => ({
        name: `${id}.${each.id}`,
        label: `${label}: ${each.label}`,
        type: each.type,
        isRepeated: false,
        isRequired: false,
        canMatch: false,
      }));
    }
    const canMatch = !repeated && fieldTypeOf(field).csv.canMatch;
    return [{ name: id, label, type, isRepeated: repeated, isRequired: required, canMatch }];
  });
}

/** The mapping form: the field of each column, and how rows and cells are read. */
export interface Mapping {
  /** By column: the name of a target, `ID`, or null to skip it. */
  columns: (string | null)[];
  separators: Record<string, string>;
  /** How a row finds its entry: `ID`, the name of a target, or `NEW`: not at all. */
  match: string;
  emptyCells: 'clear' | 'keep';
  decimal: '.' | ',' | null;
  dateOrder: 'dmy' | 'mdy' | null;
  timeZone: string | null;
}

/** The service's name for the column of entry IDs. No target has this name. */
export const ID = '_id';
/** No target has this name either. */
export const NEW = '_new';

/** How the cells of a column separate their values: by semicolons where they contain one, else by commas. */
function suggestSeparator(samples: readonly string[]): string {
  const cells = samples.filter((sample) => sample.trim() !== '');
  if (cells.some((cell) => cell.trim().startsWith('['))) return '';
  return cells.some((cell) => cell.includes(';')) ? ';' : ',';
}

/** The mapping of the last preview, else the one the service suggests. */
export function toMapping({ columns, mapping }: Import): Mapping {
  const suggested = columns.map((column) => column.suggestedField);
  const planned = mapping?.columns.map((column, i) => (mapping.idColumn === i ? ID : (column?.field ?? null)));
  const chosen = planned ?? suggested;
  const separators = columns.flatMap(({ samples }, i) => {
    const field = chosen[i];
    if (!field) return [];
    return [[field, mapping ? (mapping.columns[i]?.separator ?? '') : suggestSeparator(samples)]];
  });
  return {
    columns: chosen,
    separators: Object.fromEntries(separators),
    match: mapping?.keyField ?? (chosen.includes(ID) ? ID : NEW),
    emptyCells: mapping?.emptyCells ?? 'clear',
    decimal: mapping?.decimal ?? null,
    dateOrder: mapping?.dateOrder ?? null,
    timeZone: mapping ? (mapping.timeZone ?? null) : displayTimeZone(),
  };
}

/** Maps a column; a match by a field that no longer has a column falls back to new entries. */
export function withColumn(
  mapping: Mapping,
  index: number,
  target: string | null,
  samples: readonly string[],
): Mapping {
  const columns = mapping.columns.map((each, i) => (i === index ? target : each));
  const isMatchLost = mapping.match !== NEW && !columns.includes(mapping.match);
  const separators = target === null ? {} : { [target]: suggestSeparator(samples) };
  return {
    ...mapping,
    columns,
    separators: { ...mapping.separators, ...separators },
    match: target === ID ? ID : isMatchLost ? NEW : mapping.match,
  };
}

export function toRequest(mapping: Mapping, targets: readonly Target[]): ImportMapping {
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

/** A sample cell whose day and month can be swapped. */
export function findAmbiguousDate(data: Import, targets: readonly Target[], mapping: Mapping): string | undefined {
  return data.columns
    .flatMap(({ samples }, i) => {
      const target = targets.find(({ name }) => name === mapping.columns[i]);
      const { needsDateOrder } = target ? fieldTypeOf(target).csv : {};
      return needsDateOrder ? samples.filter((sample) => needsDateOrder(sample)) : [];
    })
    .at(0);
}
