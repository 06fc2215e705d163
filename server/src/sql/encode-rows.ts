import pg from 'pg';
import { csvLine, escapeFormula } from '../shared/csv.ts';
import { readJson } from '../shared/json.ts';
import { isoTime } from '../shared/time.ts';
import type { Batch, Column } from './run-statement.ts';

/** Writes rows in a format, batch by batch. */
export interface RowFormat {
  contentType: string;
  /** @param isFirst whether nothing was written before */
  encode(batch: Batch, isFirst: boolean): string | Uint8Array;
  /** What follows the last batch. */
  end?(): string | Uint8Array;
}

/** Numbers of types in PostgreSQL, which never change. */
export const OID = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
} as const;

const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/** As all times of the API: RFC 3339 in UTC with milliseconds. Infinity and years before our era stay as they are. */
export const timeOf = (text: string): string =>
  UTC.test(text) ? isoTime(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)) : text;

const isFiniteNumber = (text: string) => text !== 'NaN' && !text.endsWith('Infinity');

/** A value as JSON. Numbers that JavaScript would round are strings, and so are all decimals, as everywhere in the API. */
function toJson(type: number): (text: string) => string {
  switch (type) {
    case OID.bool:
      return (text) => (text === 't' ? 'true' : 'false');
    case OID.int2:
    case OID.int4:
      return (text) => text;
    case OID.int8:
      return (text) => (Number.isSafeInteger(Number(text)) ? text : `"${text}"`);
    case OID.float4:
    case OID.float8:
      return (text) => (isFiniteNumber(text) ? JSON.stringify(Number(text)) : `"${text}"`);
    case OID.jsonb:
      return (text) => text;
    case OID.json:
      // It may have line breaks.
      return (text) => JSON.stringify(readJson(text));
    case OID.timestamptz:
      return (text) => `"${timeOf(text)}"`;
    case OID.numeric:
    case OID.date:
      return (text) => `"${text}"`;
  }
  return toJsonList(type) ?? JSON.stringify;
}

/** For lists of simple values. Values of all other types that the driver reads are better as they are. */
export function toJsonList(type: number): ((text: string) => string) | undefined {
  if (!LISTS.has(type)) return undefined;
  const parse = pg.types.getTypeParser(type, 'text') as (text: string) => unknown;
  return (text) => JSON.stringify(parse(text));
}

/** Lists of texts, integers, floating-point numbers, booleans and UUIDs. */
const LISTS = new Set<number>([1000, 1005, 1007, 1009, 1015, 1021, 1022, 2951]);

/** Columns may have the same name: the later ones get a number. */
export function namesOf(columns: readonly Column[]): string[] {
  const used = new Set<string>();
  return columns.map(({ name }) => {
    let own = name;
    for (let i = 2; used.has(own); i++) own = `${name}_${i}`;
    used.add(own);
    return own;
  });
}

export const ndjson: RowFormat = {
  contentType: 'application/x-ndjson; charset=utf-8',
  encode({ columns, rows }) {
    const heads = namesOf(columns).map((name) => `${JSON.stringify(name)}:`);
    const writers = columns.map(({ type }) => toJson(type));
    const member = (text: string | null, i: number) => `${heads[i]}${text === null ? 'null' : writers[i]?.(text)}`;
    return rows.map((row) => `{${row.map(member).join(',')}}\n`).join('');
  },
};

const isText = (type: number) => [25, 1042, 1043, 19, 18].includes(type);

/** RFC 4180 with a header, as exports are: null is an empty cell, and formulas are escaped. */
export const csv: RowFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  encode({ columns, rows }, isFirst) {
    const lines = rows.map((row) => lineOf(row.map((text, i) => cellOf(text, columns[i]?.type ?? 0))));
    return (isFirst ? csvLine(namesOf(columns).map(escapeFormula)) : '') + lines.join('');
  },
};

function cellOf(text: string | null, type: number): string {
  if (text === null) return '';
  if (type === OID.timestamptz) return timeOf(text);
  if (type === OID.bool) return text === 't' ? 'true' : 'false';
  // Numbers begin with a minus, and are no formulas.
  if (NUMBERS.has(type)) return text;
  return isText(type) && text === '' ? EMPTY : escapeFormula(text);
}

const NUMBERS = new Set<number>([OID.int2, OID.int4, OID.int8, OID.float4, OID.float8, OID.numeric]);

/** Stands for an empty text, which is written as `""`. */
const EMPTY = '\u0000';

const lineOf = (cells: string[]): string => csvLine(cells).replaceAll(EMPTY, '""');
