import { publicId } from '../../../shared/ids.ts';
import type { Tx } from '../../../shared/postgres/database.ts';
import { statement } from '../../../shared/postgres/statement.ts';
import type { CollectionRow } from '../collection.ts';
import type { NestedField } from '../field.ts';
import { COLLECTION_COLUMNS } from '../queries.ts';
import type { Components } from './fill-fields.ts';

export interface ComponentRow {
  id: string;
  key: string | null;
  name: string;
  fields: NestedField[];
}

const COLUMNS = 'id, key, name, fields';
const ofAccount = { account_id: 'uuid' } as const;
const byId = { ...ofAccount, id: 'uuid' } as const;

/** The components of an account, which stay as they are until the transaction ends. */
export const shareLockComponents = statement('content.share_lock_components', ofAccount).returns<ComponentRow>(
  `select ${COLUMNS} from components where account_id = :account_id order by id for share`,
);

/** The components of an account, for whoever changes one: others may contain it. */
export const lockComponents = statement('content.lock_components', ofAccount).returns<ComponentRow>(
  `select ${COLUMNS} from components where account_id = :account_id order by id for update`,
);

export const findComponents = statement('content.find_components', ofAccount).returns<ComponentRow>(
  `select ${COLUMNS} from components where account_id = :account_id order by id`,
);

export const countComponents = statement('content.count_components', ofAccount).returns<{ count: number }>(
  'select count(*) from components where account_id = :account_id',
);

export const insertComponent = statement('content.insert_component', {
  ...byId,
  key: 'text?',
  name: 'text',
  fields: 'jsonb',
  created_at: 'timestamptz',
}).returns<ComponentRow>(
  `insert into components (account_id, id, key, name, fields, created_at, updated_at)
   values (:account_id, :id, :key, :name, :fields, :created_at, :created_at)
   on conflict (account_id, key) where key is not null do nothing
   returning ${COLUMNS}`,
);

export const updateComponentRow = statement('content.update_component', {
  ...byId,
  key: 'text?',
  name: 'text',
  fields: 'jsonb',
  now: 'timestamptz',
}).returns<ComponentRow>(
  `update components set key = :key, name = :name, fields = :fields, updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteComponentRow = statement('content.delete_component', byId).runs(
  'delete from components where account_id = :account_id and id = :id',
);

/** The collections, deleted ones included, that may have one of these components: public IDs, which are searched as text. */
export const lockCollectionsWith = statement('content.lock_collections_with_components', {
  ...ofAccount,
  components: 'text[]',
}).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = :account_id and not purging
     and exists (select from unnest(:components::text[]) as component where strpos(fields::text, component) > 0)
   order by id for update`,
);

/**
 * How many active entries of a collection have a value at each path (in the language of PostgreSQL), of so many that are looked at,
 * the newest first.
 */
export const countValuesAt = statement('content.count_values_at_paths', {
  ...ofAccount,
  collection_id: 'uuid',
  paths: 'text[]',
  limit: 'integer',
}).returns<{ path: string; count: number }>(
  `with looked_at as materialized (
     select "values"::jsonb as "values" from entries
     where account_id = :account_id and collection_id = :collection_id and status = 'active'
     order by created_at desc, id desc limit :limit
   )
   select path, count(*) from looked_at cross join unnest(:paths::text[]) as path
   where jsonb_path_exists("values", path::jsonpath)
   group by path`,
);

export const byPublicId = (rows: readonly ComponentRow[]): Components =>
  new Map(rows.map(({ id, name, fields }) => [publicId('cmp', id), { id: publicId('cmp', id), name, fields }]));

/** The components that fields of a request, or of a collection, can have. */
export async function loadComponents(tx: Tx, account_id: string): Promise<Components> {
  return byPublicId(await shareLockComponents(tx, { account_id }));
}
