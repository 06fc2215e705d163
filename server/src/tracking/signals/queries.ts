import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';

const SIGNALS = rows({
  account_id: 'uuid',
  session_number: 'bigint',
  ad_storage: 'text?',
  ad_user_data: 'text?',
  ad_personalization: 'text?',
  client: 'bytea?',
  at: 'timestamptz',
});
export type SignalRow = RowOf<typeof SIGNALS>;

/**
 * Records choices, the latest of which count, and clients, which are renewed after an hour. Takes at most one row for each
 * session, and writes in the order of the primary key, so that two batches cannot deadlock.
 */
export const writeSignals = statement('tracking.write_signals', { signals: SIGNALS }).runs(
  `insert into session_signals as s (account_id, session_number, ad_storage, ad_user_data, ad_personalization, client,
     client_at)
   select account_id, session_number, ad_storage, ad_user_data, ad_personalization, client,
     case when client is not null then at end
   from :signals as w order by account_id, session_number
   on conflict (account_id, session_number) do update set
     ad_storage = coalesce(excluded.ad_storage, s.ad_storage),
     ad_user_data = coalesce(excluded.ad_user_data, s.ad_user_data),
     ad_personalization = coalesce(excluded.ad_personalization, s.ad_personalization),
     client = coalesce(excluded.client, s.client),
     client_at = coalesce(excluded.client_at, s.client_at)
   where excluded.ad_storage is distinct from coalesce(s.ad_storage, '') and excluded.ad_storage is not null
     or excluded.ad_user_data is distinct from coalesce(s.ad_user_data, '') and excluded.ad_user_data is not null
     or excluded.ad_personalization is distinct from coalesce(s.ad_personalization, '')
       and excluded.ad_personalization is not null
     or excluded.client is not null and coalesce(excluded.client_at - s.client_at >= interval '1 hour', true)`,
);

export const deleteSignals = statement('tracking.delete_signals', { account_id: 'uuid', sessions: 'bigint[]' }).runs(
  'delete from session_signals where account_id = :account_id and session_number = any(:sessions)',
);

/** Removes clients that were recorded before a time, a page at a time. */
export const removeOldClients = statement('tracking.remove_old_clients', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ session_number: number }>(
  `update session_signals set client = null, client_at = null where (account_id, session_number) in (
     select account_id, session_number from session_signals
     where client is not null and client_at < :before order by client_at limit :limit for update skip locked)
   returning session_number`,
);

/** Sets whether the IP addresses and user agents of an account's visitors are recorded. */
export const setRecordsClients = statement('tracking.set_records_clients', {
  account_id: 'uuid',
  records_clients: 'boolean',
  now: 'timestamptz',
}).runs(
  `insert into tracking_settings as s (account_id, records_clients, updated_at)
   select :account_id, :records_clients, :now
   where :records_clients or exists (select from tracking_settings where account_id = :account_id)
   on conflict (account_id) do update set records_clients = excluded.records_clients
   where s.records_clients <> excluded.records_clients`,
);
