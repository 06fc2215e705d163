import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { CollectionKeys } from '../collections/collection-keys.ts';
import { STALE } from '../collections/stale.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import type { Reading } from '../entries/entry-reader.ts';
import type { RichTextFormat } from '../entries/present-rich-text.ts';
import { type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { findOnlyPublished, isSingleton } from '../entries/singleton.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { isSlug } from '../field-types/formats/slug.ts';
import { listPage, type PageOptions } from '../listing/list-entries.ts';
import { writerOfFrames } from '../listing/write-entry.ts';
import { requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import { isShown } from '../locales/shown-in.ts';
import { valuesText } from '../ordering/lift-order.ts';
import { findReturnedPublished } from '../publishing/queries.ts';
import { aggregateEntries } from '../query/aggregate.ts';
import type { AggregateBody, Aggregates, PublicQueryBody } from '../query/contract.ts';
import { withNamedPaths } from '../query/named-paths.ts';
import { type Expansion, expandEntries } from '../references/expand-entries.ts';
import { type ExpandTree, parseExpand } from '../references/expand-tree.ts';
import { findPublicTargets } from '../references/queries.ts';
import { readable } from '../roles/permitted.ts';
import { type UrlDeps, urlMembersOf, urlRowOf } from '../urls/entry-urls.ts';
import { type ChosenVariants, type FindVariants, Variation } from '../variations/variation.ts';
import { cacheTagsOf, collectionsIn } from './cache-tags.ts';
import { DeliveryStates } from './delivery-states.ts';
import { linkUrlsBy, urlMembersOfExpanded } from './link-urls.ts';
import { expandedJson, presentationOf, publicEntryFrame } from './public-entry.ts';
import { isPublic, publicView } from './public-view.ts';
import { findPublishedBySlug } from './queries.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

/** Stands for the ID of the entry of a singleton. */
export const SINGLETON = 'entry';

/** How an entry is returned. */
export interface PublicReading extends Reading, ChosenVariants {
  richtext?: RichTextFormat | undefined;
}

interface DeliveryDeps {
  db: Database;
  cache: SchemaView;
  tokens: PageTokens;
  publicUrl: () => string;
  findVariants: FindVariants;
}

/** Resolves references to published entries of public collections, and leaves out all others. */
const expansionOf = (presentation: Presentation, variation?: Variation): Expansion => ({
  find: variation ? varied(variation) : findPublicTargets,
  viewOf: (stored) => (isPublic(stored) ? publicView(stored) : undefined),
  inLocale: singleLocaleView,
  json: (collection, row) =>
    expandedJson(
      collection.publicId,
      publicEntryFrame(collection, row, undefined, variation?.membersOf(publicId('ent', row.id))).join('null'),
    ),
  membersOf: urlMembersOfExpanded('published'),
  presentation,
  state: 'published',
  omitsUnknown: true,
});

/** Referenced entries as a variant shows them. */
const varied =
  (variation: Variation): Expansion['find'] =>
  async (tx, parameters) => {
    const rows = await findPublicTargets(tx, parameters);
    return rows.map((row) => {
      const id = publicId('ent', row.id);
      if (row.values === null || variation.membersOf(id) === '') return row;
      return { ...row, values: JSON.stringify(variation.apply(id, readJson(row.values))) };
    });
  };

const targetView = (stored: Collection) => (isPublic(stored) ? publicView(stored) : undefined);

const publicPage = (
  deps: UrlDeps,
  publicUrl: string,
  presentation: Presentation,
  variation?: Variation,
): PageOptions => ({
  scope: 'content',
  viewOf: publicView,
  inLocale: singleLocaleView,
  state: 'published',
  publicUrl,
  presentation,
  writerOf: (collection, members) =>
    writerOfFrames((row) => publicEntryFrame(collection, row, undefined, members?.get(publicId('ent', row.id)))),
  membersOf: async (stored, rows, locale) => {
    const urls = await urlMembersOf(deps, stored, () => rows.map(urlRowOf), locale);
    if (!variation) return urls;
    const ids = rows.map((row) => publicId('ent', row.id));
    return new Map(ids.map((id) => [id, (urls.get(id) ?? '') + variation.membersOf(id)]));
  },
  ...(variation && { vary: (id: string, values: Values) => variation.apply(id, values) }),
  expansion: expansionOf(presentation, variation),
  targetView,
  findTargets: findPublicTargets,
  isPublic: true,
});

/**
 * Responses of published entries for everyone. Before a response is sent, one statement reads whether anything was published or
 * changed since it was made; requests that arrive at the same time share that statement.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #keys = new CollectionKeys();
  readonly #responses = new ResponseCache();
  readonly #states: DeliveryStates;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#states = new DeliveryStates(deps.db, deps.cache);
  }

  /** @param collectionId or key */
  idOf(accountId: string, collectionId: string): Promise<string> {
    return this.#keys.idOf(this.#deps.db, accountId, collectionId);
  }

  /** A page of published entries. @param name what distinguishes the request @throws ApiError 404, 400 */
  async list(
    accountId: string,
    collectionId: string,
    query: EntriesQuery,
    richText: RichTextFormat | undefined,
    name: string,
    chosen: ChosenVariants,
  ): Promise<CachedResponse> {
    const { db, cache, tokens, publicUrl } = this.#deps;
    const presentation = presentationOf(richText, this.#linkUrls(accountId, query.locale));
    const tree = withNamedPaths(parseExpand(query.expand), query);
    const variation = await this.#variationOf(accountId, chosen);
    const make = (id: string) =>
      listPage(
        db,
        cache,
        tokens,
        accountId,
        id,
        query,
        publicPage({ tx: db, cache, accountId }, publicUrl(), presentation, variation),
      );
    return this.#respond(accountId, collectionId, `list ${name}`, tree, make, variation);
  }

  #linkUrls(accountId: string, locale: string | undefined) {
    return linkUrlsBy(this.#deps.cache, accountId, 'published', locale);
  }

  /** Undefined, without a query, for a request that names no variant. */
  async #variationOf(accountId: string, chosen: ChosenVariants): Promise<Variation | undefined> {
    if (chosen.variant === undefined && chosen.visitorId === undefined) return undefined;
    const { db, cache, findVariants } = this.#deps;
    const served = await findVariants(accountId, chosen);
    return served.length === 0 ? undefined : Variation.of(db, cache, accountId, served);
  }

  /** A page of published entries by a query in the body of a request. @throws ApiError 404, 400 */
  async query(
    accountId: string,
    collectionId: string,
    { expand, join, richtext, variant, visitorId, pageToken, ...sent }: PublicQueryBody,
  ): Promise<Buffer> {
    const { db, cache, tokens, publicUrl } = this.#deps;
    const page = pageToken == null ? sent : { ...sent, pageToken };
    const query: EntriesQuery = { ...page, ...(typeof expand === 'string' && { expand }) };
    const extras = { expand: typeof expand === 'object' ? expand : undefined, join };
    const variation = await this.#variationOf(accountId, { variant, visitorId });
    const options = {
      ...publicPage(
        { tx: db, cache, accountId },
        publicUrl(),
        presentationOf(richtext, this.#linkUrls(accountId, query.locale)),
        variation,
      ),
      extras,
    };
    return listPage(db, cache, tokens, accountId, await this.idOf(accountId, collectionId), query, options);
  }

  /** Groups and measures of published entries. @throws ApiError 404, 400 */
  async aggregate(accountId: string, collectionId: string, body: AggregateBody): Promise<Aggregates> {
    const { db, cache, tokens } = this.#deps;
    const id = await this.idOf(accountId, collectionId);
    return aggregateEntries(db, cache, tokens, accountId, id, body, {
      viewOf: publicView,
      targetView,
      inLocale: singleLocaleView,
      state: 'published',
      isPublic: true,
      findVisible: findPublicTargets,
    });
  }

  /** A published entry. @throws ApiError 404 */
  async get(
    accountId: string,
    path: EntryPath,
    { expand, locale: sent, richtext, ...chosen }: PublicReading,
  ): Promise<CachedResponse> {
    const { db, cache, publicUrl } = this.#deps;
    const presentation = presentationOf(richtext, this.#linkUrls(accountId, sent));
    const name = `entry ${path.entryId} ${richtext ?? ''} ${expand ?? ''} ${sent ?? ''}`;
    const variation = await this.#variationOf(accountId, chosen);
    const make = (id: string) =>
      cache.use(db, accountId, id, async (stored) => {
        const locale = await requestedLocale(db, accountId, stored, sent);
        const collection = singleLocaleView(publicView(stored), locale);
        const { row: found, redirectTo } = await this.#find(accountId, collection, path.entryId);
        const [row] = found ? await readable(db, accountId, collection, [found]) : [];
        if (!row) throw notFound('entry');
        if (row.collection_version !== collection.version) return STALE;
        if (!isShown(collection.shownIn, row.published_locales)) throw notFound('entry');
        const entryId = publicId('ent', row.id);
        const published: Values = readJson(row.values);
        const parsed = [variation?.apply(entryId, published) ?? published];
        const all = await serializeValues(db, accountId, collection, parsed, publicUrl(), presentation);
        if (collection.hasReferences || expand) {
          const deps = { tx: db, cache, accountId, publicUrl: publicUrl(), locale };
          const done = await expandEntries(
            deps,
            expansionOf(presentation, variation),
            collection,
            all,
            parseExpand(expand),
          );
          if (done === STALE) return STALE;
        }
        const [values = {}] = all;
        const urls = await urlMembersOf(
          { tx: db, cache, accountId },
          stored,
          () => [{ ...row, values: published }],
          locale,
        );
        const members = (urls.get(entryId) ?? '') + (variation?.membersOf(entryId) ?? '');
        const frame = publicEntryFrame(collection, row, redirectTo(values), members);
        return Buffer.from(frame.join(valuesText(collection, values)));
      });
    return this.#respond(accountId, path.collectionId, name, parseExpand(expand), make, variation);
  }

  /** @param name the ID of an entry or a slug */
  async #find(accountId: string, collection: Collection, name: string) {
    const key = { account_id: accountId, collection_id: collection.id };
    const only = name === SINGLETON && isSingleton(collection) ? await findOnlyPublished(this.#deps.db, key) : [];
    const id = only[0]?.id ?? parseId('ent', name);
    const slugField = collection.fields.find((field) => field.format === 'slug' && isActive(field));
    if (id !== undefined || !slugField || !isSlug(name)) {
      const [row] = id === undefined ? [] : await findReturnedPublished(this.#deps.db, { ...key, id });
      return { row, redirectTo: () => undefined };
    }
    // In a locale, also by the slugs that are its fallbacks.
    for (const { key: field_key } of slugField.sources ?? [slugField]) {
      const [row] = await findPublishedBySlug(this.#deps.db, { ...key, field_key, slug: name });
      if (!row) continue;
      const redirectTo = (values: Values) => {
        const slug = values[slugField.id] as string | undefined;
        return slug === name ? undefined : slug;
      };
      return { row, redirectTo };
    }
    return { row: undefined, redirectTo: () => undefined };
  }

  /**
   * The tags of a response that is not kept here.
   * @param named the public collections that it is about, by ID or key @param query of the first one, in the body of a request
   */
  async tagsOf(
    accountId: string,
    named: readonly string[],
    body: Buffer,
    query: { where?: unknown; sort?: string; expand?: unknown } = {},
  ): Promise<string> {
    const { expand } = query;
    const tree = withNamedPaths(typeof expand === 'string' ? parseExpand(expand) : undefined, query);
    const found = named.map(async (name, i) => {
      const publicId = await this.idOf(accountId, name);
      const id = parseId('col', publicId);
      return id && this.#states.dependenciesOf(accountId, id, publicId, i === 0 ? tree : undefined);
    });
    const all = (await Promise.all(found)).flatMap((each) => each || []);
    const ids = all.flatMap((each) => each.ids);
    // Expanded entries name their collections.
    return cacheTagsOf({ ids, state: all.map(({ state }) => state).join(' '), tags: collectionsIn(body) }, body).join();
  }

  async #respond(
    accountId: string,
    collectionId: string,
    request: string,
    tree: ExpandTree | undefined,
    make: (collectionId: string) => Promise<Buffer>,
    variation?: Variation,
  ): Promise<CachedResponse> {
    const name = `${accountId} ${collectionId} ${request}${variation ? ` ${variation.name}` : ''}`;
    const known = this.#responses.find(name);
    if (known && (await this.#states.stateOf(accountId, known.dependsOn.ids)) === known.dependsOn.state) return known;
    // A change of the key also changes the state.
    const publicId = await this.idOf(accountId, collectionId);
    const id = parseId('col', publicId);
    if (id === undefined) throw notFound('public collection');
    const dependsOn = await this.#states.dependenciesOf(accountId, id, publicId, tree);
    if (!dependsOn) throw notFound('public collection');
    return this.#responses.get(name, { ...dependsOn, tags: variation?.tags }, () => make(publicId));
  }
}
