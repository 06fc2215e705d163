import { badRequest } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Collection } from '../collections/collection.ts';

export const isSingleton = ({ row }: Collection): boolean => row.settings?.singleton === true;

/** Refuses a second active entry of a singleton, in the transaction that adds entries. */
export async function refuseSecondEntry(
  tx: Tx,
  account_id: string,
  collection: Collection,
  added: number,
): Promise<void> {
  if (!isSingleton(collection) || added === 0) return;
  const scope = { account_id, collection_id: collection.id };
  await lockSingleton(tx, scope);
  const [known] = await findOnlyEntry(tx, scope);
  if (!known && added === 1) return;
  const detail = `"${collection.row.name}" has one entry. Change it by PATCH /v1/cms/collections/${collection.publicId}/entry.`;
  throw badRequest('singleton_exists', detail);
}

const ofCollection = { account_id: 'uuid', collection_id: 'uuid' } as const;

export const lockSingleton = statement('content.lock_singleton', ofCollection).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text || :collection_id::text, 20))',
);

export const findOnlyEntry = statement('content.find_only_entry', ofCollection).returns<{ id: string }>(
  `select id from entries where account_id = :account_id and collection_id = :collection_id and status = 'active'
   order by created_at, id limit 1`,
);

/** What is published of a singleton. */
export const findOnlyPublished = statement('content.find_only_published', ofCollection).returns<{ id: string }>(
  `select id from published_entries where account_id = :account_id and collection_id = :collection_id and status = 'active'
   order by created_at, id limit 1`,
);
