import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { CollectionRow } from '../collections/collection.ts';
import { COLLECTION_COLUMNS } from '../collections/queries.ts';
import { NO_LOCALES } from './check-locales.ts';
import type { AccountLocales } from './contract.ts';

const ofAccount = { account_id: 'uuid' } as const;

const findLocales = statement('content.find_locales', ofAccount).returns<{ settings: AccountLocales }>(
  'select settings from account_locales where account_id = :account_id',
);

export async function getLocales(tx: Tx, account_id: string): Promise<AccountLocales> {
  const [row] = await findLocales(tx, { account_id });
  return row?.settings ?? NO_LOCALES;
}

/**
 * As `findLocales`, and blocks changes until the transaction ends. Without a row nothing is locked, but then no field can be
 * localized.
 */
export const shareLockLocales = statement('content.share_lock_locales', ofAccount).returns<{
  settings: AccountLocales;
}>('select settings from account_locales where account_id = :account_id for share');

/** Returns the settings before. */
export const lockLocales = statement('content.lock_locales', ofAccount).returns<{ settings: AccountLocales }>(
  `insert into account_locales as l (account_id, settings) values (:account_id, '{"default": null, "locales": []}')
   on conflict (account_id) do update set settings = l.settings returning settings`,
);

export const updateLocales = statement('content.update_locales', { ...ofAccount, settings: 'jsonb' }).runs(
  'update account_locales set settings = :settings where account_id = :account_id',
);

/** The collections that have or had localized fields, deleted ones included, locked in one order. */
export const lockLocalizedCollections = statement(
  'content.lock_localized_collections',
  ofAccount,
).returns<CollectionRow>(
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = :account_id and locales is not null and not purging order by id for update`,
);

/** Not a change that `updated_at` reports. */
export const replaceTranslations = statement('content.replace_translations', {
  account_id: 'uuid',
  id: 'uuid',
  fields: 'jsonb',
  locales: 'jsonb',
  partial: 'boolean',
}).runs(
  `update collections set fields = :fields, locales = :locales, partial = partial or :partial, version = version + 1
   where account_id = :account_id and id = :id`,
);
