import { createRequire } from 'node:module';
import type { Options, Parser } from 'csv-parse';
import { badRequest } from './errors.ts';

// Loaded when the first file is imported.
const require = createRequire(import.meta.url);

/** Longer than any entry. A quote that is never closed makes the rest of the file one row. */
const MAX_ROW_BYTES = 8 * 1_048_576;

const options = (delimiter: string): Options => ({
  delimiter,
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: MAX_ROW_BYTES,
});

/** Streams the rows of a CSV, including the header, as lists of cells. An empty line is a list of one empty cell. */
export const csvParser = (delimiter: string): Parser =>
  (require('csv-parse') as typeof import('csv-parse')).parse(options(delimiter));

/** All rows of a CSV with commas, including the header. */
export const readCsv = (text: string): string[][] =>
  (require('csv-parse/sync') as typeof import('csv-parse/sync')).parse(text, options(',')) as string[][];

/** Explains an error of csv-parse; undefined for other errors. */
export function explainCsvError(error: unknown): string | undefined {
  const { code, message, lines } = (error ?? {}) as { code?: string; message?: string; lines?: number };
  if (!code?.startsWith('CSV_')) return undefined;
  const line = lines === undefined ? '' : ` (line ${lines})`;
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
    return `A quoted cell is not closed${line}. Close it with a quote.`;
  }
  if (code.includes('QUOTE'))
    return `A cell without quotes contains a quote${line}. Quote the cell and double its quotes.`;
  return `The file is not a valid CSV: ${message}.`;
}

export const MAX_COLUMNS = 1_000;
const DELIMITERS = [',', ';', '\t'];
const SAMPLES = 5;

/**
 * Reads the delimiter, the headings and the first rows from the start of a file.
 * @throws ApiError 400 `csv_malformed`, `csv_empty`, `too_many_columns`
 */
export function readHead(text: string): { delimiter: string; headings: string[]; samples: string[][] } {
  const { delimiter, count } = delimiterOf(text);
  // The parser takes long for columns that are refused anyway.
  if (count >= MAX_COLUMNS) throw tooManyColumns();
  const rows: string[][] = [];
  const on_record = (row: string[]) => void rows.push(row);
  try {
    (require('csv-parse/sync') as typeof import('csv-parse/sync')).parse(text, {
      ...options(delimiter),
      to: SAMPLES + 1,
      on_record,
    });
  } catch (error) {
    // The text may end within a row, but not within the header.
    if (rows.length === 0) throw badRequest('csv_malformed', explainCsvError(error) ?? 'The file is not a CSV.', error);
  }
  const [headings = [], ...samples] = rows;
  if (headings.every((heading) => heading.trim() === '')) {
    throw badRequest('csv_empty', 'The first line of the file is empty. It must name the columns.');
  }
  if (headings.length > MAX_COLUMNS) throw tooManyColumns();
  return { delimiter, headings: headings.map((heading) => heading.trim()), samples };
}

const tooManyColumns = () =>
  badRequest('too_many_columns', `The file has too many columns. The limit is ${MAX_COLUMNS}.`);

/** The delimiter that occurs most often in the first line, outside quotes, and how often. */
function delimiterOf(text: string): { delimiter: string; count: number } {
  const counts = new Map(DELIMITERS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '\n' || char === '\r') break;
    else if (counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  const [delimiter, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { delimiter, count };
}
