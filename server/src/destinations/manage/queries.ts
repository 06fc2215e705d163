import { rows, statement } from '../../shared/postgres/statement.ts';
import type { Destination } from '../contract.ts';
import type { PlatformId } from '../platforms/registry.ts';

export interface DestinationRow extends Pick<Destination, 'mapping' | 'filter' | 'consent' | 'mode'> {
  account_id: string;
  id: string;
  platform: PlatformId;
  name: string;
  credentials: Buffer;
  connection: Record<string, string>;
  start_at: Date;
  send_after: number;
  value_sent: Destination['value'];
  paused_at: Date | null;
  pause_reason: 'credentials' | 'access' | 'refusals' | null;
  refusal_code: string | null;
  refused_since: Date | null;
  accepts_refusals: boolean;
  trusts_public_values: boolean;
  failing_since: Date | null;
  notified_at: Date | null;
  error: string | null;
  last_sent_at: Date | null;
  blocked_until: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `account_id, id, platform, name, credentials, connection, mapping, filter, consent, mode, start_at,
  send_after, value_sent, paused_at, pause_reason, refusal_code, refused_since, accepts_refusals, trusts_public_values, failing_since, notified_at, error, last_sent_at, blocked_until, version, created_at, updated_at`;

const DESTINATION = { account_id: 'uuid', id: 'uuid' } as const;

const SETTINGS = {
  name: 'text',
  credentials: 'bytea',
  connection: 'jsonb',
  mapping: 'jsonb',
  filter: 'jsonb',
  consent: 'text',
  mode: 'text',
  start_at: 'timestamptz',
  send_after: 'integer',
  value_sent: 'text',
  trusts_public_values: 'boolean',
  now: 'timestamptz',
} as const;

/** Returns no row if the account already has `max` destinations. */
export const insertDestination = statement('destinations.insert', {
  ...DESTINATION,
  platform: 'text',
  ...SETTINGS,
  max: 'integer',
}).returns<DestinationRow>(
  `insert into destinations (account_id, id, platform, name, credentials, connection, mapping, filter, consent, mode,
     start_at, send_after, value_sent, trusts_public_values, created_at, updated_at)
   select :account_id, :id, :platform, :name, :credentials, :connection, :mapping, :filter, :consent, :mode, :start_at,
     :send_after, :value_sent, :trusts_public_values, :now, :now
   where (select count(*) from destinations where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

const SELECT = `select ${COLUMNS} from destinations where account_id = :account_id and id = :id`;

export const findDestination = statement('destinations.find', DESTINATION).returns<DestinationRow>(SELECT);

export const lockDestination = statement('destinations.lock', DESTINATION).returns<DestinationRow>(
  `${SELECT} for update`,
);

/** Oldest first. */
export const listDestinations = statement('destinations.list', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<DestinationRow>(
  `select ${COLUMNS} from destinations where account_id = :account_id and id > :after order by id limit :limit`,
);

/** A destination whose credentials or mode are set again is no longer paused. */
export const updateDestination = statement('destinations.update', {
  ...DESTINATION,
  ...SETTINGS,
  resumes: 'boolean',
}).returns<DestinationRow>(
  `update destinations set name = :name, credentials = :credentials, connection = :connection, mapping = :mapping,
     filter = :filter, consent = :consent, mode = :mode, start_at = :start_at, send_after = :send_after,
     trusts_public_values = :trusts_public_values, value_sent = :value_sent,
     paused_at = case when :resumes then null else paused_at end,
     pause_reason = case when :resumes then null else pause_reason end,
     accepts_refusals = accepts_refusals or (:resumes and coalesce(pause_reason = 'refusals', false)),
     refused_since = case when :resumes then null else refused_since end,
     failing_since = case when :resumes then null else failing_since end,
     notified_at = case when :resumes then null else notified_at end,
     error = case when :resumes then null else error end,
     blocked_until = case when :resumes then null else blocked_until end,
     updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteDestination = statement('destinations.delete', DESTINATION).returns<DestinationRow>(
  `delete from destinations where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const findDestinations = statement('destinations.find_all', {
  account_id: 'uuid',
}).returns<DestinationRow>(`select ${COLUMNS} from destinations where account_id = :account_id order by id`);

export const findDestinationsByKey = statement('destinations.find_by_key', {
  destinations: rows({ account_id: 'uuid', id: 'uuid' }),
}).returns<DestinationRow>(
  `select d.* from :destinations as w
   join lateral (
     select ${COLUMNS} from destinations d where d.account_id = w.account_id and d.id = w.id limit 1) d on true`,
);
