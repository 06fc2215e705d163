import { rows, statement } from '../../shared/postgres/statement.ts';
import type { CollectionRow } from '../collections/collection.ts';
import { COLLECTION_COLUMNS } from '../collections/queries.ts';
import { MISSING } from '../field-types/sort-key.ts';

const ofAccount = { account_id: 'uuid' } as const;
const some = { ...ofAccount, ids: 'uuid[]' } as const;

/** All collections of an account, deleted ones included, oldest first. */
export const findEveryCollection = statement('content.find_every_collection', ofAccount).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections where account_id = :account_id and not purging order by created_at, id`,
);

/** Keeps the schema of an account from being replaced twice at a time. */
export const lockSchema = statement('content.lock_schema', ofAccount).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text, 23))',
);

/** Blocks everyone who writes these collections or their entries, in the order in which others lock them. */
export const lockSomeCollections = statement('content.lock_some_collections', some).returns<{ id: string }>(
  'select id from collections where account_id = :account_id and id = any(:ids) order by id for update',
);

/** The IDs among these that a collection has, even one whose contents are being removed. */
export const findUsedIds = statement('content.find_used_collection_ids', some).returns<{ id: string }>(
  'select id from collections where account_id = :account_id and id = any(:ids)',
);

/** Others may get the keys in the same transaction. */
export const clearCollectionKeys = statement('content.clear_collection_keys', some).runs(
  'update collections set key = null where account_id = :account_id and id = any(:ids)',
);

export const clearComponentKeys = statement('content.clear_component_keys', some).runs(
  'update components set key = null where account_id = :account_id and id = any(:ids)',
);

/** How many entries have a value of any of the fields of each group, by the index. */
export const countIndexedValues = statement('content.count_indexed_values', {
  ...ofAccount,
  fields: rows({ n: 'integer', field_key: 'bigint' }),
}).returns<{ n: number; count: number }>(
  `select field.n, count(distinct i.entry_id) as count
   from :fields as field
   join entry_index i on i.account_id = :account_id and i.field_key = field.field_key and i.sort_key < '${MISSING}'
   group by field.n`,
);
