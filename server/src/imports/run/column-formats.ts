import { isDeepStrictEqual } from 'node:util';
import { type CsvFormats, typeOf, ValueFault } from '../../content/index.ts';
import { readCell } from '../cells.ts';
import { cellField } from '../entry-columns.ts';
import type { MappedColumn, ResolvedMapping } from '../mapping.ts';

const READINGS = { decimal: ['.', ','], dateOrder: ['dmy', 'mdy'] } as const;
const NAMES = {
  decimal: ['a decimal point', 'a decimal comma'],
  dateOrder: ['the day first', 'the month first'],
} as const;

/** How the cells of a column are written, as far as they prove it; by the index of the column. */
export type DetectedFormats = Map<number, Pick<MappedColumn, 'contradiction'> & Partial<CsvFormats>>;

/** What the two readings of a cell are; undefined if the mapping says how the column is to be read, or it has only one. */
function readingsOf({ column, separator, formats }: MappedColumn, cell: string): [unknown, unknown] | undefined {
  const setting = typeOf(cellField(column)).csv.ambiguity;
  if (setting === undefined || formats[setting] !== null) return undefined;
  // Without a time zone, no time could be read.
  const read = (at: 0 | 1) =>
    readCell(column, cell, separator, { ...formats, timeZone: 'UTC', [setting]: READINGS[setting][at] });
  return [read(0), read(1)];
}

/**
 * Finds out how each column is written whose mapping does not say so, by the cells that can be read in one way only: a column
 * is read in one way throughout.
 */
export async function detectFormats(
  { columns, width }: ResolvedMapping,
  rows: AsyncIterable<{ row: number; cells: string[] }>,
): Promise<DetectedFormats> {
  const detected: DetectedFormats = new Map();
  const open = columns.filter((column) => readingsOf(column, '') !== undefined);
  if (open.length === 0) return detected;
  /** By column, the first cell that proves each reading. */
  const proofs = new Map(open.map(({ at }) => [at, [] as (string | undefined)[]]));
  for await (const { row, cells } of rows) {
    if (cells.length !== width) continue;
    for (const column of open) {
      const cell = cells[column.at]?.trim() ?? '';
      const proof = proofs.get(column.at);
      if (cell === '' || !proof || (proof[0] !== undefined && proof[1] !== undefined)) continue;
      const [first, second] = readingsOf(column, cell) ?? [];
      if (first instanceof ValueFault === second instanceof ValueFault) continue;
      proof[first instanceof ValueFault ? 1 : 0] ??= `"${cell.slice(0, 40)}" (row ${row})`;
    }
  }
  for (const { at, column } of open) {
    const setting = typeOf(cellField(column)).csv.ambiguity;
    const [first, second] = proofs.get(at) ?? [];
    if (setting === undefined || (first === undefined && second === undefined)) continue;
    if (first === undefined || second === undefined) {
      detected.set(at, { [setting]: READINGS[setting][first === undefined ? 1 : 0] });
      continue;
    }
    const [one, other] = NAMES[setting];
    const detail = `The column is written in two ways: ${first} with ${one}, ${second} with ${other}. Write it in one way, or specify \`${setting}\`.`;
    detected.set(at, {
      contradiction: new ValueFault(setting === 'decimal' ? 'number_ambiguous' : 'date_ambiguous', detail),
    });
  }
  return detected;
}

/** Adds what was detected to a mapping. */
export function withFormats(mapping: ResolvedMapping, detected: DetectedFormats): ResolvedMapping {
  const columns = mapping.columns.map((each): MappedColumn => {
    const { contradiction, ...formats } = detected.get(each.at) ?? {};
    return { ...each, formats: { ...each.formats, ...formats }, contradiction };
  });
  return { ...mapping, columns, key: mapping.key && columns.find(({ at }) => at === mapping.key?.at) };
}

/** Reads a cell that is not empty as the rest of its column. */
export function readMappedCell(mapped: MappedColumn, cell: string): unknown {
  const { column, separator, formats, contradiction } = mapped;
  if (contradiction) {
    const [first, second] = readingsOf(mapped, cell) ?? [];
    if (!isDeepStrictEqual(first, second)) return contradiction;
  }
  return readCell(column, cell, separator, formats);
}
