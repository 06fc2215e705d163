import { statement } from '../../shared/postgres/statement.ts';

export interface EndpointRow {
  account_id: string;
  id: string;
  url: string;
  description: string | null;
  events: string[] | null;
  /** Public IDs. */
  collection_ids: string[] | null;
  status: 'active' | 'disabled';
  disabled_reason: 'requested' | 'gone' | 'failing' | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `account_id, id, url, description, events, collection_ids, status, disabled_reason, secret, previous_secret,
  previous_secret_until, failing_since, created_at, updated_at`;

const ENDPOINT = { account_id: 'uuid', id: 'uuid' } as const;

/** Returns no row if the account already has `max` endpoints. */
export const insertEndpoint = statement('webhooks.insert_endpoint', {
  ...ENDPOINT,
  url: 'text',
  description: 'text?',
  events: 'text[]?',
  collection_ids: 'text[]?',
  secret: 'bytea',
  now: 'timestamptz',
  max: 'integer',
}).returns<EndpointRow>(
  `insert into webhook_endpoints (account_id, id, url, description, events, collection_ids, status, secret, created_at,
     updated_at)
   select :account_id, :id, :url, :description, :events, :collection_ids, 'active', :secret, :now, :now
   where (select count(*) from webhook_endpoints where account_id = :account_id) < :max
   returning ${COLUMNS}`,
);

const SELECT_ENDPOINT = `select ${COLUMNS} from webhook_endpoints where account_id = :account_id and id = :id`;

export const findEndpoint = statement('webhooks.find_endpoint', ENDPOINT).returns<EndpointRow>(SELECT_ENDPOINT);

export const lockEndpoint = statement('webhooks.lock_endpoint', ENDPOINT).returns<EndpointRow>(
  `${SELECT_ENDPOINT} for update`,
);

/** Oldest first. */
export const listEndpoints = statement('webhooks.list_endpoints', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<EndpointRow>(
  `select ${COLUMNS} from webhook_endpoints where account_id = :account_id and id > :after order by id limit :limit`,
);

export const updateEndpoint = statement('webhooks.update_endpoint', {
  ...ENDPOINT,
  url: 'text',
  description: 'text?',
  events: 'text[]?',
  collection_ids: 'text[]?',
  status: 'text',
  disabled_reason: 'text?',
  failing_since: 'timestamptz?',
  now: 'timestamptz',
}).returns<EndpointRow>(
  `update webhook_endpoints set url = :url, description = :description, events = :events,
     collection_ids = :collection_ids, status = :status,
     disabled_reason = :disabled_reason, failing_since = :failing_since, updated_at = greatest(updated_at, :now)
   where account_id = :account_id and id = :id returning ${COLUMNS}`,
);

/** The current secret becomes the previous one, which signs until `previous_until`. */
export const replaceSecret = statement('webhooks.replace_secret', {
  ...ENDPOINT,
  secret: 'bytea',
  previous_until: 'timestamptz',
  now: 'timestamptz',
}).returns<EndpointRow>(
  `update webhook_endpoints set previous_secret = secret, previous_secret_until = :previous_until, secret = :secret,
     updated_at = greatest(updated_at, :now)
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
