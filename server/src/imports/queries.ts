import type { AuthorType } from '../shared/audit.ts';
import { statement } from '../shared/postgres/statement.ts';
import type { Import, ImportColumn, ImportMapping, RowCounts, UndoCounts } from './contract.ts';

export type Stage = Import['stage'];

export interface ImportRow {
  id: string;
  collection_id: string;
  name: string;
  bytes: number;
  delimiter: string | null;
  columns: Omit<ImportColumn, 'suggestedField'>[] | null;
  mapping: ImportMapping | null;
  stage: Stage;
  is_stage_done: boolean;
  job_id: string | null;
  author_type: AuthorType | null;
  author_id: string | null;
  batches_done: number;
  rows_read: number;
  dry_run: RowCounts | null;
  imported: RowCounts | null;
  undone: UndoCounts | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = `id, collection_id, name, bytes, delimiter, columns, mapping, stage, is_stage_done, job_id, author_type,
  author_id, batches_done, rows_read, dry_run, imported, undone, created_at, expires_at`;

export const insertImport = statement('imports.insert', {
  account_id: 'uuid',
  id: 'uuid',
  collection_id: 'uuid',
  name: 'text',
  now: 'timestamptz',
  expires_at: 'timestamptz',
}).runs(
  `insert into entry_imports (account_id, id, collection_id, name, created_at, expires_at)
   values (:account_id, :id, :collection_id, :name, :now, :expires_at)`,
);

export const insertPart = statement('imports.insert_part', {
  account_id: 'uuid',
  import_id: 'uuid',
  number: 'integer',
  bytes: 'bytea',
}).runs(
  `insert into entry_import_parts (account_id, import_id, number, bytes) values (:account_id, :import_id, :number, :bytes)`,
);

export const completeUpload = statement('imports.complete_upload', {
  account_id: 'uuid',
  id: 'uuid',
  bytes: 'bigint',
  delimiter: 'text',
  columns: 'jsonb',
  expires_at: 'timestamptz',
}).returns<ImportRow>(
  `update entry_imports
   set bytes = :bytes, delimiter = :delimiter, columns = :columns, expires_at = :expires_at, is_stage_done = true
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const findPart = statement('imports.find_part', {
  account_id: 'uuid',
  import_id: 'uuid',
  number: 'integer',
}).returns<{ bytes: Buffer }>(
  `select bytes from entry_import_parts
   where account_id = :account_id and import_id = :import_id and number = :number`,
);

const IMPORT = { account_id: 'uuid', collection_id: 'uuid', id: 'uuid' } as const;
const BY_ID = `select ${COLUMNS} from entry_imports
  where account_id = :account_id and collection_id = :collection_id and id = :id and delimiter is not null`;

/** Finds an import with a complete file. */
export const findImport = statement('imports.find', IMPORT).returns<ImportRow>(BY_ID);

export const lockImport = statement('imports.lock', IMPORT).returns<ImportRow>(`${BY_ID} for update`);

/** Lists imports from the newest to the oldest. */
export const listImports = statement('imports.list', {
  account_id: 'uuid',
  collection_id: 'uuid',
  before: 'uuid',
  limit: 'integer',
}).returns<ImportRow>(
  `select ${COLUMNS} from entry_imports
   where account_id = :account_id and collection_id = :collection_id and id < :before and delimiter is not null
   order by id desc limit :limit`,
);

/** Starts a stage at the first row, or resumes it where it stopped. A new dry run clears the counts of every stage. */
export const startStage = statement('imports.start_stage', {
  account_id: 'uuid',
  id: 'uuid',
  stage: 'text',
  job_id: 'uuid',
  mapping: 'jsonb?',
  expires_at: 'timestamptz',
  is_resumed: 'boolean',
  author_type: 'text',
  author_id: 'uuid?',
}).returns<ImportRow>(
  `update entry_imports
   set stage = :stage, job_id = :job_id, mapping = :mapping, expires_at = :expires_at, is_stage_done = false,
     author_type = :author_type, author_id = :author_id,
     batches_done = case when :is_resumed then batches_done else 0 end,
     rows_read = case when :is_resumed then rows_read else 0 end,
     dry_run = case when :stage = 'dry_run' and not :is_resumed then null else dry_run end,
     imported = case when :stage = 'dry_run' or :stage = 'import' and not :is_resumed then null else imported end,
     undone = case when :stage <> 'undo' or not :is_resumed then null else undone end
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteBatches = statement('imports.delete_batches', { account_id: 'uuid', import_id: 'uuid' }).runs(
  'delete from entry_import_batches where account_id = :account_id and import_id = :import_id',
);

const JOB = { account_id: 'uuid', id: 'uuid', job_id: 'uuid' } as const;
const BY_JOB = `select ${COLUMNS} from entry_imports where account_id = :account_id and id = :id and job_id = :job_id`;

/** Finds an import if its current stage belongs to the job. */
export const findImportOfJob = statement('imports.find_of_job', JOB).returns<ImportRow>(BY_JOB);

export const lockImportOfJob = statement('imports.lock_of_job', JOB).returns<ImportRow>(`${BY_JOB} for update`);

/** Stores the progress and the counts of the current stage. */
export const saveProgress = statement('imports.save_progress', {
  account_id: 'uuid',
  id: 'uuid',
  batches_done: 'integer',
  rows_read: 'bigint',
  is_stage_done: 'boolean',
  counts: 'jsonb',
}).runs(
  `update entry_imports
   set batches_done = :batches_done, rows_read = :rows_read, is_stage_done = :is_stage_done,
     dry_run = case stage when 'dry_run' then :counts else dry_run end,
     imported = case stage when 'import' then :counts else imported end,
     undone = case stage when 'undo' then :counts else undone end
   where account_id = :account_id and id = :id`,
);

/** The entries that a batch of an import wrote, as parallel lists. */
export interface BatchWrites {
  entry_ids: string[];
  versions: number[];
  previous_values: (string | null)[];
  row_numbers: number[];
}

export const insertBatch = statement('imports.insert_batch', {
  account_id: 'uuid',
  import_id: 'uuid',
  stage: 'text',
  number: 'integer',
  results: 'text',
  entry_ids: 'uuid[]',
  versions: 'integer[]',
  previous_values: 'text[]',
  row_numbers: 'bigint[]',
}).runs(
  `insert into entry_import_batches
     (account_id, import_id, stage, number, results, entry_ids, versions, previous_values, row_numbers)
   values (:account_id, :import_id, :stage, :number, :results, :entry_ids, :versions, :previous_values, :row_numbers)`,
);

/** Finds the last batch of the import before a number. */
export const findBatchBefore = statement('imports.find_batch_before', {
  account_id: 'uuid',
  import_id: 'uuid',
  number: 'integer',
}).returns<BatchWrites & { number: number }>(
  `select number, entry_ids, versions, previous_values, row_numbers::int[] as row_numbers from entry_import_batches
   where account_id = :account_id and import_id = :import_id and stage = 'import' and number < :number
   order by number desc limit 1`,
);

export const listResults = statement('imports.list_results', {
  account_id: 'uuid',
  import_id: 'uuid',
  stage: 'text',
  after: 'integer',
}).returns<{ number: number; results: string }>(
  `select number, results from entry_import_batches
   where account_id = :account_id and import_id = :import_id and stage = :stage and number > :after
   order by number limit 20`,
);

/** Locks some imports, of any account, that have expired or whose collection was permanently deleted. */
export const lockExpiredImports = statement('imports.lock_expired', { now: 'timestamptz' }).returns<{
  account_id: string;
  id: string;
}>(
  `select account_id, id from entry_imports i
   where expires_at <= :now or not exists (
     select from collections c where c.account_id = i.account_id and c.id = i.collection_id and not c.purging)
   limit 10 for update of i skip locked`,
);

export const deleteImport = statement('imports.delete', { account_id: 'uuid', id: 'uuid' }).runs(
  `with parts as (delete from entry_import_parts where account_id = :account_id and import_id = :id),
   batches as (delete from entry_import_batches where account_id = :account_id and import_id = :id)
   delete from entry_imports where account_id = :account_id and id = :id`,
);
