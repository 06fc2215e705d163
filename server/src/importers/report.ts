import type { Note } from './source.ts';

export interface ImportReport {
  /** What was created, or with a dry run would be. */
  collections: number;
  entries: number;
  files: number;
  /** What was there from an earlier run and changed in the export since. */
  updated: number;
  /** What was there from an earlier run, and is the same. */
  skipped: number;
  /** What was not taken over, or not as a whole. */
  failed: { id: string; reason: string }[];
  /** What has no counterpart or differs, by collection and reason. */
  notes: Note[];
  dryRun?: true;
}

const MAX_ROWS = 1_000;

/** A report as a table with a line for each collection and reason. */
export function reportTable(report: ImportReport): string {
  const { collections, entries, files, updated, skipped, failed, notes, dryRun } = report;
  const rows: string[][] = [
    ...notes.map(({ collection, note, amount, names = [] }) => [
      collection,
      amount,
      names.length === 0 ? note : `${note} ${names.join(', ')}`,
    ]),
    ...failed.slice(0, MAX_ROWS).map(({ id, reason }) => [id.split('/')[0] ?? '', id, reason]),
  ];
  if (failed.length > MAX_ROWS) rows.push(['', `${failed.length - MAX_ROWS} more`, 'See all with --json.']);
  const did = dryRun ? 'Would be created' : 'Created';
  const lines = [
    `${did}: ${collections} collections, ${entries} entries, ${files} files. Updated: ${updated}. Unchanged: ${skipped}. Refused, or not whole: ${failed.length}.`,
  ];
  if (rows.length === 0) return lines.join('\n');
  const table = [['Collection', 'Amount', 'Reason'], ...rows];
  const widths = [0, 1].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  for (const [collection = '', amount = '', reason = ''] of table) {
    lines.push(`${collection.padEnd(widths[0] ?? 0)}  ${amount.padEnd(widths[1] ?? 0)}  ${reason}`.trimEnd());
  }
  return lines.join('\n');
}
