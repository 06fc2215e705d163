/**
 * Collections, entries, their versions and what is published of them. Its tables: account_locales, changed_entries,
 * collections, components, deleted_publications, entries, entry_changes, entry_comments, entry_drafts, entry_index,
 * entry_keys, entry_presence, entry_reviews, entry_texts, entry_versions, entry_views, field_backfills,
 * former_publications, old_slugs, publication_changes, publication_feeds, publish_hooks, published_changes,
 * published_entries, published_texts, reference_fields, release_items, releases, varied_entries.
 */
import type { FastifyRequest } from 'fastify';
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import type { Fault } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Pressure } from '../shared/pressure.ts';
import { MOST_OVERDUE, overdueRows } from '../shared/queue.ts';
import type { ResolvePermissions } from '../users/index.ts';
import { changesWorker } from './changes/expire-changes.ts';
import { announceCollection } from './changes/queries.ts';
import { ChangeStreams } from './changes/streams.ts';
import { backfillWorker } from './collections/backfill-fields.ts';
import { CollectionCache } from './collections/collection-cache.ts';
import { collectionByKey, idsByKey } from './collections/collection-keys.ts';
import { componentRoutes } from './collections/components/routes.ts';
import { collectionRoutes } from './collections/routes.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { draftRoutes } from './drafts/routes.ts';
import { editorialRoutes } from './editorial/routes.ts';
import { BusyEntries } from './entries/busy-entries.ts';
import { bitmapWorker } from './entries/restore-bitmaps.ts';
import { entryRoutes } from './entries/routes.ts';
import { writeContext } from './entries/write-context.ts';
import { trashWorker } from './history/empty-trash.ts';
import { historyRoutes } from './history/routes.ts';
import { localeRoutes } from './locales/routes.ts';
import { changeHandler, MANY_JOBS, undoHandler } from './many/many-job.ts';
import { manyRoutes } from './many/routes.ts';
import { orderingRoutes } from './ordering/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import type { Clearance } from './publish-hooks/clearance.ts';
import { PublishHooks } from './publish-hooks/publish-hooks.ts';
import { publishHookRoutes } from './publish-hooks/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { queryRoutes } from './query/routes.ts';
import { referenceRoutes } from './references/routes.ts';
import { findOverdueReleases } from './releases/queries.ts';
import { ReleaseWorker } from './releases/release-worker.ts';
import { releaseRoutes } from './releases/routes.ts';
import { readableOfAny } from './roles/permitted.ts';
import { resolvePermissions } from './roles/resolve-permissions.ts';
import { findEntriesOfPaths } from './urls/resolve-path.ts';
import { findVariationFaults, type VariedEntry } from './variations/check-variations.ts';
import { type Shipped, type ShippedEntry, shipVariation } from './variations/ship-variation.ts';
import type { FindVariants } from './variations/variation.ts';
import { recordShown, type ShownEntry } from './variations/varied-entries.ts';
import { viewRoutes } from './views/routes.ts';
import { writeRoutes } from './writes/routes.ts';

export { type Collection, collectionOf, type Field, isActive, type NestedField } from './collections/collection.ts';
export { uncachedView } from './collections/collection-cache.ts';
export { collectionByKey, collectionIdsOf } from './collections/collection-keys.ts';
export { fieldsOfRow } from './collections/field.ts';
export { countEntries, findCollection, shareLockCollection } from './collections/queries.ts';
export { STALE } from './collections/stale.ts';
export { deriveSlugs, findReferenceFaults } from './entries/accept-values.ts';
export {
  type CheckedValues,
  checkChangedValues,
  checkNewValues,
  type Values,
} from './entries/check-values.ts';
export { CollectionPath, Entry } from './entries/contract.ts';
export { sortKeysOf } from './entries/index-entry.ts';
export { findEntries, findEntriesByKey, indexedKey, lockEntries, type WritableEntryRow } from './entries/queries.ts';
export { seedEntries } from './entries/seed-entries.ts';
export { serializeValues } from './entries/serialize-entry.ts';
export { findTaken, hasUniqueValues, keysOfEntry, uniqueFieldOf } from './entries/unique-keys.ts';
export type { WriteContext } from './entries/write-context.ts';
export { type EntryUpdate, insertEntries, updateEntries, type WrittenEntry } from './entries/write-entries.ts';
export { type CsvFormats, ValueFault } from './field-types/field-type.ts';
export { FIELD_TYPES, type FieldType, typeOf } from './field-types/index.ts';
export { CONTENT_LIMITS } from './limits.ts';
export { type ReadEntry, readEntries } from './listing/read-entries.ts';
export { isSystemField } from './ordering/system-fields.ts';
export { publishedOf } from './publishing/published-of.ts';
export { findListingFaults } from './query/readers.ts';
export { findDeleteFaults } from './references/reference-uses.ts';
export { Release } from './releases/contract.ts';
export { entryAsRead } from './roles/entry-as-read.ts';
export { resolvePermissions } from './roles/resolve-permissions.ts';
export { applyContentSchema } from './schema/apply-schema.ts';
export { type ContentSchema, contentSections } from './schema/contract.ts';
export { countLosses, findLosses } from './schema/find-losses.ts';
export { lockSchema } from './schema/queries.ts';
export { readContentSchema } from './schema/read-schema.ts';

export type { VariedEntry } from './variations/check-variations.ts';
export type { Shipped } from './variations/ship-variation.ts';
export type { ChosenVariants, FindVariants, ServedVariant } from './variations/variation.ts';

type Caller = FastifyRequest['caller'];

/** What experiments do to entries. */
export interface Variations {
  /** The IDs of collections that are named by ID or key. */
  collectionIds(tx: Tx, accountId: string, names: readonly string[]): Promise<Map<string, string>>;
  findFaults(tx: Tx, caller: Caller, entries: readonly VariedEntry[], isServed: boolean): Promise<Fault[]>;
  ship(
    tx: Tx,
    request: FastifyRequest,
    release: { name: string; isPublished: boolean; entries: readonly ShippedEntry[] },
    clearance: Clearance,
  ): Promise<Shipped>;
  /** Runs a transaction that may ship, which hooks have to allow. */
  cleared: PublishHooks['cleared'];
  /** Lets caches purge what the variants of entries in these collections show. */
  announce(tx: Tx, accountId: string, collectionIds: readonly string[]): Promise<void>;
  /** Replaces what an experiment (UUID) shows of entries, whose files are in use meanwhile. */
  recordShown(tx: Tx, caller: Caller, experimentId: string, entries: readonly ShownEntry[]): Promise<void>;
}

interface ContentModule extends Module {
  variations: Variations;
  jobs: JobHandlers;
  /** Call it when the index of new fields was left to the worker. */
  wakeIndexer(): void;
  /** Checks the permissions of a role. */
  resolvePermissions: ResolvePermissions;
  /** The public IDs of the entries of paths, by path. */
  entriesOfPaths(accountId: string, paths: Iterable<string>): Promise<Map<string, string>>;
  /** Of entries that something refers to, those that a caller may read. */
  readableUses<Use extends { entry_id: string; collection_id: string }>(
    caller: Caller,
    uses: readonly Use[],
  ): Promise<Use[]>;
}

function variationsOf(deps: Deps, cache: CollectionCache, hooks: PublishHooks): Variations {
  return {
    collectionIds: idsByKey,
    findFaults: (tx, caller, entries, isServed) => findVariationFaults(tx, cache.of(caller), caller, entries, isServed),
    ship: (tx, request, release, clearance) =>
      shipVariation(tx, writeContext(request, deps, cache.of(request.caller), clearance), release),
    cleared: (run) => hooks.cleared(run),
    recordShown: (tx, caller, experimentId, entries) =>
      recordShown(tx, cache.of(caller), caller.accountId, experimentId, entries, deps.clock()),
    async announce(tx, account_id, collectionIds) {
      for (const id of new Set(collectionIds)) {
        await announceCollection(tx, {
          account_id,
          collection_id: parseId('col', id) ?? '',
          now: new Date(deps.clock()),
        });
      }
    },
  };
}

/** @param findVariants how public content finds the variants of experiments */
export function contentModule(deps: Deps, pressure: Pressure, findVariants: FindVariants): ContentModule {
  const cache = new CollectionCache();
  const backfill = backfillWorker(deps);
  const trash = trashWorker(deps);
  const hooks = new PublishHooks(deps);
  const releases = new ReleaseWorker(deps, cache, hooks);
  const busyEntries = new BusyEntries();
  const streams = new ChangeStreams(deps.db, deps.log);
  return {
    entriesOfPaths: (accountId, paths) => findEntriesOfPaths(deps.db, cache.of({}), accountId, paths),
    async readableUses(caller, uses) {
      const rows = uses.map((use) => ({ ...use, id: use.entry_id }));
      return readableOfAny(deps.db, caller.accountId, cache.of(caller), rows);
    },
    routes(app) {
      app.addHook('preHandler', collectionByKey(deps));
      collectionRoutes(app, deps, cache, backfill.wake, trash.wake);
      componentRoutes(app, deps, backfill.wake);
      orderingRoutes(app, deps, cache);
      entryRoutes(app, deps, cache, pressure, busyEntries);
      queryRoutes(app, deps, cache);
      writeRoutes(app, deps, cache, hooks);
      manyRoutes(app, deps, cache);
      historyRoutes(app, deps, cache);
      publishingRoutes(app, deps, cache, hooks);
      publishHookRoutes(app, deps, hooks);
      releaseRoutes(app, deps, cache, hooks, () => releases.wake());
      previewRoutes(app, deps, cache);
      editorialRoutes(app, deps, cache);
      draftRoutes(app, deps, cache);
      viewRoutes(app, deps, cache);
      referenceRoutes(app, deps, cache);
      localeRoutes(app, deps, backfill.wake);
      deliveryRoutes(app, deps, cache, streams, findVariants);
    },
    workers: [
      backfill,
      trash,
      releases,
      bitmapWorker(deps, cache.everything, busyEntries),
      changesWorker(deps),
      streams,
    ],
    wakeIndexer: backfill.wake,
    variations: variationsOf(deps, cache, hooks),
    resolvePermissions: (caller, permissions, faults) =>
      resolvePermissions(deps.db, cache.of(caller), caller.accountId, permissions, faults),
    jobs: { [MANY_JOBS.change]: changeHandler(deps, cache), [MANY_JOBS.undo]: undoHandler(deps, cache) },
    queues: [
      {
        name: 'releases',
        label: 'Scheduled releases',
        tables: ['releases'],
        findOverdue: async (before) => overdueRows(await findOverdueReleases(deps.db, { before, limit: MOST_OVERDUE })),
      },
    ],
  };
}
