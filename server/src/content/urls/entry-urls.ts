import { type AnyUuid, parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { isPublic, publicView } from '../delivery/public-view.ts';
import type { Values } from '../entries/check-values.ts';
import type { PageRow } from '../listing/page-request.ts';
import { localizeValues, singleLocaleView } from '../locales/locale-view.ts';
import { presentLocales, publishedLocalesOf } from '../locales/published-locales.ts';
import { isShown } from '../locales/shown-in.ts';
import { findPublicTargets } from '../references/queries.ts';
import { ID, LOCALE, parseUrlPattern, type UrlPattern } from './url-pattern.ts';

/** A published entry, with its stored values or those that its URL has. */
interface UrlRow {
  id: AnyUuid;
  values: Values;
  version: number;
  published_locales?: Record<string, number> | string | null | undefined;
}

/** The paths of an entry: null where a value is missing. */
export interface EntryUrls {
  url: string | null;
  /** By locale; only if the collection is localized. */
  alternates: Record<string, string>;
}

export interface UrlDeps {
  tx: Tx;
  cache: SchemaView;
  accountId: string;
  /** Finds the entries whose values URLs have; undefined: published ones. */
  findTargets?: typeof findPublicTargets;
}

/** An entry as if it was published now. */
export function asPublished<Row extends UrlRow>({ locales, ...stored }: Collection, row: Row): Row {
  if (!locales) return row;
  const present = presentLocales({ ...stored, locales }, locales, row.values);
  return { ...row, published_locales: Object.fromEntries(present.map((locale) => [locale, row.version])) };
}

/** The fields of an entry that its URL needs, in all locales. */
export function namesInPattern(collection: Collection, pattern: UrlPattern): string[] {
  const names = new Set(pattern.parts.flatMap((part) => ('path' in part ? part.path[0] : [])));
  return collection.fields.flatMap(({ id }) => (names.has(id) || names.has(id.split('@')[0] ?? '') ? id : []));
}

/**
 * The URLs of published entries of a public collection with a pattern.
 * @param stored as it is cached
 * @param locale of `url`; undefined: the default one
 */
export async function urlsOf(
  deps: UrlDeps,
  stored: Collection,
  rows: readonly UrlRow[],
  locale: string | undefined,
): Promise<EntryUrls[]> {
  const source = stored.row.settings?.urlPattern;
  if (source === undefined) return rows.map(() => ({ url: null, alternates: {} }));
  const pattern = parseUrlPattern(source);
  const view = publicView(stored);
  const targets = await readTargets(deps, view, pattern, rows);
  const main = stored.locales?.default ?? undefined;
  const inLocale = (row: UrlRow, tag: string | undefined): string | null => {
    const own = singleLocaleView(view, tag);
    if (!isShown(own.shownIn, row.published_locales)) return null;
    const values = localizeValues(own, row.values);
    return build(pattern, (first, second) => {
      if (second === undefined && !view.byId.has(first)) {
        if (first === ID) return publicId('ent', row.id);
        if (first === LOCALE) return tag ?? main;
      }
      const field = view.byId.get(first);
      if (!field || !isActive(field)) return undefined;
      if (second === undefined) return textOf(values[first]);
      const target = targets.get(String(values[first]));
      const seen = target && singleLocaleView(target.view, target.view.locales ? tag : undefined);
      const targetField = seen?.byId.get(second);
      if (!seen || !targetField || !isActive(targetField)) return undefined;
      return textOf(localizeValues(seen, target.values)[second]);
    });
  };
  return rows.map((row) => {
    const alternates: Record<string, string> = {};
    if (stored.locales) {
      const published = publishedLocalesOf(stored.locales, { ...row, published_version: row.version });
      for (const tag of Object.keys(published)) {
        const url = inLocale(row, tag);
        if (url !== null) alternates[tag] = url;
      }
    }
    return { url: inLocale(row, locale ?? main), alternates };
  });
}

/** The path of a pattern; null if a placeholder has no value. */
export function build(
  { parts }: UrlPattern,
  textFor: (field: string, ofTarget?: string) => string | undefined,
): string | null {
  let url = '';
  for (const part of parts) {
    const text = 'text' in part ? part.text : textFor(part.path[0], part.path[1]);
    if (text === undefined || ('path' in part && text === '')) return null;
    url += 'text' in part ? text : encodeURIComponent(text);
  }
  return url;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Referenced entries that everyone can read, by public ID. */
async function readTargets(
  { tx, cache, accountId, findTargets = findPublicTargets }: UrlDeps,
  view: Collection,
  { parts }: UrlPattern,
  rows: readonly UrlRow[],
): Promise<Map<string, { view: Collection; values: Values }>> {
  const fields = parts.flatMap((part) => ('path' in part && part.path.length === 2 ? part.path[0] : []));
  const found = new Map<string, { view: Collection; values: Values }>();
  if (fields.length === 0) return found;
  const names = view.fields.filter(({ id }) => fields.includes(id.split('@')[0] ?? '')).map(({ id }) => id);
  const ids = new Set(
    rows.flatMap(({ values }) => names.flatMap((name) => parseId('ent', String(values[name])) ?? [])),
  );
  if (ids.size === 0) return found;
  const targets = await findTargets(tx, { account_id: accountId, ids: [...ids], expanded: [...ids] });
  const collections = [...new Set(targets.map(({ collection_id }) => publicId('col', collection_id)))];
  const loaded = await cache.loadCurrent(tx, accountId, collections, false);
  const views = new Map(loaded.filter(isPublic).map((each) => [each.id, publicView(each)]));
  for (const { id, collection_id, values } of targets) {
    const target = views.get(collection_id);
    if (target && values !== null) found.set(publicId('ent', id), { view: target, values: readJson(values) });
  }
  return found;
}

/** The members `url` and `alternates` of published entries, as JSON after a comma, by public ID. */
export async function urlMembersOf(
  deps: UrlDeps,
  stored: Collection,
  rowsOf: () => readonly UrlRow[],
  locale: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const members = new Map<string, string>();
  if (stored.row.settings?.urlPattern === undefined) return members;
  const rows = rowsOf();
  const all = await urlsOf(deps, stored, rows, locale);
  for (const [i, { url, alternates }] of all.entries()) {
    const more = stored.locales ? `,"alternates":${JSON.stringify(alternates)}` : '';
    members.set(publicId('ent', rows[i]?.id ?? ''), `,"url":${JSON.stringify(url)}${more}`);
  }
  return members;
}

/** The row of a page of published entries. */
export const urlRowOf = ({ id, version, values, publishedLocales }: PageRow): UrlRow => ({
  id,
  version,
  values: values ? readJson(values.toString()) : {},
  published_locales: publishedLocales,
});
