import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { publicView } from '../delivery/public-view.ts';
import { findPage } from '../listing/find-page.ts';
import { listingOf } from '../listing/parse-listing.ts';
import { singleLocaleView } from '../locales/locale-view.ts';
import { WhereParser } from '../query/parse-where.ts';
import { type EntryUrls, namesInPattern, type UrlDeps, urlsOf } from './entry-urls.ts';
import { findCollectionsWithUrls, findSlugHolders, findUrlValues } from './queries.ts';
import { ID, LOCALE, parseUrlPattern } from './url-pattern.ts';

export interface Resolved {
  collection: Collection;
  /** Public ID. */
  entryId: string;
  locale: string | null;
  /** The URL that the entry has now, if it is another one. */
  redirectTo?: string;
}

/** Values that are not unique can have more, of which the first are tried. */
const MOST = 20;

/** The public collections of an account whose entries have URLs. */
export async function collectionsWithUrls(db: Database, cache: SchemaView, accountId: string) {
  const rows = await findCollectionsWithUrls(db, { account_id: accountId });
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  const found = await cache.load(db, accountId, versions);
  const all =
    typeof found === 'symbol' ? await loadCurrent(db, cache, accountId, [...versions.keys()]) : [...found.values()];
  return all.filter(({ row, publishing }) => publishing && row.public && row.settings?.urlPattern !== undefined);
}

const loadCurrent = (db: Database, cache: SchemaView, accountId: string, ids: readonly string[]) =>
  cache.loadCurrent(
    db,
    accountId,
    ids.map((id) => publicId('col', id)),
    true,
  );

/** The published entry with a path, or with one that it had before. */
export async function resolvePath(
  db: Database,
  cache: SchemaView,
  accountId: string,
  sent: string,
  collections?: readonly Collection[],
): Promise<Resolved | undefined> {
  const path = pathOf(sent);
  if (path === undefined) return undefined;
  const deps: UrlDeps = { tx: db, cache, accountId };
  let moved: Resolved | undefined;
  for (const collection of collections ?? (await collectionsWithUrls(db, cache, accountId))) {
    const pattern = parseUrlPattern(collection.row.settings?.urlPattern ?? '');
    const match = pattern.regex.exec(path);
    if (!match) continue;
    const captured = new Map<string, string>();
    const names = pattern.parts.flatMap((part) => ('path' in part ? part.path.join('.') : []));
    for (const [i, name] of names.entries()) captured.set(name, decode(match[i + 1] ?? ''));
    const ids = await candidates(db, accountId, collection, captured);
    if (ids.length === 0) continue;
    const rows = await findUrlValues(db, {
      account_id: accountId,
      collection_id: collection.id,
      ids,
      names: namesInPattern(collection, pattern),
    });
    const parsed = rows.map((row) => ({ ...row, values: readJson(row.values) }));
    const urls = await urlsOf(deps, collection, parsed, undefined);
    for (const [i, { id }] of rows.entries()) {
      const found = localeOf(collection, urls[i], path, captured.get(LOCALE));
      if (!found) continue;
      const resolved = { collection, entryId: publicId('ent', id), locale: found.locale };
      if (found.url === path) return resolved;
      moved ??= { ...resolved, redirectTo: found.url };
    }
  }
  return moved;
}

/** How many paths are looked up at a time. */
const AT_ONCE = 8;

/** The public IDs of the entries of paths, by path. */
export async function findEntriesOfPaths(
  db: Database,
  cache: SchemaView,
  accountId: string,
  paths: Iterable<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const collections = await collectionsWithUrls(db, cache, accountId);
  if (collections.length === 0) return found;
  const waiting = [...new Set(paths)];
  const lookUp = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const resolved = await resolvePath(db, cache, accountId, path, collections);
      if (resolved) found.set(path, resolved.entryId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookUp));
  return found;
}

/** The locale in which an entry has the path, or else to which it leads. */
function localeOf(
  collection: Collection,
  urls: EntryUrls | undefined,
  path: string,
  named: string | undefined,
): { locale: string | null; url: string } | undefined {
  if (!urls) return undefined;
  if (!collection.locales) return urls.url === null ? undefined : { locale: null, url: urls.url };
  const all = Object.entries(urls.alternates);
  const [locale, url] =
    all.find(([, each]) => each === path) ??
    all.find(([tag]) => tag === named) ??
    all.find(([tag]) => tag === collection.locales?.default) ??
    all[0] ??
    [];
  return locale === undefined || url === undefined ? undefined : { locale, url };
}

/** Entries that can have the values of a path. */
async function candidates(
  db: Database,
  accountId: string,
  collection: Collection,
  captured: ReadonlyMap<string, string>,
): Promise<string[]> {
  const view = publicView(collection);
  const id = view.byId.has(ID) ? undefined : captured.get(ID);
  if (id !== undefined) {
    const uuid = parseId('ent', id);
    return uuid === undefined ? [] : [uuid];
  }
  const slug = view.fields.find((field) => field.format === 'slug' && isActive(field) && captured.has(field.id));
  if (slug) {
    const keys = view.fields
      .filter((field) => isActive(field) && (field === slug || field.id.startsWith(`${slug.id}@`)))
      .map(({ key }) => key);
    const held = await findSlugHolders(db, {
      account_id: accountId,
      field_keys: keys,
      slug: captured.get(slug.id) ?? '',
    });
    return [...new Set(held.map(({ entry_id }) => entry_id))].slice(0, MOST);
  }
  const locale = collection.locales ? (captured.get(LOCALE) ?? collection.locales.default ?? undefined) : undefined;
  if (locale !== undefined && !collection.locales?.locales.some((each) => each.locale === locale)) return [];
  const seen = singleLocaleView(view, locale);
  const conditions = [...captured].filter(([name]) => !name.includes('.') && view.byId.has(name));
  const faults: [] = [];
  const parser = new WhereParser({ isPublic: true, load: async () => [] }, faults);
  const where = await parser.parse(seen, Object.fromEntries(conditions.map(([name, value]) => [name, { eq: value }])));
  if (faults.length > 0) return [];
  const { version, publishing } = collection;
  const scope = {
    accountId,
    collectionId: collection.id,
    version,
    state: publishing ? ('published' as const) : undefined,
  };
  const rows = (await findPage(db, scope, seen, listingOf(where), undefined, MOST)) ?? [];
  return rows.flatMap(({ id: each, isThere }) => (isThere ? each : []));
}

/** Without what follows the path, and without a slash at the end. */
function pathOf(sent: string): string | undefined {
  const [path = ''] = sent.split(/[?#]/, 1);
  if (!path.startsWith('/')) return undefined;
  const segments = path.split('/').map((segment) => encodeURIComponent(decode(segment)));
  const all = segments.join('/').replaceAll(/%40|%3A|%2C|%7E/g, (each) => each);
  return all.length > 1 ? all.replace(/\/+$/, '') || '/' : all;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
