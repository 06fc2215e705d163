import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { publishedView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { entryJson } from '../entries/entry-json.ts';
import type { Reading } from '../entries/entry-reader.ts';
import { serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { localeView, requestedLocale } from '../locales/locale-view.ts';
import { valuesText } from '../ordering/lift-order.ts';
import { EXPANSIONS, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import { readable } from '../roles/permitted.ts';
import { publishedOf } from './published-of.ts';
import { findReturnedPublished } from './queries.ts';

/** An entry as it is published, as JSON text. @throws ApiError 404 if it is not; 400 `publishing_disabled` */
export function readPublished(
  tx: Tx,
  cache: SchemaView,
  accountId: string,
  path: EntryPath,
  publicUrl: string,
  { expand, locale: sent }: Reading = {},
): Promise<string> {
  return cache.use(tx, accountId, path.collectionId, async (stored) => {
    publishedOf(stored, '?state');
    const locale = await requestedLocale(tx, accountId, stored, sent);
    const collection = localeView(stored, locale);
    const id = parseId('ent', path.entryId);
    const key = { account_id: accountId, collection_id: collection.id };
    const found = id === undefined ? [] : await findReturnedPublished(tx, { ...key, id });
    const [row] = await readable(tx, accountId, publishedView(stored), found);
    if (!row) throw notFound('entry');
    if (row.collection_version !== collection.version) return STALE;
    const tree = parseExpand(expand);
    const all = await serializeValues(tx, accountId, collection, [readJson(row.values)], publicUrl);
    const deps = { tx, cache, accountId, publicUrl, locale };
    if (tree && (await expandEntries(deps, EXPANSIONS.published, collection, all, tree)) === STALE) return STALE;
    const [values = {}] = all;
    const published = { published_version: row.version, published_at: row.updated_at };
    return entryJson(collection, { ...row, ...published }, valuesText(collection, values));
  });
}
