import { statement } from '../../shared/postgres/statement.ts';

export interface SettingsRow {
  allowed_origins: string[];
  excluded_addresses: string[];
  retention_days: number | null;
  records_clients: boolean;
  first_party_id: boolean;
  updated_at: Date;
}

export const findSettings = statement('tracking.find_settings', { account_id: 'uuid' }).returns<SettingsRow>(
  `select allowed_origins, excluded_addresses, retention_days, records_clients, first_party_id, updated_at from tracking_settings
   where account_id = :account_id`,
);

/** A list that is null stays unchanged, and so do the retention days unless `sets_retention`. */
export const upsertSettings = statement('tracking.upsert_settings', {
  account_id: 'uuid',
  allowed_origins: 'text[]?',
  excluded_addresses: 'text[]?',
  sets_retention: 'boolean',
  retention_days: 'integer?',
  first_party_id: 'boolean?',
  now: 'timestamptz',
}).returns<SettingsRow>(
  `insert into tracking_settings as s (account_id, allowed_origins, excluded_addresses, retention_days, first_party_id, updated_at)
   values (:account_id, coalesce(:allowed_origins, '{}'), coalesce(:excluded_addresses, '{}'), :retention_days, coalesce(:first_party_id, false), :now)
   on conflict (account_id) do update set
     allowed_origins = coalesce(:allowed_origins, s.allowed_origins),
     excluded_addresses = coalesce(:excluded_addresses, s.excluded_addresses),
     retention_days = case when :sets_retention then excluded.retention_days else s.retention_days end,
     first_party_id = coalesce(:first_party_id, s.first_party_id),
     updated_at = excluded.updated_at
   returning allowed_origins, excluded_addresses, retention_days, records_clients, first_party_id, updated_at`,
);
