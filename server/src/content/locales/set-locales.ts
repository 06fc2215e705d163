import { type Fault, invalid, refuse } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isOwn } from '../collections/collection.ts';
import { checkFieldsSize } from '../collections/collection-rules.ts';
import { MAX_ROWS_IN_REQUEST, replaceFieldIndex } from '../collections/update-collection.ts';
import { baseOf, localesOfCollection, NO_LOCALES, parseLocales } from './check-locales.ts';
import type { AccountLocales, LocalesChange } from './contract.ts';
import { lockLocales, lockLocalizedCollections, replaceTranslations, updateLocales } from './queries.ts';
import { checkTranslations, withTranslations } from './translations.ts';

interface ChangedLocales {
  before: AccountLocales;
  after: AccountLocales;
  /** Whether the index of new translations was left to the worker. */
  needsBackfill: boolean;
}

/**
 * Replaces the locales of an account, and with them the translations of every localized field. Values in a locale that is
 * removed are kept, and return with it. Another default locale changes no stored value.
 * @throws ApiError 400 with every fault; `base_locale_in_use` if the locale would be removed whose values have no locale in their name
 */
export async function setLocales(tx: Tx, account_id: string, sent: LocalesChange): Promise<ChangedLocales> {
  const faults: Fault[] = [];
  const after = parseLocales(sent, faults);
  refuse(faults);
  const [locked] = await lockLocales(tx, { account_id });
  const before = locked?.settings ?? NO_LOCALES;
  const collections = await lockLocalizedCollections(tx, { account_id });
  const known = new Set(after.locales.map(({ locale }) => locale));
  for (const { name, locales } of collections) {
    const base = locales && baseOf(locales);
    if (!base || known.has(base)) continue;
    const detail = `The list must contain "${base}": values of the collection "${name}" without a locale in their name are in it.`;
    throw invalid([{ pointer: '/locales', code: 'base_locale_in_use', detail }]);
  }
  await updateLocales(tx, { account_id, settings: JSON.stringify(after) });
  let needsBackfill = false;
  const maxRows = Math.floor(MAX_ROWS_IN_REQUEST / Math.max(1, collections.length));
  for (const row of collections) {
    const locales = localesOfCollection(row.locales, after);
    const fields = withTranslations(row.fields.filter(isOwn), row.fields, locales);
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
    const stored = { fields: JSON.stringify(fields), locales: JSON.stringify(locales) };
    // Entries that are published so far may lack the new default locale.
    const partial = row.publishing && before.default !== after.default;
    await replaceTranslations(tx, { account_id, id: row.id, ...stored, partial });
  }
  return { before, after, needsBackfill };
}
