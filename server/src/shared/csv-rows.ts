import { createRequire } from 'node:module';
import type { Options, Parser } from 'csv-parse';
import { badRequest } from './errors.ts';

// Loaded when the first file is imported.
const require = createRequire(import.meta.url);

/** Longer than any entry. A quote that is never closed makes the rest of the file one row. */
const MAX_ROW_BYTES = 8 * 1_048_576;

/** `sep=;` before the header tells spreadsheets the delimiter. They neither show it nor count it as a row. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n=\w])"?\1*(?:\r?\n|\r|$)/i;
const isSeparatorLine = (row: readonly string[]) => /^sep=[^=\w]?$/i.test(row.join(''));

/** @param onRow gets each row, and the line of the file where it ends */
const options = (delimiter: string, onRow: (row: string[], line: number) => void = () => {}): Options => ({
  delimiter,
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quote within a cell is a character like others, as in spreadsheets.
  relax_quotes: true,
  max_record_size: MAX_ROW_BYTES,
  on_record: (row: string[], { records, lines }) => {
    if (records === 1 && isSeparatorLine(row)) return null;
    onRow(row, lines);
    return row;
  },
});

/** Streams the rows of a CSV, including the header, as lists of cells. An empty line is a list of one empty cell. */
export function csvParser(delimiter: string): Parser {
  let line = 0;
  const onRow = (_row: string[], end: number) => {
    line = end;
  };
  const parser = (require('csv-parse') as typeof import('csv-parse')).parse(options(delimiter, onRow));
  // The parser names the line where it gave up, which is the end of the file if a quote is never closed.
  return parser.on('error', (error) => void Object.assign(error, { lines: line + 1 }));
}

/** All rows of a CSV with commas, including the header. */
export const readCsv = (text: string): string[][] =>
  (require('csv-parse/sync') as typeof import('csv-parse/sync')).parse(text, options(',')) as string[][];

/** Explains an error of csv-parse; undefined for other errors. */
export function explainCsvError(error: unknown): string | undefined {
  const { code, message, lines } = (error ?? {}) as { code?: string; message?: string; lines?: number };
  if (!code?.startsWith('CSV_')) return undefined;
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
    return `A quoted cell is not closed (the row starts in line ${lines}). Close it with a quote.`;
  }
  return `The file is not a valid CSV (line ${lines}): ${message}.`;
}

const MAX_COLUMNS = 1_000;
const DELIMITERS = [',', ';', '\t'];
const SAMPLES = 5;

/**
 * Reads the delimiter, the headings and the first rows from the start of a file.
 * @throws ApiError 400 `csv_malformed`, `csv_empty`, `too_many_columns`
 */
export function readHead(text: string): { delimiter: string; headings: string[]; samples: string[][] } {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const [separatorLine = '', separator] = SEPARATOR_LINE.exec(text.slice(start, start + 20)) ?? [];
  const { delimiter, count } = delimiterOf(text, start + separatorLine.length, separator ? [separator] : DELIMITERS);
  // The parser takes long for columns that are refused anyway.
  if (count >= MAX_COLUMNS) throw tooManyColumns();
  const rows: string[][] = [];
  try {
    (require('csv-parse/sync') as typeof import('csv-parse/sync')).parse(text, {
      ...options(delimiter, (row) => void rows.push(row)),
      to: SAMPLES + (separatorLine ? 2 : 1),
    });
  } catch (error) {
    // The text may end within a row, but not within the header.
    if (rows.length === 0) {
      const explanation = explainCsvError(Object.assign(error as Error, { lines: separatorLine ? 2 : 1 }));
      throw badRequest('csv_malformed', explanation ?? 'The file is not a CSV.', error);
    }
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

/** The delimiter that occurs most often in the first line, outside quoted cells, and how often. */
function delimiterOf(text: string, start: number, delimiters: string[]): { delimiter: string; count: number } {
  const counts = new Map(delimiters.map((each) => [each, 0]));
  let isQuoted = false;
  let isCellStart = true;
  let closedAt = -2;
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      if (isQuoted) closedAt = at;
      // Two quotes in a quoted cell are one of its characters.
      isQuoted = !isQuoted && (isCellStart || closedAt === at - 1);
    } else if (!isQuoted) {
      if (char === '\n' || char === '\r') break;
      if (counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    isCellStart = !isQuoted && counts.has(char);
  }
  const [delimiter, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { delimiter, count };
}
