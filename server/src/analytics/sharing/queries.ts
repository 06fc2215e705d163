import { statement } from '../../shared/postgres/statement.ts';
import type { StoredReport } from './contract.ts';

export interface LinkRow {
  account_id: string;
  id: string;
  name: string;
  report: StoredReport;
  is_interactive: boolean;
  has_annotations: boolean;
  password: string | null;
  created_at: Date;
  last_read_at: Date | null;
}

const COLUMNS = 'account_id, id, name, report, is_interactive, has_annotations, password, created_at, last_read_at';
const KEY = { account_id: 'uuid', id: 'uuid' } as const;

export const listLinks = statement('analytics.list_shared_links', { account_id: 'uuid' }).returns<LinkRow>(
  `select ${COLUMNS} from shared_links where account_id = :account_id order by id desc`,
);

/** No row if there are `max` others. */
export const insertLink = statement('analytics.insert_shared_link', {
  ...KEY,
  hash: 'bytea',
  name: 'text',
  report: 'jsonb',
  is_interactive: 'boolean',
  has_annotations: 'boolean',
  password: 'text?',
  now: 'timestamptz',
  max: 'integer',
}).returns<LinkRow>(
  `insert into shared_links (account_id, id, hash, name, report, is_interactive, has_annotations, password, created_at)
   select :account_id, :id, :hash, :name, :report, :is_interactive, :has_annotations, :password, :now
   where (select count(*) from shared_links where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

export const lockLink = statement('analytics.lock_shared_link', KEY).returns<LinkRow>(
  `select ${COLUMNS} from shared_links where account_id = :account_id and id = :id for update`,
);

export const updateLink = statement('analytics.update_shared_link', {
  ...KEY,
  name: 'text',
  is_interactive: 'boolean',
  has_annotations: 'boolean',
  password: 'text?',
}).returns<LinkRow>(
  `update shared_links
   set name = :name, is_interactive = :is_interactive, has_annotations = :has_annotations, password = :password
   where account_id = :account_id and id = :id
   returning ${COLUMNS}`,
);

export const deleteLink = statement('analytics.delete_shared_link', KEY).returns<{ name: string }>(
  'delete from shared_links where account_id = :account_id and id = :id returning name',
);

export const findLinkByHash = statement('analytics.find_shared_link', {
  account_id: 'uuid',
  hash: 'bytea',
}).returns<LinkRow>(`select ${COLUMNS} from shared_links where account_id = :account_id and hash = :hash`);

/** Notes at most once an hour that a link was read. */
export const recordReading = statement('analytics.record_shared_reading', { ...KEY, now: 'timestamptz' }).runs(
  `update shared_links set last_read_at = date_trunc('hour', :now)
   where account_id = :account_id and id = :id and last_read_at is distinct from date_trunc('hour', :now)`,
);
