import type { Author } from '../shared/audit.ts';
import { statement } from '../shared/postgres/database.ts';
import type { Import, ImportPlan, RowFault } from './contract.ts';

export type Step = Import['step'];

export interface RowCounts {
  rows: number;
  created: number;
  changed: number;
  unchanged: number;
  refused: number;
  faults: RowFault[];
}

export interface UndoCounts {
  entries: number;
  deleted: number;
  restored: number;
  kept: number;
}

export interface ImportRow {
  id: string;
  collection_id: string;
  name: string;
  bytes: number;
  separator: string | null;
  columns: { name: string; samples: string[] }[] | null;
  plan: ImportPlan | null;
  step: Step;
  is_done: boolean;
  job_id: string | null;
  author_kind: Author['kind'] | null;
  author_id: string | null;
  batches: number;
  records: number;
  rehearsal: RowCounts | null;
  imported: RowCounts | null;
  undone: UndoCounts | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = `id, collection_id, name, bytes, separator, columns, plan, step, is_done, job_id, author_kind,
  author_id, batches, records,
  rehearsal, imported, undone, created_at, expires_at`;

/** $1 account, id, collection, name, now, expires */
export const insertImport = statement(
  'transfer.insert_import',
  `insert into entry_imports (account_id, id, collection_id, name, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
);

/** $1 account, import, number, bytes */
export const insertPart = statement(
  'transfer.insert_part',
  'insert into entry_import_parts (account_id, import_id, number, bytes) values ($1, $2, $3, $4)',
);

/** All of the file has arrived. $1 account, id, bytes, separator, columns, expires */
export const completeUpload = statement<ImportRow>(
  'transfer.complete_upload',
  `update entry_imports set bytes = $3, separator = $4, columns = $5, expires_at = $6, is_done = true
   where account_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** $1 account, import, number */
export const findPart = statement<{ bytes: Buffer }>(
  'transfer.find_part',
  'select bytes from entry_import_parts where account_id = $1 and import_id = $2 and number = $3',
);

/** Imports whose file is there. $1 account, collection, id */
export const findImport = statement<ImportRow>(
  'transfer.find_import',
  `select ${COLUMNS} from entry_imports
   where account_id = $1 and collection_id = $2 and id = $3 and separator is not null`,
);

export const lockImport = statement<ImportRow>(
  'transfer.lock_import',
  `select ${COLUMNS} from entry_imports
   where account_id = $1 and collection_id = $2 and id = $3 and separator is not null for update`,
);

/** Newest first, behind an id. $1 account, collection, id, limit */
export const listImports = statement<ImportRow>(
  'transfer.list_imports',
  `select ${COLUMNS} from entry_imports
   where account_id = $1 and collection_id = $2 and id < $3 and separator is not null order by id desc limit $4`,
);

/** Begins a step, from the first row or where it stopped. $1 account, id, step, job, plan, expires, $7 whether it goes on, who asks */
export const beginStep = statement<ImportRow>(
  'transfer.begin_step',
  `update entry_imports set step = $3, job_id = $4, plan = $5, expires_at = $6, is_done = false,
     author_kind = $8, author_id = $9,
     batches = case when $7 then batches else 0 end, records = case when $7 then records else 0 end,
     rehearsal = case when $3 = 'rehearsal' and not $7 then null else rehearsal end,
     imported = case when $3 = 'rehearsal' or $3 = 'import' and not $7 then null else imported end,
     undone = case when $3 <> 'undo' or not $7 then null else undone end
   where account_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** Forgets what these steps did. $1 account, import, steps */
export const deleteBatches = statement(
  'transfer.delete_batches',
  'delete from entry_import_batches where account_id = $1 and import_id = $2 and step = any($3::text[])',
);

/** An import as its job has it, held against whoever else would go on with it. $1 account, id, job */
export const holdImport = statement<ImportRow>(
  'transfer.hold_import',
  `select ${COLUMNS} from entry_imports where account_id = $1 and id = $2 and job_id = $3 for update`,
);

export const findImportOfJob = statement<ImportRow>(
  'transfer.find_import_of_job',
  `select ${COLUMNS} from entry_imports where account_id = $1 and id = $2 and job_id = $3`,
);

/** $1 account, id, batches, records, is_done, rehearsal, imported, undone */
export const advance = statement(
  'transfer.advance',
  `update entry_imports set batches = $3, records = $4, is_done = $5, rehearsal = coalesce($6, rehearsal),
     imported = coalesce($7, imported), undone = coalesce($8, undone)
   where account_id = $1 and id = $2`,
);

export interface BatchWrites {
  entry_ids: string[];
  versions: number[];
  befores: (string | null)[];
  rows: number[];
}

/** $1 account, import, step, number, results, entries, versions, befores, rows */
export const insertBatch = statement(
  'transfer.insert_batch',
  `insert into entry_import_batches (account_id, import_id, step, number, results, entry_ids, versions, befores, rows)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Batches of the import before a number that wrote something, the last first. $1 account, import, number */
export const lastBatchBefore = statement<BatchWrites & { number: number }>(
  'transfer.last_batch_before',
  `select number, entry_ids, versions, befores, rows::int[] as rows from entry_import_batches
   where account_id = $1 and import_id = $2 and step = 'import' and number < $3 order by number desc limit 1`,
);

/** $1 account, import, step, number behind which */
export const readResults = statement<{ number: number; results: string }>(
  'transfer.read_results',
  `select number, results from entry_import_batches
   where account_id = $1 and import_id = $2 and step = $3 and number > $4 order by number limit 20`,
);

/** Some that have expired, or whose collection was removed for good, of all accounts. $1 now */
export const lockForgotten = statement<{ account_id: string; id: string }>(
  'transfer.lock_forgotten',
  `select account_id, id from entry_imports i
   where expires_at <= $1 or not exists (
     select from collections c where c.account_id = i.account_id and c.id = i.collection_id and not c.purging)
   limit 10 for update of i skip locked`,
);

/** $1 account, id */
export const deleteImport = statement(
  'transfer.delete_import',
  `with parts as (delete from entry_import_parts where account_id = $1 and import_id = $2),
   batches as (delete from entry_import_batches where account_id = $1 and import_id = $2)
   delete from entry_imports where account_id = $1 and id = $2`,
);
