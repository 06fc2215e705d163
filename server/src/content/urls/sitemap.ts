import { FIRST_ID } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { type EntryUrls, namesInPattern, urlsOf } from './entry-urls.ts';
import { findEntryBefore, listSitemapPages, listUrlValues } from './queries.ts';
import { parseUrlPattern } from './url-pattern.ts';

/** What the protocol of sitemaps allows in one file. */
const MOST_URLS = 50_000;
const PAGE = 1_000;

/** A page of a sitemap: of which collection, and which part of it. */
interface SitemapPart {
  collection: Collection;
  number: number;
}

/** Entries of one page: each has a URL in every locale. */
const sizeOf = ({ locales }: Collection) => Math.floor(MOST_URLS / Math.max(1, locales?.locales.length ?? 1));

/** Where a sitemap has several parts: all of them. Undefined: it is one file. */
export async function sitemapParts(
  db: Database,
  account_id: string,
  collections: readonly Collection[],
): Promise<(SitemapPart & { updatedAt: Date })[] | undefined> {
  const all: (SitemapPart & { updatedAt: Date })[] = [];
  let urls = 0;
  for (const collection of collections) {
    const size = sizeOf(collection);
    const pages = await listSitemapPages(db, { account_id, collection_id: collection.id, size });
    for (const { number, entries, updated_at } of pages) {
      urls += entries * (MOST_URLS / size);
      all.push({ collection, number, updatedAt: updated_at });
    }
  }
  return urls > MOST_URLS ? all : undefined;
}

/** The URLs of parts of a sitemap as XML. @param site the origin of the site */
export async function* sitemapXml(
  db: Database,
  cache: SchemaView,
  account_id: string,
  site: string,
  parts: readonly SitemapPart[],
): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n';
  for (const { collection, number } of parts) {
    const size = sizeOf(collection);
    const of = { account_id, collection_id: collection.id };
    const names = namesInPattern(collection, parseUrlPattern(collection.row.settings?.urlPattern ?? ''));
    const [before] = number === 0 ? [] : await findEntryBefore(db, { ...of, offset: number * size - 1 });
    if (number > 0 && !before) continue;
    let [after, after_time] = [before?.id ?? FIRST_ID, before?.created_at ?? new Date(0)];
    for (let left = size; left > 0; ) {
      const limit = Math.min(PAGE, left);
      const rows = await listUrlValues(db, { ...of, names, after, after_time, limit });
      const parsed = rows.map((row) => ({ ...row, values: readJson(row.values) }));
      const urls = await urlsOf({ tx: db, cache, accountId: account_id }, collection, parsed, undefined);
      yield urls.map((each, i) => entryXml(site, each, collection.locales?.default, rows[i]?.updated_at)).join('');
      const last = rows.at(-1);
      if (!last || rows.length < limit) break;
      [after, after_time] = [last.id, last.created_at];
      left -= rows.length;
    }
  }
  yield '</urlset>\n';
}

/** Visitors whose language no page has are led to the page in the default locale: `x-default`. */
function entryXml(
  site: string,
  { url, alternates }: EntryUrls,
  defaultLocale: string | null | undefined,
  updatedAt: Date | undefined,
): string {
  const all = Object.entries(alternates);
  const fallback = alternates[defaultLocale ?? ''];
  const links = [...all, ...(fallback === undefined ? [] : [['x-default', fallback] as const])]
    .map(
      ([locale, path]) =>
        `<xhtml:link rel="alternate" hreflang="${escapeXml(locale)}" href="${escapeXml(site + path)}"/>`,
    )
    .join('');
  const urls = all.length > 0 ? all.map(([, path]) => path) : url === null ? [] : [url];
  const modified = updatedAt ? `<lastmod>${isoTime(updatedAt)}</lastmod>` : '';
  return [...new Set(urls)]
    .map((path) => `<url><loc>${escapeXml(site + path)}</loc>${modified}${all.length > 1 ? links : ''}</url>\n`)
    .join('');
}

/** The parts of a sitemap as XML. */
export function sitemapIndexXml(parts: readonly { url: string; updatedAt: Date }[]): string {
  const rows = parts.map(
    ({ url, updatedAt }) => `<sitemap><loc>${escapeXml(url)}</loc><lastmod>${isoTime(updatedAt)}</lastmod></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('')}</sitemapindex>\n`;
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string) => text.replaceAll(/[&<>"']/g, (each) => ESCAPED[each] ?? each);
