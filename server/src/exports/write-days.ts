import { join } from 'node:path';
import pg from 'pg';
import { copyRows, type Row } from '../shared/postgres/driver/copy-rows.ts';
import { type SessionIds, sessionIdsOf } from '../shared/session-ids.ts';
import { DAY } from '../shared/units.ts';
import { DAY_DATASETS, type DayDataset, type DayDatasetName } from './datasets/by-day.ts';
import type { WrittenFile } from './file-job.ts';
import { ParquetEncoder } from './formats/parquet-encoder.ts';
import { HashedFile } from './hashed-file.ts';

/** What is asked of a thread, as plain data. */
export interface DaysPlan {
  connection: pg.PoolConfig;
  /** Of the ids of sessions. */
  sessionKey: Uint8Array;
  accountId: string;
  dataset: DayDatasetName;
  /** The days that there are files of, with their digests; null: to be written whatever they hold. */
  known: readonly { day: string; rows: number; digest: string | null }[];
  /** The first day that gets a file; days that have one are kept up to date all the same. */
  from: string | null;
  /** Where the files are written. */
  folder: string;
  /** Days are written until they have so many rows. */
  maxRows: number;
}

export interface DayFile extends WrittenFile {
  path: string;
  day: string;
  digest: string;
}

export interface WrittenDays {
  files: DayFile[];
  /** Rows of the days that changed and were not written, and how many days. */
  left: { days: number; rows: number };
}

/** Settings of its own connection: nothing but hash joins, which whole days of an account are best joined by. */
const PREPARE = `set application_name = 'headwater-export'; set work_mem = '64MB'; set jit = off; set enable_mergejoin = off;
  set max_parallel_workers_per_gather = 0; begin isolation level repeatable read, read only`;
const MAX_FILES = 1_000;

interface Day {
  day: string;
  rows: number;
  digest: string;
}

/**
 * Finds the days whose rows differ from those of their files, by the digests of both, and writes the oldest of them to new files. One
 * snapshot is read: if nothing is left, the files are what the dataset was at that moment. Blocks, so it runs in a thread.
 */
export async function writeDays(plan: DaysPlan, report: (progress: number) => void): Promise<WrittenDays> {
  const dataset = DAY_DATASETS[plan.dataset];
  const client = new pg.Client(plan.connection);
  try {
    await client.connect();
    await client.query(PREPARE);
    const found = await readDigests(client, dataset, plan.accountId);
    const changed = changedDays(found, plan);
    const chosen = firstDays(changed, plan.maxRows);
    const files = chosen.length === 0 ? [] : await copyDays(client, dataset, plan, { chosen, found }, report);
    const others = changed.slice(chosen.length);
    return { files, left: { days: others.length, rows: others.reduce((sum, day) => sum + day.rows, 0) } };
  } finally {
    await client.end();
  }
}

/** The first days with at most so many rows together, and at least one. */
function firstDays(days: readonly Day[], maxRows: number): Day[] {
  let [count, rows] = [0, 0];
  for (const day of days.slice(0, MAX_FILES)) {
    rows += day.rows;
    if (count > 0 && rows > maxRows) break;
    count++;
  }
  return days.slice(0, count);
}

function changedDays(found: readonly Day[], { known, from }: DaysPlan): Day[] {
  const files = new Map(known.map((file) => [file.day, file]));
  const days = new Set(found.map(({ day }) => day));
  const changed = found.filter(({ day, rows, digest }) => {
    const file = files.get(day);
    if (file === undefined) return from === null || day >= from;
    return file.rows !== rows || file.digest !== digest;
  });
  const vanished = known.filter(({ day, rows, digest }) => !days.has(day) && (rows > 0 || digest === null));
  const empty = vanished.map(({ day }) => ({ day, rows: 0, digest: '0' }));
  return [...changed, ...empty].sort((a, b) => (a.day < b.day ? -1 : 1));
}

const dayOf = ({ time, isDate }: DayDataset) => (isDate ? time : `(${time} at time zone 'UTC')::date`);
/** Another number has all files written again: the types or names of columns have changed. */
const FILE_VERSION = 1;
const hashOf = ({ columns }: DayDataset) =>
  `hash_record_extended(row(${columns.map(({ sql }) => sql).join(', ')}), ${FILE_VERSION})`;
const rowsOf = ({ from, where }: DayDataset, accountId: string) =>
  `${from} where t.account_id = ${pg.escapeLiteral(accountId)}${where ? ` and ${where}` : ''}`;

async function readDigests(client: pg.Client, dataset: DayDataset, accountId: string): Promise<Day[]> {
  const { rows } = await client.query<{ day: string; rows: string; digest: string }>(
    `select day::text, count(*)::text as rows, bit_xor(hash)::text as digest
     from (select ${dayOf(dataset)} as day, ${hashOf(dataset)} as hash ${rowsOf(dataset, accountId)}) r group by day`,
  );
  return rows.map((row) => ({ ...row, rows: Number(row.rows) }));
}

/** Copies the rows of days, in their order, each day to its own file. */
async function copyDays(
  client: pg.Client,
  dataset: DayDataset,
  { sessionKey, accountId, folder }: DaysPlan,
  days: { chosen: readonly Day[]; found: readonly Day[] },
  report: (progress: number) => void,
): Promise<DayFile[]> {
  const { columns } = dataset;
  const ids = sessionIdsOf(sessionKey);
  const files: DayFile[] = [];
  const total = days.chosen.reduce((sum, { rows }) => sum + rows, 1);
  const pending = [...days.chosen];
  let current: ReturnType<typeof openFile> | undefined;
  let copied = 0;
  const advance = (to?: number) => {
    while (current === undefined || current.number !== to) {
      if (current) files.push(current.finish());
      const next = pending.shift();
      if (next === undefined) {
        current = undefined;
        return;
      }
      current = openFile(join(folder, `${next.day}.parquet`), next, dataset, ids);
    }
  };
  const add = (row: Row) => {
    const day = row.bytes.readInt32BE(row.starts[columns.length] as number);
    if (current?.number !== day) advance(day);
    if (current === undefined) throw new Error('a row belongs to no day that is written');
    current.add(row);
    if (++copied % 50_000 === 0) report(copied / total);
  };
  try {
    await copyRows(client, selectDays(dataset, accountId, days), columns.length + 1, add);
    advance();
    return files;
  } finally {
    current?.close();
  }
}

function selectDays(
  dataset: DayDataset,
  accountId: string,
  { chosen, found }: { chosen: readonly Day[]; found: readonly Day[] },
): string {
  const { columns, order, time, isDate } = dataset;
  const day = dayOf(dataset);
  const days = new Set(chosen.map((each) => each.day));
  const list = [...days].map((each) => pg.escapeLiteral(each));
  const bound = (text: string) => (isDate ? `${text}::date` : `${text}::date::timestamp at time zone 'UTC'`);
  const [first, last] = [chosen[0]?.day ?? '', chosen.at(-1)?.day ?? ''];
  // It would take a tenth of the time, and a first export has no days between that are left out.
  const isWhole = found.every((each) => each.day < first || each.day > last || days.has(each.day));
  return `select ${columns.map(({ sql }) => sql).join(', ')}, ${day} - date '1970-01-01'
    ${rowsOf(dataset, accountId)} and ${time} >= ${bound(pg.escapeLiteral(first))}
      and ${time} < ${bound(`(${pg.escapeLiteral(last)}::date + 1)`)}
      ${isWhole ? '' : `and ${day} = any (array[${list.join(', ')}]::date[])`}
    order by ${day}, ${order}`;
}

/** A file of a day that is being written. Its digest was read in the same snapshot, so it is that of the rows. */
function openFile(path: string, { day, digest, rows }: Day, { columns }: DayDataset, ids: SessionIds) {
  const file = new HashedFile(path);
  const encoder = new ParquetEncoder([...columns], (bytes) => file.write(bytes), ids);
  let count = 0;
  return {
    number: Date.parse(day) / DAY,
    add(row: Row) {
      encoder.add(row);
      count++;
    },
    finish(): DayFile {
      if (count !== rows) throw new Error(`${count} rows of ${day} were read, not ${rows}`);
      encoder.finish();
      const written = file.sync();
      file.close();
      return { path, day, ...written, rows, digest };
    },
    close: () => file.close(),
  };
}
