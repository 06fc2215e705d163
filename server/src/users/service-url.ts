import { controlStatement } from '../shared/postgres/statement.ts';

/** Records where the service is reached, for the links that commands print. */
export const saveServiceUrl = controlStatement('users.save_service_url', { url: 'text', now: 'timestamptz' }).runs(
  `insert into service_url (url, updated_at) values (:url, :now)
   on conflict (is_only) do update set url = excluded.url, updated_at = excluded.updated_at`,
);

export const findServiceUrl = controlStatement('users.find_service_url', {}).returns<{ url: string }>(
  'select url from service_url',
);
