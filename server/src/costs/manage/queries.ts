import { rows, statement } from '../../shared/postgres/statement.ts';
import type { ConnectorId } from '../connectors/registry.ts';

export interface CostSourceRow {
  account_id: string;
  id: string;
  platform: ConnectorId;
  ad_account: string;
  name: string;
  source: string;
  credentials: Buffer;
  connection: Record<string, string>;
  destination_id: string | null;
  mode: 'live' | 'off';
  paused_at: Date | null;
  pause_reason: 'credentials' | 'access' | null;
  failing_since: Date | null;
  failures: number;
  notified_at: Date | null;
  error: string | null;
  currency: string | null;
  time_zone: string | null;
  pending: Record<string, string> | null;
  due_at: Date | null;
  last_read_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `account_id, id, platform, ad_account, name, source, credentials, connection, destination_id, mode, paused_at, pause_reason,
  failing_since, failures, notified_at, error, currency, time_zone, pending, due_at, last_read_at, version, created_at, updated_at`;

const KEY = { account_id: 'uuid', id: 'uuid' } as const;
const SETTINGS = {
  ad_account: 'text',
  name: 'text',
  source: 'text',
  credentials: 'bytea',
  connection: 'jsonb',
  destination_id: 'uuid?',
  mode: 'text',
  now: 'timestamptz',
} as const;

/** Due at once. Returns no row if the account already has `max` cost sources, or this ad account. */
export const insertSource = statement('costs.insert_source', {
  ...KEY,
  platform: 'text',
  ...SETTINGS,
  max: 'integer',
}).returns<CostSourceRow>(
  `insert into cost_sources (account_id, id, platform, ad_account, name, source, credentials, connection, destination_id, mode, due_at,
     created_at, updated_at)
   select :account_id, :id, :platform, :ad_account, :name, :source, :credentials, :connection, :destination_id, :mode,
     case when :mode = 'live' then :now end, :now, :now
   where (select count(*) from cost_sources where account_id = :account_id) < :max
   on conflict (account_id, platform, ad_account) do nothing
   returning ${COLUMNS}`,
);

export const findSource = statement('costs.find_source', KEY).returns<CostSourceRow>(
  `select ${COLUMNS} from cost_sources where account_id = :account_id and id = :id`,
);

export const lockSource = statement('costs.lock_source', KEY).returns<CostSourceRow>(
  `select ${COLUMNS} from cost_sources where account_id = :account_id and id = :id for update`,
);

export const findSourceOfAccount = statement('costs.find_source_of_ad_account', {
  account_id: 'uuid',
  platform: 'text',
  ad_account: 'text',
}).returns<{ id: string }>(
  'select id from cost_sources where account_id = :account_id and platform = :platform and ad_account = :ad_account',
);

/** Oldest first. */
export const listSources = statement('costs.list_sources', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<CostSourceRow>(
  `select ${COLUMNS} from cost_sources where account_id = :account_id and id > :after order by id limit :limit`,
);

/** A source whose credentials or mode are set again is no longer paused, and is read at once. */
export const updateSource = statement('costs.update_source', {
  ...KEY,
  ...SETTINGS,
  resumes: 'boolean',
}).returns<CostSourceRow>(
  `update cost_sources set ad_account = :ad_account, name = :name, source = :source, credentials = :credentials,
     connection = :connection, destination_id = :destination_id, mode = :mode,
     paused_at = case when :resumes then null else paused_at end,
     pause_reason = case when :resumes then null else pause_reason end,
     failing_since = case when :resumes then null else failing_since end,
     failures = case when :resumes then 0 else failures end,
     notified_at = case when :resumes then null else notified_at end,
     error = case when :resumes then null else error end,
     pending = case when :resumes then null else pending end,
     due_at = case when :mode = 'off' then null when :resumes then :now else due_at end,
     updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteSource = statement('costs.delete_source', KEY).returns<CostSourceRow>(
  `delete from cost_sources where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** Takes sources that are due, and says when each is due next: should its job get lost, it is read then. */
export const takeDueSources = statement('costs.take_due_sources', {
  now: 'timestamptz',
  next: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; id: string }>(
  `update cost_sources set due_at = :next
   where (account_id, id) in (
     select account_id, id from cost_sources where due_at <= :now order by due_at limit :limit for update skip locked)
   returning account_id, id`,
);

export const findOverdueSources = statement('costs.find_overdue_sources', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; subject: string; since: Date }>(
  `select account_id, name as subject, least(due_at, :before) as since from cost_sources where due_at < :before order by due_at limit :limit`,
);

export const keepPending = statement('costs.keep_pending', { ...KEY, pending: 'jsonb?' }).runs(
  'update cost_sources set pending = :pending where account_id = :account_id and id = :id',
);

export const keepCredentials = statement('costs.keep_credentials', {
  ...KEY,
  credentials: 'bytea',
  before: 'bytea',
}).runs(
  `update cost_sources set credentials = :credentials
   where account_id = :account_id and id = :id and credentials = :before`,
);

export const recordRead = statement('costs.record_read', {
  ...KEY,
  currency: 'text?',
  time_zone: 'text',
  next: 'timestamptz',
  now: 'timestamptz',
}).runs(
  `update cost_sources set last_read_at = :now, currency = coalesce(:currency, currency), time_zone = :time_zone, pending = null,
     due_at = case when mode = 'live' then :next end, paused_at = null, pause_reason = null, failing_since = null, failures = 0,
     notified_at = null, error = null
   where account_id = :account_id and id = :id`,
);

/** `is_new`: its owners are to be notified, because it is paused, or has failed for a while. */
export const recordFailure = statement('costs.record_failure', {
  ...KEY,
  error: 'text',
  pause_reason: 'text?',
  next: 'timestamptz?',
  notify_after: 'interval',
  now: 'timestamptz',
}).returns<CostSourceRow & { is_new: boolean }>(
  `update cost_sources set error = :error, failures = failures + 1, failing_since = coalesce(failing_since, :now),
     pause_reason = :pause_reason,
     paused_at = case when :pause_reason is null then null else coalesce(paused_at, :now) end,
     due_at = case when mode = 'live' then :next end,
     notified_at = case when notified_at is null and
       (:pause_reason is not null or coalesce(failing_since, :now) <= :now - :notify_after) then :now else notified_at end,
     version = version + 1
   where account_id = :account_id and id = :id
   returning ${COLUMNS}, coalesce(notified_at = :now, false) as is_new`,
);

export const findSourcesByKey = statement('costs.find_sources_by_key', {
  sources: rows({ account_id: 'uuid', id: 'uuid' }),
}).returns<CostSourceRow>(
  `select ${COLUMNS.replace(/\w+/g, 's.$&')} from :sources as w join cost_sources s on s.account_id = w.account_id and s.id = w.id`,
);
