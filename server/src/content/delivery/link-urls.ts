import { type AnyUuid, parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import type { Presentation } from '../entries/serialize-entry.ts';
import { canonicalLocale } from '../locales/check-locales.ts';
import type { Expansion } from '../references/expand-entries.ts';
import { findPreviewTargets, findPublicTargets, type TargetRow } from '../references/queries.ts';
import { asPublished, type UrlDeps, urlsOf } from '../urls/entry-urls.ts';
import { isPublic } from './public-view.ts';

/** Which entries can be read: what is published, or drafts in a preview. */
type State = Expansion['state'];

const targetsOf = (state: State) => (state === 'draft' ? findPreviewTargets : findPublicTargets);

/**
 * @param sent the locale of the request, also for collections that are not localized but link to some that are
 */
export function linkUrlsBy(
  cache: SchemaView,
  accountId: string,
  state: State,
  sent: string | undefined,
): Required<Presentation>['linkUrls'] {
  const requested = sent === undefined ? undefined : canonicalLocale(sent);
  return async (tx: Tx, ids, shown) => {
    const locale = requested ?? shown;
    const uuids = ids.flatMap((id) => parseId('ent', id) ?? []);
    const found = await targetsOf(state)(tx, { account_id: accountId, ids: uuids, expanded: uuids });
    const named = [...new Set(found.map(({ collection_id }) => publicId('col', collection_id)))];
    const collections = await cache.loadCurrent(tx, accountId, named, false);
    const deps = { tx, cache, accountId };
    const members = await urlsByEntry(deps, state, collections.filter(isPublic), found, locale);
    return new Map([...members].map(([id, { url }]) => [id, url]));
  };
}

/** The URLs of expanded entries whose collections have a pattern, as members of each, by public ID. */
export const urlMembersOfExpanded =
  (state: State): Required<Expansion>['membersOf'] =>
  (deps, collections, rows, locale) =>
    urlsByEntry(
      deps,
      state,
      [...collections].filter(({ row }) => row.settings?.urlPattern !== undefined),
      rows,
      locale,
    );

async function urlsByEntry(
  deps: UrlDeps,
  state: State,
  collections: readonly Collection[],
  found: readonly TargetRow[],
  locale: string | undefined,
) {
  const urls = new Map<string, { url: string | null; alternates?: Record<string, string> }>();
  const targets = { ...deps, findTargets: targetsOf(state) };
  for (const collection of collections) {
    const rows = found
      .filter(({ collection_id }) => collection_id === collection.id)
      .map(({ id, values, version, published_locales }) => ({
        ...{ id: id as AnyUuid, values: readJson(values ?? '{}'), version },
        published_locales,
      }))
      .map((row) => (state === 'draft' ? asPublished(collection, row) : row));
    const inLocale = collection.locales?.locales.some((each) => each.locale === locale) ? locale : undefined;
    for (const [i, { url, alternates }] of (await urlsOf(targets, collection, rows, inLocale)).entries()) {
      urls.set(publicId('ent', rows[i]?.id ?? ''), { url, ...(collection.locales && { alternates }) });
    }
  }
  return urls;
}
