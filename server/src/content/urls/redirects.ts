import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { publicView } from '../delivery/public-view.ts';
import { localeOf } from '../locales/check-locales.ts';
import { namesInPattern, urlsOf } from './entry-urls.ts';
import { findUrlValues, listOldSlugs } from './queries.ts';
import { collectionsWithUrls } from './resolve-path.ts';
import { parseUrlPattern } from './url-pattern.ts';

export interface Redirect {
  from: string;
  to: string;
}

/** Of the collection (its place in the list), and of the slug in it. */
export type RedirectPosition = [collection: string, fieldKey: number, slug: string];

/** Paths that entries had before, with those that they have now. */
export async function findRedirects(
  db: Database,
  cache: SchemaView,
  account_id: string,
  after: RedirectPosition | undefined,
  limit: number,
): Promise<(Redirect & { position: RedirectPosition })[]> {
  const found: (Redirect & { position: RedirectPosition })[] = [];
  for (const collection of await collectionsWithUrls(db, cache, account_id)) {
    if (after && collection.id < after[0]) continue;
    let [after_key, after_slug] = after && collection.id === after[0] ? [after[1], after[2]] : [0, ''];
    const slugs = slugFields(collection);
    if (slugs.length === 0) continue;
    const pattern = parseUrlPattern(collection.row.settings?.urlPattern ?? '');
    for (;;) {
      const old = await listOldSlugs(db, {
        ...{ account_id, collection_id: collection.id, after_key, after_slug, limit },
        field_keys: slugs.map(({ key }) => key),
      });
      const ids = [...new Set(old.map(({ entry_id }) => entry_id))];
      const rows = await findUrlValues(db, {
        ...{ account_id, collection_id: collection.id, ids },
        names: namesInPattern(collection, pattern),
      });
      const byId = new Map(rows.map((row) => [row.id, { ...row, values: readJson(row.values) }]));
      // The entry as it is, and as it would be with the slug that it had.
      const pairs = old.flatMap(({ field_key, slug, entry_id }) => {
        const now = byId.get(entry_id as never);
        const field = slugs.find(({ key }) => key === field_key);
        if (!now || !field) return [];
        return [{ now, earlier: { ...now, values: { ...now.values, [field.id]: slug } }, field, slug }];
      });
      const deps = { tx: db, cache, accountId: account_id };
      const urls = await urlsOf(
        deps,
        collection,
        pairs.flatMap(({ now, earlier }) => [now, earlier]),
        undefined,
      );
      for (const [i, { field, slug }] of pairs.entries()) {
        const [now, earlier] = [urls[2 * i], urls[2 * i + 1]];
        const locale = collection.locales && (localeOf(collection.locales, field) ?? collection.locales.default);
        const [from, to] = collection.locales
          ? [earlier?.alternates[locale ?? ''], now?.alternates[locale ?? '']]
          : [earlier?.url, now?.url];
        if (from && to && from !== to) found.push({ from, to, position: [collection.id, field.key, slug] });
        if (found.length === limit) return found;
      }
      const last = old.at(-1);
      if (!last || old.length < limit) break;
      [after_key, after_slug] = [last.field_key, last.slug];
    }
  }
  return found;
}

/** The slug in the pattern, in each locale. */
function slugFields(collection: Collection) {
  const view = publicView(collection);
  const { parts } = parseUrlPattern(collection.row.settings?.urlPattern ?? '');
  const named = new Set(parts.flatMap((part) => ('path' in part && part.path.length === 1 ? part.path[0] : [])));
  return view.fields.filter(
    (field) => isActive(field) && field.format === 'slug' && named.has(field.id.split('@')[0] ?? ''),
  );
}
