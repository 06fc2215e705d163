import { type Fault, invalid, refuse } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isOwn } from '../collections/collection.ts';
import { checkFieldsSize } from '../collections/collection-rules.ts';
import { MAX_ROWS_IN_REQUEST, replaceFieldIndex } from '../collections/update-collection.ts';
import { NO_LOCALES, parseLocales } from './check-locales.ts';
import type { AccountLocales, LocalesChange } from './contract.ts';
import { lockLocales, lockLocalizedCollections, replaceTranslations, updateLocales } from './queries.ts';
import { checkTranslations, withTranslations } from './translations.ts';

export interface ChangedLocales {
  before: AccountLocales;
  after: AccountLocales;
  /** Whether the index of new translations was left to the worker. */
  needsBackfill: boolean;
}

/**
 * Replaces the locales of an account, and with them the translations of every localized field. Values in a locale that is
 * removed are kept, and return with it.
 * @throws ApiError 400 with every fault; `default_locale_in_use` if the default locale of localized fields would change
 */
export async function setLocales(tx: Tx, account_id: string, sent: LocalesChange): Promise<ChangedLocales> {
  const faults: Fault[] = [];
  const after = parseLocales(sent, faults);
  refuse(faults);
  const [locked] = await lockLocales(tx, { account_id });
  const before = locked?.settings ?? NO_LOCALES;
  const collections = await lockLocalizedCollections(tx, { account_id });
  const [localized] = collections;
  if (localized && before.default !== after.default) {
    const detail = `The default locale cannot change, as the collection "${localized.name}" has values in it.`;
    throw invalid([{ pointer: '/default', code: 'default_locale_in_use', detail }]);
  }
  await updateLocales(tx, { account_id, settings: JSON.stringify(after) });
  let needsBackfill = false;
  const maxRows = Math.floor(MAX_ROWS_IN_REQUEST / Math.max(1, collections.length));
  for (const row of collections) {
    const fields = withTranslations(row.fields.filter(isOwn), row.fields, after);
    checkTranslations(fields, faults, '/locales');
    checkFieldsSize(fields, faults);
    refuse(
      faults.map(({ code, detail }) => ({
        pointer: '/locales',
        code,
        detail: `In the collection "${row.name}": ${detail}`,
      })),
    );
    if (await replaceFieldIndex(tx, account_id, row, fields, row.publishing, maxRows)) needsBackfill = true;
    const stored = { fields: JSON.stringify(fields), locales: JSON.stringify(after) };
    await replaceTranslations(tx, { account_id, id: row.id, ...stored });
  }
  return { before, after, needsBackfill };
}
