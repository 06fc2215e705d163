import { isSubscribed } from '../../shared/outbox.ts';
import { statement } from '../../shared/postgres/statement.ts';

export interface ImportRow {
  id: string;
  name: string;
  created_at: Date;
  reported: number;
  unmatched: number;
  failed: number;
  undone_at: Date | null;
  undo_finished_at: Date | null;
  withdrawn: number;
  reverted: number;
  deleted_unmatched: number;
}

const COLUMNS = `id, name, created_at, reported, unmatched, failed, undone_at, undo_finished_at, withdrawn, reverted,
  deleted_unmatched`;
const ONE = { account_id: 'uuid', id: 'uuid' } as const;

export const insertImport = statement('conversions.insert_import', {
  ...ONE,
  name: 'text',
  now: 'timestamptz',
}).returns<ImportRow>(
  `insert into conversion_imports (account_id, id, name, created_at) values (:account_id, :id, :name, :now)
   returning ${COLUMNS}`,
);

export const findImport = statement('conversions.find_import', ONE).returns<ImportRow>(
  `select ${COLUMNS} from conversion_imports where account_id = :account_id and id = :id`,
);

/** Newest first. */
export const listImports = statement('conversions.list_imports', {
  account_id: 'uuid',
  before: 'uuid',
  limit: 'integer',
}).returns<ImportRow>(
  `select ${COLUMNS} from conversion_imports where account_id = :account_id and id < :before order by id desc limit :limit`,
);

/** Adds to the counts of an import that is not undone; its lock keeps an undo waiting until the reports are committed. */
export const addToImport = statement('conversions.add_to_import', {
  ...ONE,
  reported: 'integer',
  unmatched: 'integer',
  failed: 'integer',
}).returns<{ id: string }>(
  `update conversion_imports
   set reported = reported + :reported, unmatched = unmatched + :unmatched, failed = failed + :failed
   where account_id = :account_id and id = :id and undone_at is null returning id`,
);

/** No row if the import is undone already. */
export const startUndo = statement('conversions.start_undo', { ...ONE, now: 'timestamptz' }).returns<ImportRow>(
  `update conversion_imports set undone_at = :now where account_id = :account_id and id = :id and undone_at is null
   returning ${COLUMNS}`,
);

/** Waits for reports that are being matched right now: they are revisions afterwards. */
export const deleteUnmatchedOfImport = statement('conversions.delete_unmatched_of_import', {
  ...ONE,
  limit: 'integer',
}).returns<{ id: string }>(
  `delete from unmatched_conversions where account_id = :account_id and id in (
     select id from unmatched_conversions where account_id = :account_id and import_id = :id limit :limit)
   returning id`,
);

export const findConversionsOfImport = statement('conversions.find_conversions_of_import', {
  ...ONE,
  limit: 'integer',
}).returns<{ id: string }>(
  `select distinct conversion_id as id from conversion_revisions
   where account_id = :account_id and import_id = :id and withdrawn_version is null order by 1 limit :limit`,
);

/** In the order in which reports lock them, so that neither deadlocks. */
export const lockConversions = statement('conversions.lock', { account_id: 'uuid', ids: 'uuid[]' }).runs(
  `select from conversions where account_id = :account_id and id = any(:ids) order by event_id collate "C" for update`,
);

/**
 * Withdraws the reports of an import from conversions whose rows are locked, and records it as a revision. Members are
 * rebuilt afterwards.
 */
export const withdrawReports = statement('conversions.withdraw_reports', {
  account_id: 'uuid',
  import_id: 'uuid',
  ids: 'uuid[]',
  now: 'timestamptz',
}).runs(
  `with target as materialized (
     select id, version + 1 as version from conversions where account_id = :account_id and id = any(:ids)),
   withdrawn as (
     update conversion_revisions r set withdrawn_version = target.version from target
     where r.account_id = :account_id and r.conversion_id = target.id and r.import_id = :import_id
       and r.withdrawn_version is null),
   revisions as (
     insert into conversion_revisions (account_id, conversion_id, arrival, origin, received_at, version)
     select :account_id, id, nextval('conversion_arrival_seq'), 'undo', :now, version from target),
   pushed as (
     insert into outbox (account_id, topic, resources, sequences, at)
     select :account_id, 'conversion.restated', array_agg(id order by id), array_agg(version order by id), :now
     from target where ${isSubscribed(':account_id', "'conversion.restated'")} having count(*) > 0)
   update conversions c set version = target.version, updated_at = :now from target
   where c.account_id = :account_id and c.id = target.id`,
);

/**
 * Marks conversions without a report that counts. They are no longer trusted, so that the next report replaces them, as it
 * replaces those that only a page has made.
 */
export const markWithdrawn = statement('conversions.mark_withdrawn', {
  account_id: 'uuid',
  ids: 'uuid[]',
  now: 'timestamptz',
}).returns<{ is_withdrawn: boolean }>(
  `update conversions c set withdrawn_at = case when left_over.reports = 0 then :now end,
     is_trusted = left_over.trusted > 0
   from unnest(:ids) as w (id)
   cross join lateral (
     select count(*) as reports, count(*) filter (where arrival > 0) as trusted from conversion_revisions r
     where r.account_id = :account_id and r.conversion_id = w.id and r.withdrawn_version is null
       and r.origin <> 'undo') left_over
   where c.account_id = :account_id and c.id = w.id
   returning c.withdrawn_at is not null as is_withdrawn`,
);

export const addToUndo = statement('conversions.add_to_undo', {
  ...ONE,
  withdrawn: 'integer',
  reverted: 'integer',
  deleted_unmatched: 'integer',
}).runs(
  `update conversion_imports set withdrawn = withdrawn + :withdrawn, reverted = reverted + :reverted,
     deleted_unmatched = deleted_unmatched + :deleted_unmatched
   where account_id = :account_id and id = :id`,
);

export const finishUndo = statement('conversions.finish_undo', { ...ONE, now: 'timestamptz' }).returns<ImportRow>(
  `update conversion_imports set undo_finished_at = :now where account_id = :account_id and id = :id returning ${COLUMNS}`,
);
