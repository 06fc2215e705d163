import { statement } from '../../shared/postgres/statement.ts';

export interface EntryViewRow {
  id: string;
  owner_id: string | null;
  name: string;
  state: Record<string, unknown>;
  updated_at: Date;
}

const COLUMNS = 'id, owner_id, name, state, updated_at';
const scope = { account_id: 'uuid', collection_id: 'uuid', owner_id: 'uuid?' } as const;

/** The shared views of a collection and those of its reader, by name. */
export const listViews = statement('content.list_views', scope).returns<EntryViewRow>(
  `select ${COLUMNS} from entry_views
   where account_id = :account_id and collection_id = :collection_id and (owner_id is null or owner_id = :owner_id)
   order by lower(name), owner_id nulls first`,
);

/** Replaces the view with the same name and readers. No row if there are `max` others. @param owner_id null: shared */
export const saveView = statement('content.save_view', {
  ...scope,
  id: 'uuid',
  name: 'text',
  state: 'jsonb',
  now: 'timestamptz',
  max: 'integer',
}).returns<EntryViewRow>(
  `insert into entry_views as v (account_id, id, collection_id, owner_id, name, state, updated_at)
   select :account_id, :id, :collection_id, :owner_id, :name, :state, :now
   where (select count(*) from entry_views
     where account_id = :account_id and collection_id = :collection_id and owner_id is not distinct from :owner_id
       and lower(name) <> lower(:name)) < :max
   on conflict (account_id, collection_id, owner_id, lower(name)) do update
     set name = excluded.name, state = excluded.state, updated_at = excluded.updated_at
   returning ${COLUMNS}`,
);

export const deleteView = statement('content.delete_view', { ...scope, id: 'uuid' }).returns<EntryViewRow>(
  `delete from entry_views
   where account_id = :account_id and collection_id = :collection_id and id = :id
     and (owner_id is null or owner_id = :owner_id)
   returning ${COLUMNS}`,
);

export const deleteViewsOf = statement('content.delete_views', { account_id: 'uuid', collection_id: 'uuid' }).runs(
  'delete from entry_views where account_id = :account_id and collection_id = :collection_id',
);
