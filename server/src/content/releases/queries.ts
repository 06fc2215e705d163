import { plannedStatement, rows, statement } from '../../shared/postgres/statement.ts';
import type { AuthorColumns } from '../entries/queries.ts';
import type { Release } from './contract.ts';

export interface ItemRow {
  collection_id: string;
  entry_id: string;
  action: 'publish' | 'unpublish';
  version: number | null;
  locales: string[] | null;
}

export interface DueReleaseRow extends AuthorColumns {
  account_id: string;
  id: string;
  name: string | null;
  status: Release['status'];
  at: Date | null;
  attempts: number;
  faults: Release['errors'];
  version: number;
  updated_at: Date;
  finished_at: Date | null;
}

export interface TitledItemRow extends ItemRow {
  position: number;
  title: string | null;
}

export interface ReleaseRow extends DueReleaseRow {
  item_count: number;
  item: TitledItemRow | null;
}

const RELEASE = `r.account_id, r.id, r.name, r.status, r.at, r.attempts, r.faults, r.version, r.author_type, r.author_id,
  r.updated_at, r.finished_at`;
// As the dashboard titles entries.
const TITLE_FIELD = `coalesce(c.display_field_id, (
      select field->>'id' from jsonb_array_elements(c.fields) with ordinality as f (field, n)
      where field->>'type' = 'text' and field->>'status' = 'active' order by n limit 1))`;
const TITLED_ITEMS = `select i.collection_id, i.entry_id, i.action, i.version, i.locales, i.position,
    left(e."values"->>${TITLE_FIELD}, 200) as title
  from release_items i
  left join entries e on e.account_id = i.account_id and e.id = i.entry_id
  left join collections c on c.account_id = i.account_id and c.id = i.collection_id`;
const OF_RELEASE = 'i.account_id = r.account_id and i.release_id = r.id';
/** @param which narrows the items of which the first one is returned */
const withItem = (which = 'true') => `${RELEASE},
  (select count(*)::integer from release_items i where ${OF_RELEASE}) as item_count,
  (select to_json(item) from (
    ${TITLED_ITEMS} where ${OF_RELEASE} and ${which} order by i.position limit 1
  ) as item) as item`;

const byId = { account_id: 'uuid', id: 'uuid' } as const;

export const findReleases = statement('content.find_releases', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<ReleaseRow>(`select ${withItem()} from releases r where r.account_id = :account_id and r.id = any(:ids)`);

/** Blocks other changes of the release until the transaction ends. */
export const lockRelease = statement('content.lock_release', byId).returns<ReleaseRow>(
  `select ${withItem()} from releases r where r.account_id = :account_id and r.id = :id for update of r`,
);

/**
 * The next release of any account that is due and that no other process is working on, locked. Without its items: nothing that an
 * account stores may stop the releases of others.
 */
export const lockDueRelease = statement('content.lock_due_release', { now: 'timestamptz' }).returns<DueReleaseRow>(
  `select ${RELEASE} from releases r where r.status = 'scheduled' and r.due_at <= :now
   order by r.due_at limit 1 for update of r skip locked`,
);

const listed = {
  account_id: 'uuid',
  status: 'text?',
  collection_id: 'uuid?',
  entry_id: 'uuid?',
  limit: 'integer',
} as const;
const LISTED = `r.account_id = :account_id
     and (:status is null or (:status <> 'pending' and r.status = :status)
       or (:status = 'pending' and r.status in ('open', 'scheduled', 'failed')))
     and ((:collection_id is null and :entry_id is null) or exists (
       select from release_items i where ${OF_RELEASE}
         and (:collection_id is null or i.collection_id = :collection_id)
         and (:entry_id is null or i.entry_id = :entry_id)))`;
const OF_ENTRY = '(:entry_id is null or i.entry_id = :entry_id)';

/** Newest first. */
export const listReleaseRows = plannedStatement({ ...listed, before: 'uuid' }).returns<ReleaseRow>(
  `select ${withItem(OF_ENTRY)} from releases r where ${LISTED} and r.id < :before order by r.id desc limit :limit`,
);

/** Those that have a time, in its order. */
export const listReleasesByTime = plannedStatement({
  ...listed,
  after_at: 'timestamptz',
  after_id: 'uuid',
  to: 'timestamptz?',
}).returns<ReleaseRow>(
  `select ${withItem(OF_ENTRY)} from releases r
   where ${LISTED} and (r.at, r.id) > (:after_at, :after_id) and (:to is null or r.at < :to)
   order by r.at, r.id limit :limit`,
);

/** In their order. */
export const listItems = statement('content.list_release_items', {
  ...byId,
  after: 'integer',
  limit: 'integer',
}).returns<TitledItemRow>(
  `${TITLED_ITEMS}
   where i.account_id = :account_id and i.release_id = :id and i.position > :after order by i.position limit :limit`,
);

/** All of them, without titles. */
export const findItems = statement('content.find_release_items', byId).returns<ItemRow>(
  `select collection_id, entry_id, action, version, locales from release_items
   where account_id = :account_id and release_id = :id order by position`,
);

const author = { author_type: 'text', author_id: 'uuid?' } as const;
const stored = { name: 'text?', status: 'text', at: 'timestamptz?', now: 'timestamptz', ...author } as const;

export const insertRelease = statement('content.insert_release', { ...byId, ...stored }).runs(
  `insert into releases (account_id, id, name, status, at, due_at, author_type, author_id, updated_at)
   values (:account_id, :id, :name, :status, :at, :at, :author_type, :author_id, :now)`,
);

/** A changed release starts over. */
export const updateRelease = statement('content.update_release', { ...byId, ...stored }).runs(
  `update releases set name = :name, status = :status, at = :at, due_at = :at, attempts = 0, faults = null,
     author_type = :author_type, author_id = :author_id, version = version + 1, updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id`,
);

export const finishRelease = statement('content.finish_release', {
  ...byId,
  status: 'text',
  faults: 'json?',
  now: 'timestamptz',
}).runs(
  `update releases set status = :status, faults = :faults, due_at = null, version = version + 1,
     updated_at = greatest(updated_at, :now), finished_at = :now
   where account_id = :account_id and id = :id`,
);

export const postponeRelease = statement('content.postpone_release', {
  ...byId,
  version: 'integer',
  due_at: 'timestamptz',
}).runs(
  `update releases set due_at = :due_at, attempts = attempts + 1
   where account_id = :account_id and id = :id and version = :version and status = 'scheduled'`,
);

export const deleteItems = statement('content.delete_release_items', byId).runs(
  'delete from release_items where account_id = :account_id and release_id = :id',
);

export const insertItems = statement('content.insert_release_items', {
  ...byId,
  items: rows({
    entry_id: 'uuid',
    collection_id: 'uuid',
    position: 'integer',
    action: 'text',
    version: 'integer?',
    values: 'text?',
    locales: 'jsonb?',
  }),
}).runs(
  `insert into release_items (account_id, release_id, entry_id, collection_id, position, action, version, "values", locales)
   select :account_id, :id, entry_id, collection_id, position, action, version, w."values"::json, w.locales from :items as w`,
);

/** The size of the values of entries as JSON, with those of the versions that a release is to publish. */
export const measureItems = statement('content.measure_release_items', {
  account_id: 'uuid',
  items: rows({ entry_id: 'uuid', version: 'integer?' }),
}).returns<{ bytes: number }>(
  `select coalesce(sum(coalesce(octet_length(e."values"::text), 0) + coalesce(octet_length(v."values"::text), 0)), 0) as bytes
   from :items as w
   left join entries e on e.account_id = :account_id and e.id = w.entry_id
   left join entry_versions v on v.account_id = :account_id and v.entry_id = w.entry_id and v.version = w.version`,
);

/** The size of the values of the entries of a release as JSON, with those of the versions that it publishes. */
export const measureRelease = statement('content.measure_release', byId).returns<{ bytes: number }>(
  `select coalesce(sum(coalesce(octet_length(e."values"::text), 0) + coalesce(octet_length(i."values"::text), 0)), 0) as bytes
   from release_items i
   left join entries e on e.account_id = i.account_id and e.id = i.entry_id
   where i.account_id = :account_id and i.release_id = :id`,
);

/** The values of the versions that items are pinned to, as JSON text, by entry. */
export const findPinned = statement('content.find_pinned', byId).returns<{
  entry_id: string;
  version: number;
  values: string;
}>(
  `select entry_id, version, "values"::text as "values" from release_items
   where account_id = :account_id and release_id = :id and "values" is not null`,
);

/** The values of versions of entries, as JSON text. */
export const findVersionValues = statement('content.find_version_values', {
  account_id: 'uuid',
  versions: rows({ entry_id: 'uuid', version: 'integer' }),
}).returns<{ entry_id: string; version: number; values: string }>(
  `select w.entry_id, w.version, coalesce(v."values", e."values")::text as "values"
   from :versions as w
   left join entries e on e.account_id = :account_id and e.id = w.entry_id and e.version = w.version
   left join entry_versions v on v.account_id = :account_id and v.entry_id = w.entry_id and v.version = w.version
   where coalesce(v."values", e."values") is not null`,
);

/** Scheduled releases whose time was before a time, the oldest of each account. Attempts that failed postpone `due_at` alone. */
export const findOverdueReleases = statement('content.find_overdue_releases', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; subject: string; since: Date }>(
  `select account_id, coalesce(name, '') as subject, min(at) as since from releases
   where status = 'scheduled' and at < :before group by account_id, name order by 3 limit :limit`,
);
