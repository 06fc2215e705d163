import type { Database } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { PublishedLocales } from '../locales/published-locales.ts';

const ofCollections = {
  account_id: 'uuid',
  collections: 'uuid[]',
  at: 'timestamptz',
  limit: 'integer',
} as const;

/** Entries of which something was published after a time. */
export const findPublishedSince = statement('content.find_published_since', ofCollections).returns<{
  id: string;
  collection_id: string;
}>(
  `select p.id, p.collection_id from unnest(:collections) as c (id)
   cross join lateral (
     select id, collection_id from published_entries
     where account_id = :account_id and collection_id = c.id and status = 'active' and updated_at > :at
     order by updated_at, id limit :limit
   ) as p limit :limit`,
);

interface FormerRow {
  id: string;
  collection_id: string;
  /** JSON text. */
  values: string;
  version: number;
  locales: PublishedLocales | null;
  published_at: Date;
}

/** What was public at a time, and is not now. */
export const findFormer = statement('content.find_former', ofCollections).returns<FormerRow>(
  `select entry_id as id, collection_id, "values"::text as "values", version, locales, published_at
   from former_publications
   where account_id = :account_id and collection_id = any(:collections) and until > :at and published_at <= :at
   limit :limit`,
);

const deleteFormer = statement('content.delete_former', { before: 'timestamptz', limit: 'integer' }).returns<{
  count: number;
}>(
  `with expired as (
     select account_id, entry_id, until from former_publications where until < :before order by until limit :limit
   ), deleted as (
     delete from former_publications f using expired e
     where f.account_id = e.account_id and f.entry_id = e.entry_id and f.until = e.until returning 1
   )
   select count(*) as count from deleted`,
);

const BATCH = 1_000;

/** Deletes what was public no more before a time, in all accounts. */
export async function expireFormer(db: Database, before: number, signal: AbortSignal): Promise<void> {
  for (let isFull = true; isFull && !signal.aborted; ) {
    const [deleted] = await deleteFormer(db, { before: new Date(before), limit: BATCH });
    isFull = deleted?.count === BATCH;
  }
}
