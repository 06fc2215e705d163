import { parseId, publicId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { type Collection, stateView } from '../collections/collection.ts';
import { isActive } from '../collections/field.ts';
import { MISSING } from '../field-types/sort-key.ts';
import { permittedIds } from '../roles/permitted.ts';
import { PARENT } from './system-fields.ts';

/** The parents (public IDs) of entries of a tree that its reader cannot see. */
export async function lostParents(
  db: Database,
  account_id: string,
  stored: Collection,
  state: 'draft' | 'published',
): Promise<string[]> {
  const view = stateView(state)(stored);
  const field = view.byId.get(PARENT);
  if (!field || !isActive(field)) return [];
  const named = await listParents(db, { account_id, field_key: field.key, missing: MISSING });
  const parents = new Map(named.flatMap(({ id }) => (id === null ? [] : [[parseId('ent', id), id] as const])));
  const ids = [...parents.keys()].filter((id) => id !== undefined);
  const find = state === 'published' && view.publishing ? findPublishedOf : findActiveOf;
  const found = (await find(db, { account_id, collection_id: view.id, ids })).map(({ id }) => id);
  const seen = await permittedIds(db, account_id, view, 'read', found);
  return ids.filter((id) => !seen.has(id)).map((id) => publicId('ent', id));
}

/** The different parents in an index, each by one step through it, and nulls. */
const listParents = statement('content.list_parents', {
  account_id: 'uuid',
  field_key: 'bigint',
  missing: 'text',
}).returns<{ id: string | null }>(
  `with recursive parents as (
     select min(sort_key) as id from entry_index
     where account_id = :account_id and field_key = :field_key and sort_key < :missing
     union all
     select (
       select min(i.sort_key) from entry_index i
       where i.account_id = :account_id and i.field_key = :field_key and i.sort_key > p.id and i.sort_key < :missing)
     from parents p where p.id is not null
   )
   select id from parents`,
);

const ofCollection = { account_id: 'uuid', collection_id: 'uuid', ids: 'uuid[]' } as const;

const findActiveOf = statement('content.find_active_of', ofCollection).returns<{ id: string }>(
  `select id from entries
   where account_id = :account_id and collection_id = :collection_id and status = 'active' and id = any(:ids)`,
);

const findPublishedOf = statement('content.find_published_of', ofCollection).returns<{ id: string }>(
  `select id from published_entries
   where account_id = :account_id and collection_id = :collection_id and status = 'active' and id = any(:ids)`,
);
