import { type Options, type Parser, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { badRequest } from '../shared/errors.ts';
import { LIMITS } from './contract.ts';

/** A row longer than any entry: a quote that is never closed takes the rest of the file for one cell. */
const MAX_ROW = 8 * 1_048_576;

const options = (separator: string): Options => ({
  delimiter: separator,
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: MAX_ROW,
});

/** Reads the rows of a CSV as they come, the header too; each is a list of its cells, an empty line a list of one. */
export const csvParser = (separator: string): Parser => parse(options(separator));

/** What csv-parse throws at a file that is no CSV, in a sentence. */
export function describeFault(error: unknown): string | undefined {
  const { code, message, lines } = (error ?? {}) as { code?: string; message?: string; lines?: number };
  if (!code?.startsWith('CSV_')) return undefined;
  const line = lines === undefined ? '' : ` (line ${lines})`;
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE')
    return `A quote is opened and never closed${line}.`;
  if (code.includes('QUOTE')) return `A quote stands within a cell that is not quoted${line}.`;
  return `The file is no CSV: ${message}`;
}

const SEPARATORS = [',', ';', '\t'];
const SAMPLES = 5;

/**
 * What parts the cells of a file, its headings and its first rows, from how it begins.
 * @throws ApiError 400 `csv_malformed`, `csv_empty`, `too_many_columns`
 */
export function readHead(text: string): { separator: string; headings: string[]; samples: string[][] } {
  const separator = separatorOf(text);
  let rows: string[][] | undefined;
  // The text may end within a row: as many are read as are whole.
  for (let count = SAMPLES + 1; rows === undefined; count--) {
    try {
      rows = parseNow(text, { ...options(separator), to: count }) as unknown as string[][];
    } catch (error) {
      if (count === 1) throw badRequest('csv_malformed', describeFault(error) ?? 'The file is no CSV.', error);
    }
  }
  const [headings = [], ...samples] = rows;
  if (headings.every((heading) => heading.trim() === '')) {
    throw badRequest('csv_empty', 'The first line of the file has to name its columns.');
  }
  if (headings.length > LIMITS.columns) {
    throw badRequest('too_many_columns', `A file has at most ${LIMITS.columns} columns.`);
  }
  return { separator, headings: headings.map((heading) => heading.trim()), samples };
}

/** The sign that parts most cells of the first line; those in quotes do not count. */
function separatorOf(text: string): string {
  const counts = new Map(SEPARATORS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '\n' || char === '\r') break;
    else if (counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}
