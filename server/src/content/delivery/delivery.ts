import { notFound } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import type { Reading } from '../entries/entry-reader.ts';
import type { RichTextFormat } from '../entries/present-rich-text.ts';
import { type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { isSlug } from '../field-types/formats/slug.ts';
import { listPage } from '../listing/list-entries.ts';
import { writerOfFrames } from '../listing/write-entry.ts';
import { requestedLocale, singleLocaleView } from '../locales/locale-view.ts';
import { findReturnedPublished } from '../publishing/queries.ts';
import { type Expansion, expandEntries } from '../references/expand-entries.ts';
import { parseExpand } from '../references/expand-tree.ts';
import { findPublicTargets } from '../references/queries.ts';
import { DeliveryStates } from './delivery-states.ts';
import { expandedJson, presentationOf, publicEntryFrame } from './public-entry.ts';
import { isPublic, publicView } from './public-view.ts';
import { findPublishedBySlug } from './queries.ts';
import { withVisibleReferences } from './reference-filters.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

/** How an entry is returned. */
export interface PublicReading extends Reading {
  richtext?: RichTextFormat | undefined;
}

interface DeliveryDeps {
  db: Database;
  cache: CollectionCache;
  tokens: PageTokens;
  publicUrl: () => string;
  /** Widths of image variants. */
  sizes: readonly number[];
}

/** Resolves references to published entries of public collections, and leaves out all others. */
const expansionOf = (presentation: Presentation): Expansion => ({
  find: findPublicTargets,
  viewOf: (stored) => (isPublic(stored) ? publicView(stored) : undefined),
  inLocale: singleLocaleView,
  json: (collection, row) => expandedJson(collection.publicId, publicEntryFrame(collection, row).join('null')),
  presentation,
  omitsUnknown: true,
});

/**
 * Responses of published entries for everyone. Before a response is sent, one statement reads whether anything was published or
 * changed since it was made; requests that arrive at the same time share that statement.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;
  readonly #responses = new ResponseCache();
  readonly #states: DeliveryStates;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#states = new DeliveryStates(deps.db, deps.cache);
  }

  /** A page of published entries. @param name what distinguishes the request @throws ApiError 404, 400 */
  async list(
    accountId: string,
    collectionId: string,
    query: EntriesQuery,
    richText: RichTextFormat | undefined,
    name: string,
  ): Promise<CachedResponse> {
    const { db, cache, tokens, publicUrl, sizes } = this.#deps;
    const presentation = presentationOf(sizes, richText);
    return this.#respond(accountId, collectionId, `list ${name}`, query.expand, () =>
      listPage(db, cache, tokens, accountId, collectionId, query, {
        scope: 'content',
        viewOf: publicView,
        inLocale: singleLocaleView,
        state: 'published',
        publicUrl: publicUrl(),
        presentation,
        writerOf: (collection) => writerOfFrames((row) => publicEntryFrame(collection, row)),
        expansion: expansionOf(presentation),
        restrict: (collection) => withVisibleReferences(db, accountId, collection, query, findPublicTargets),
      }),
    );
  }

  /** A published entry. @throws ApiError 404 */
  async get(
    accountId: string,
    path: EntryPath,
    { expand, locale: sent, richtext }: PublicReading,
  ): Promise<CachedResponse> {
    const { db, cache, publicUrl, sizes } = this.#deps;
    const presentation = presentationOf(sizes, richtext);
    const name = `entry ${path.entryId} ${richtext ?? ''} ${expand ?? ''} ${sent ?? ''}`;
    return this.#respond(accountId, path.collectionId, name, expand, () =>
      cache.use(db, accountId, path.collectionId, async (stored) => {
        const locale = await requestedLocale(db, accountId, stored, sent);
        const collection = singleLocaleView(publicView(stored), locale);
        const { row, redirectTo } = await this.#find(accountId, collection, path.entryId);
        if (!row) throw notFound('entry');
        if (row.collection_version !== collection.version) return STALE;
        const parsed = [JSON.parse(row.values)];
        const all = await serializeValues(db, accountId, collection, parsed, publicUrl(), presentation);
        if (collection.hasReferences || expand) {
          const deps = { tx: db, cache, accountId, publicUrl: publicUrl(), locale };
          const done = await expandEntries(deps, expansionOf(presentation), collection, all, parseExpand(expand));
          if (done === STALE) return STALE;
        }
        const [values = {}] = all;
        return Buffer.from(publicEntryFrame(collection, row, redirectTo(values)).join(JSON.stringify(values)));
      }),
    );
  }

  /** @param name the ID of an entry or a slug */
  async #find(accountId: string, collection: Collection, name: string) {
    const key = { account_id: accountId, collection_id: collection.id };
    const id = parseId('ent', name);
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

  async #respond(
    accountId: string,
    collectionId: string,
    request: string,
    expand: string | undefined,
    make: () => Promise<Buffer>,
  ): Promise<CachedResponse> {
    const id = parseId('col', collectionId);
    if (id === undefined) throw notFound('collection');
    const name = `${accountId} ${collectionId} ${request}`;
    const known = this.#responses.find(name);
    if (known && (await this.#states.stateOf(accountId, known.dependsOn.ids)) === known.dependsOn.state) return known;
    const dependsOn = await this.#states.dependenciesOf(accountId, id, collectionId, parseExpand(expand));
    if (!dependsOn) throw notFound('collection');
    return this.#responses.get(name, dependsOn, make);
  }
}
