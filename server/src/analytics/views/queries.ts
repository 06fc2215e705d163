import { statement } from '../../shared/postgres/statement.ts';
import type { SavedView } from './contract.ts';

export interface ViewRow {
  id: string;
  screen: SavedView['screen'];
  name: string;
  state: Record<string, unknown>;
  updated_at: Date;
}

const COLUMNS = 'id, screen, name, state, updated_at';

export const listViews = statement('analytics.list_views', { account_id: 'uuid', screen: 'text' }).returns<ViewRow>(
  `select ${COLUMNS} from saved_views where account_id = :account_id and screen = :screen order by lower(name)`,
);

/** Replaces the view with the same name. No row if there are `max` others. */
export const saveView = statement('analytics.save_view', {
  account_id: 'uuid',
  id: 'uuid',
  screen: 'text',
  name: 'text',
  state: 'jsonb',
  now: 'timestamptz',
  max: 'integer',
}).returns<ViewRow>(
  `insert into saved_views as v (account_id, id, screen, name, state, updated_at)
   select :account_id, :id, :screen, :name, :state, :now
   where (select count(*) from saved_views
     where account_id = :account_id and screen = :screen and lower(name) <> lower(:name)) < :max
   on conflict (account_id, screen, lower(name)) do update
     set name = excluded.name, state = excluded.state, updated_at = excluded.updated_at
   returning ${COLUMNS}`,
);

export const deleteView = statement('analytics.delete_view', { account_id: 'uuid', id: 'uuid' }).returns<{
  id: string;
  name: string;
}>('delete from saved_views where account_id = :account_id and id = :id returning id, name');
