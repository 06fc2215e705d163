import type { AuthorType } from '../../shared/audit.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Filter } from '../contract.ts';

export interface EndpointRow {
  account_id: string;
  id: string;
  url: string;
  description: string | null;
  events: string[] | null;
  /** Public IDs. */
  collection_ids: string[] | null;
  /** `whpk_…`; null: no Ed25519 signatures. */
  public_key: string | null;
  payload: 'full' | 'thin';
  fields: string[] | null;
  filters: Filter[] | null;
  ordering: 'none' | 'resource';
  status: 'active' | 'disabled';
  disabled_reason: 'requested' | 'gone' | 'failing' | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  created_at: Date;
  updated_at: Date;
  /** Of a maker with a role of the account: it is sent what they may read. */
  role_id: string | null;
  maker_type: AuthorType | null;
  maker_id: string | null;
}

const COLUMNS = `account_id, id, url, description, events, collection_ids, payload, fields, filters, ordering, public_key, status, disabled_reason,
  secret, previous_secret, previous_secret_until, failing_since, created_at, updated_at, role_id, maker_type, maker_id`;

/** What a request can change. */
const SENT = {
  url: 'text',
  description: 'text?',
  events: 'text[]?',
  collection_ids: 'text[]?',
  payload: 'text',
  fields: 'text[]?',
  filters: 'jsonb?',
  ordering: 'text',
  secret: 'bytea',
  public_key: 'text?',
} as const;
const SENT_NAMES = Object.keys(SENT);

const ENDPOINT = { account_id: 'uuid', id: 'uuid' } as const;

/** Returns no row if the account already has `max` endpoints. */
export const insertEndpoint = statement('webhooks.insert_endpoint', {
  ...ENDPOINT,
  ...SENT,
  role_id: 'uuid?',
  maker_type: 'text?',
  maker_id: 'uuid?',
  now: 'timestamptz',
  max: 'integer',
}).returns<EndpointRow>(
  `insert into webhook_endpoints (account_id, id, ${SENT_NAMES.join(', ')}, role_id, maker_type, maker_id, status,
     created_at, updated_at)
   select :account_id, :id, ${SENT_NAMES.map((name) => `:${name}`).join(', ')}, :role_id, :maker_type, :maker_id, 'active', :now, :now
   where (select count(*) from webhook_endpoints where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

const SELECT_ENDPOINT = `select ${COLUMNS} from webhook_endpoints where account_id = :account_id and id = :id`;

export const findEndpoint = statement('webhooks.find_endpoint', ENDPOINT).returns<EndpointRow>(SELECT_ENDPOINT);

export const lockEndpoint = statement('webhooks.lock_endpoint', ENDPOINT).returns<EndpointRow>(
  `${SELECT_ENDPOINT} for update`,
);

/** Oldest first; those of one role, or all. */
export const listEndpoints = statement('webhooks.list_endpoints', {
  account_id: 'uuid',
  role_id: 'uuid?',
  /** With a role: only those that this user or token made. */
  maker_id: 'uuid?',
  after: 'uuid',
  limit: 'integer',
}).returns<EndpointRow>(
  `select ${COLUMNS} from webhook_endpoints where account_id = :account_id and id > :after
     and (:role_id is null or role_id = :role_id and maker_id = :maker_id) order by id limit :limit`,
);

export const updateEndpoint = statement('webhooks.update_endpoint', {
  ...ENDPOINT,
  ...SENT,
  status: 'text',
  disabled_reason: 'text?',
  failing_since: 'timestamptz?',
  now: 'timestamptz',
}).returns<EndpointRow>(
  `update webhook_endpoints set ${SENT_NAMES.map((name) => `${name} = :${name}`).join(', ')}, status = :status,
     disabled_reason = :disabled_reason, failing_since = :failing_since, updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** The current secret becomes the previous one, which signs until `previous_until`. */
export const replaceSecret = statement('webhooks.replace_secret', {
  ...ENDPOINT,
  secret: 'bytea',
  public_key: 'text?',
  previous_until: 'timestamptz',
  now: 'timestamptz',
}).returns<EndpointRow>(
  `update webhook_endpoints set previous_secret = secret, previous_secret_until = :previous_until, secret = :secret,
     public_key = :public_key, updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const deleteEndpoint = statement('webhooks.delete_endpoint', ENDPOINT).returns<EndpointRow>(
  `delete from webhook_endpoints where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

export const findActiveEndpoints = statement('webhooks.find_active_endpoints', {
  accounts: 'uuid[]',
}).returns<EndpointRow>(
  `select ${COLUMNS} from webhook_endpoints where account_id = any(:accounts) and status = 'active'`,
);
