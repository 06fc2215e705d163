import pg from 'pg';
import { readJson } from '../../json.ts';

const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number | null;

const ZERO = 48;
/** The number in two digits. */
const two = (text: string, at: number) => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * ZERO;

/** Reads a `timestamptz`. The driver's parser takes five times as long for times in UTC of the years 1000 to 9999. */
function parseTime(text: string): Date | number | null {
  const end = text.length - 3;
  if (end < 19 || !text.endsWith('+00') || text[4] !== '-' || text[0] === '0') return parseAny(text);
  let ms = 0;
  for (let at = 20, unit = 100; at < end && unit >= 1; at++, unit /= 10) ms += unit * (text.charCodeAt(at) - ZERO);
  const year = 100 * two(text, 0) + two(text, 2);
  return new Date(Date.UTC(year, two(text, 5) - 1, two(text, 8), two(text, 11), two(text, 14), two(text, 17), ms));
}

const PARSERS = new Map<number, (text: string) => unknown>([
  // Every int8 is a safe integer by design.
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, parseTime],
  [pg.types.builtins.JSON, readJson],
  [pg.types.builtins.JSONB, readJson],
]);
/** How values are read. Those of other types are parsed as the driver does. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as never,
};
