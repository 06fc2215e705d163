import type { DayDatasetName } from '../exports/index.ts';
import { rows, statement } from '../shared/postgres/statement.ts';

export interface WarehouseRow {
  account_id: string;
  id: string;
  name: string;
  endpoint: string | null;
  region: string;
  bucket: string;
  prefix: string;
  is_path_style: boolean;
  access_key_id: string;
  credentials: Buffer;
  datasets: string[];
  starts_on: string | null;
  mode: 'live' | 'off';
  fence: number;
  due_at: Date | null;
  waiting_since: Date | null;
  last_run_at: Date | null;
  failing_since: Date | null;
  failures: number;
  notified_at: Date | null;
  error: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `account_id, id, name, endpoint, region, bucket, prefix, is_path_style, access_key_id, credentials, datasets,
  starts_on::text, mode, fence, due_at, waiting_since, last_run_at, failing_since, failures, notified_at, error, created_at, updated_at`;

const KEY = { account_id: 'uuid', id: 'uuid' } as const;
const OF_WAREHOUSE = { account_id: 'uuid', warehouse_id: 'uuid' } as const;
const SETTINGS = {
  name: 'text',
  endpoint: 'text?',
  region: 'text',
  bucket: 'text',
  prefix: 'text',
  is_path_style: 'boolean',
  access_key_id: 'text',
  credentials: 'bytea',
  datasets: 'text[]',
  starts_on: 'text?',
  mode: 'text',
  now: 'timestamptz',
} as const;

/** Due at once. Returns no row if the account already has `max` warehouses. */
export const insertWarehouse = statement('warehouse.insert', {
  ...KEY,
  ...SETTINGS,
  max: 'integer',
}).returns<WarehouseRow>(
  `insert into warehouses (account_id, id, name, endpoint, region, bucket, prefix, is_path_style, access_key_id, credentials, datasets,
     starts_on, mode, due_at, created_at, updated_at)
   select :account_id, :id, :name, :endpoint, :region, :bucket, :prefix, :is_path_style, :access_key_id, :credentials, :datasets,
     :starts_on::date, :mode, case when :mode = 'live' then :now end, :now, :now
   where (select count(*) from warehouses where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

export const findWarehouse = statement('warehouse.find', KEY).returns<WarehouseRow>(
  `select ${COLUMNS} from warehouses where account_id = :account_id and id = :id`,
);

export const lockWarehouse = statement('warehouse.lock', KEY).returns<WarehouseRow>(
  `select ${COLUMNS} from warehouses where account_id = :account_id and id = :id for update`,
);

/** Oldest first. */
export const listWarehouses = statement('warehouse.list', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<WarehouseRow>(
  `select ${COLUMNS} from warehouses where account_id = :account_id and id > :after order by id limit :limit`,
);

/** It is exported at once, unless it is off or has a new name only. A run of the settings before ends at its next write. */
export const updateWarehouse = statement('warehouse.update', {
  ...KEY,
  ...SETTINGS,
  restarts: 'boolean',
}).returns<WarehouseRow>(
  `update warehouses set name = :name, endpoint = :endpoint, region = :region, bucket = :bucket, prefix = :prefix,
     is_path_style = :is_path_style, access_key_id = :access_key_id, credentials = :credentials, datasets = :datasets,
     starts_on = :starts_on::date, mode = :mode, fence = fence + :restarts::int,
     due_at = case when :mode = 'off' then null when :restarts then :now else due_at end,
     waiting_since = case when :mode = 'live' then waiting_since end, failing_since = null, failures = 0, notified_at = null, error = null,
     updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteWarehouse = statement('warehouse.delete', KEY).returns<WarehouseRow>(
  `delete from warehouses where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** What is known of the bucket; the files stay in it. */
export const forgetFiles = statement('warehouse.forget_files', OF_WAREHOUSE).runs(
  `with files as (delete from warehouse_files where account_id = :account_id and warehouse_id = :warehouse_id)
   delete from warehouse_datasets where account_id = :account_id and warehouse_id = :warehouse_id`,
);

/** Takes warehouses that are due, and says when each is due next: should its job get lost, it is exported then. */
export const takeDueWarehouses = statement('warehouse.take_due', {
  now: 'timestamptz',
  next: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; id: string }>(
  `update warehouses set waiting_since = coalesce(waiting_since, due_at), due_at = :next
   where (account_id, id) in (
     select account_id, id from warehouses where due_at <= :now order by due_at limit :limit for update skip locked)
   returning account_id, id`,
);

/** Something was erased: what is in the buckets is compared again at once. */
export const makeDue = statement('warehouse.make_due', { account_id: 'uuid', now: 'timestamptz' }).runs(
  `update warehouses set due_at = least(due_at, :now) where account_id = :account_id and due_at is not null`,
);

export const findOverdueWarehouses = statement('warehouse.find_overdue', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; subject: string; since: Date }>(
  `select account_id, name as subject, least(waiting_since, :before) as since from warehouses
   where waiting_since < :before order by waiting_since limit :limit`,
);

/** A run begins: writes of earlier ones are refused from now on. */
export const beginRun = statement('warehouse.begin_run', KEY).returns<WarehouseRow>(
  `update warehouses set fence = fence + 1 where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** Locks the warehouse for a write of a run, and postpones the next one. Returns no row if a later run began. */
export const holdRun = statement('warehouse.hold_run', {
  ...KEY,
  fence: 'integer',
  next: 'timestamptz',
}).returns<{ id: string }>(
  `update warehouses set due_at = case when mode = 'live' then :next end
   where account_id = :account_id and id = :id and fence = :fence returning id`,
);

export const recordSuccess = statement('warehouse.record_success', {
  ...KEY,
  fence: 'integer',
  next: 'timestamptz',
  now: 'timestamptz',
}).runs(
  `update warehouses set last_run_at = :now, due_at = case when mode = 'live' then :next end, waiting_since = null, failing_since = null,
     failures = 0, notified_at = null, error = null
   where account_id = :account_id and id = :id and fence = :fence`,
);

/** `is_new`: its owners are to be notified, because it was refused, or has failed for a while. */
export const recordFailure = statement('warehouse.record_failure', {
  ...KEY,
  fence: 'integer',
  error: 'text',
  is_refused: 'boolean',
  next: 'timestamptz',
  notify_after: 'interval',
  now: 'timestamptz',
}).returns<{ is_new: boolean }>(
  `update warehouses set error = :error, failures = failures + 1, failing_since = coalesce(failing_since, :now),
     waiting_since = case when mode = 'live' then coalesce(waiting_since, :now) end,
     due_at = case when mode = 'live' then :next end,
     notified_at = case when notified_at is null and
       (:is_refused or coalesce(failing_since, :now) <= :now - :notify_after) then :now else notified_at end
   where account_id = :account_id and id = :id and fence = :fence
   returning coalesce(notified_at = :now, false) as is_new`,
);

/** The files of a dataset that its manifest names, or will name. */
export const findCurrentFiles = statement('warehouse.find_current_files', {
  ...OF_WAREHOUSE,
  dataset: 'text',
}).returns<{
  id: string;
  day: string;
  rows: number;
  bytes: number;
  sha256: string;
  digest: string | null;
  written_at: Date;
}>(
  `select id, day::text, rows, bytes, sha256, digest::text, written_at from warehouse_files
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset and state = 'current' order by day`,
);

export const insertFiles = statement('warehouse.insert_files', {
  ...OF_WAREHOUSE,
  dataset: 'text',
  files: rows({ id: 'uuid', day: 'text', rows: 'bigint', bytes: 'bigint', sha256: 'text', digest: 'text' }),
  now: 'timestamptz',
}).runs(
  `insert into warehouse_files (account_id, warehouse_id, dataset, id, day, rows, bytes, sha256, digest, state, written_at)
   select :account_id, :warehouse_id, :dataset, w.id, w.day::date, w.rows, w.bytes, w.sha256, w.digest::bigint, 'writing', :now
   from :files as w`,
);

/** Files that are in the bucket become those of their days. */
export const retireFiles = statement('warehouse.retire_files', {
  ...OF_WAREHOUSE,
  dataset: 'text',
  days: 'text[]',
}).runs(
  `update warehouse_files set state = 'replaced'
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset and state = 'current'
     and day = any (:days::date[])`,
);

export const promoteFiles = statement('warehouse.promote_files', { ...OF_WAREHOUSE, ids: 'uuid[]' }).runs(
  `update warehouse_files set state = 'current'
   where account_id = :account_id and warehouse_id = :warehouse_id and id = any (:ids) and state = 'writing'`,
);

/** The manifest of a dataset is to be written. */
export const countChange = statement('warehouse.count_change', { ...OF_WAREHOUSE, dataset: 'text' }).runs(
  `insert into warehouse_datasets (account_id, warehouse_id, dataset, sequence) values (:account_id, :warehouse_id, :dataset, 1)
   on conflict (account_id, warehouse_id, dataset) do update set sequence = warehouse_datasets.sequence + 1`,
);

export const findState = statement('warehouse.find_state', { ...OF_WAREHOUSE, dataset: 'text' }).returns<{
  sequence: number;
  published: number;
}>(
  `select sequence, published from warehouse_datasets
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset`,
);

/** The manifest of `sequence` is in the bucket: what was replaced before it is no longer named by any. */
export const recordManifest = statement('warehouse.record_manifest', {
  ...OF_WAREHOUSE,
  dataset: 'text',
  sequence: 'integer',
  now: 'timestamptz',
}).runs(
  `with retired as (
     update warehouse_files set retired_at = :now
     where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset and state = 'replaced' and retired_at is null)
   update warehouse_datasets set published = :sequence, published_at = :now
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset`,
);

/** Files that nothing reads any more: replaced ones, and those of runs that ended early. */
export const findLeftFiles = statement('warehouse.find_left_files', {
  ...OF_WAREHOUSE,
  dataset: 'text',
  retired_before: 'timestamptz',
  written_before: 'timestamptz',
}).returns<{ id: string; day: string }>(
  `select id, day::text from warehouse_files
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = :dataset
     and (state = 'replaced' and retired_at <= :retired_before or state = 'writing' and written_at <= :written_before)`,
);

export const deleteFile = statement('warehouse.delete_file', { ...OF_WAREHOUSE, id: 'uuid' }).runs(
  'delete from warehouse_files where account_id = :account_id and warehouse_id = :warehouse_id and id = :id',
);

/** Days are written again, whatever they hold. */
export const makeDaysStale = statement('warehouse.make_days_stale', {
  ...OF_WAREHOUSE,
  datasets: 'text[]',
  from: 'text?',
  to: 'text?',
}).runs(
  `update warehouse_files set digest = null
   where account_id = :account_id and warehouse_id = :warehouse_id and dataset = any (:datasets) and state = 'current'
     and (:from::date is null or day >= :from::date) and (:to::date is null or day <= :to::date)`,
);

export interface ExportState {
  warehouse_id: string;
  dataset: DayDatasetName;
  days: number;
  rows: number;
  bytes: number;
  first_day: string | null;
  last_day: string | null;
  published_at: Date | null;
}

export const findStates = statement('warehouse.find_states', {
  account_id: 'uuid',
  warehouses: 'uuid[]',
}).returns<ExportState>(
  `select d.warehouse_id, d.dataset, count(f.id) filter (where f.rows > 0) as days, coalesce(sum(f.rows), 0)::bigint as rows, coalesce(sum(f.bytes), 0)::bigint as bytes,
     (min(f.day) filter (where f.rows > 0))::text as first_day,
     (max(f.day) filter (where f.rows > 0))::text as last_day, d.published_at
   from warehouse_datasets d
     left join warehouse_files f on f.account_id = d.account_id and f.warehouse_id = d.warehouse_id and f.dataset = d.dataset
       and f.state = 'current'
   where d.account_id = :account_id and d.warehouse_id = any (:warehouses)
   group by d.warehouse_id, d.dataset, d.published_at`,
);
