import type { Deps, Module } from '../shared/deps.ts';
import type { Pressure } from '../shared/pressure.ts';
import { backfillWorker } from './collections/backfill-fields.ts';
import { CollectionCache } from './collections/collection-cache.ts';
import { collectionRoutes } from './collections/routes.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { editorialRoutes } from './editorial/routes.ts';
import { BusyEntries } from './entries/busy-entries.ts';
import { bitmapWorker } from './entries/restore-bitmaps.ts';
import { entryRoutes } from './entries/routes.ts';
import { trashWorker } from './history/empty-trash.ts';
import { historyRoutes } from './history/routes.ts';
import { localeRoutes } from './locales/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { referenceRoutes } from './references/routes.ts';
import { releaseWorker } from './releases/release-worker.ts';
import { releaseRoutes } from './releases/routes.ts';

export { type Collection, collectionOf, type Field, isActive, type NestedField } from './collections/collection.ts';
export { STALE } from './collections/collection-cache.ts';
export { countEntries, findCollection, shareLockCollection } from './collections/queries.ts';
export { deriveSlugs, findReferenceFaults } from './entries/accept-values.ts';
export {
  type CheckedValues,
  checkChangedValues,
  checkNewValues,
  type Values,
} from './entries/check-values.ts';
export { CollectionPath, Entry } from './entries/contract.ts';
export { sortKeysOf } from './entries/index-entry.ts';
export { findEntries, findEntriesByKey, lockEntries, type WritableEntryRow } from './entries/queries.ts';
export { seedEntries } from './entries/seed-entries.ts';
export { serializeValues } from './entries/serialize-entry.ts';
export { findTaken, keysOfEntry } from './entries/unique-keys.ts';
export type { WriteContext } from './entries/write-context.ts';
export { type EntryUpdate, insertEntries, updateEntries, type WrittenEntry } from './entries/write-entries.ts';
export { type CsvFormats, ValueFault } from './field-types/field-type.ts';
export { FIELD_TYPES, type FieldType, typeOf } from './field-types/index.ts';
export { CONTENT_LIMITS } from './limits.ts';
export { parseListing } from './listing/parse-listing.ts';
export { type ReadEntry, readEntries } from './listing/read-entries.ts';
export { publishedOf } from './publishing/published-of.ts';
export { findDeleteFaults } from './references/reference-uses.ts';
export { Release } from './releases/contract.ts';

export function contentModule(deps: Deps, pressure: Pressure): Module {
  const cache = new CollectionCache();
  const backfill = backfillWorker(deps);
  const trash = trashWorker(deps);
  const releases = releaseWorker(deps, cache);
  const busyEntries = new BusyEntries();
  return {
    routes(app) {
      collectionRoutes(app, deps, cache, backfill.wake, trash.wake);
      entryRoutes(app, deps, cache, pressure, busyEntries);
      historyRoutes(app, deps, cache);
      publishingRoutes(app, deps, cache);
      releaseRoutes(app, deps, cache, releases.wake);
      previewRoutes(app, deps, cache);
      editorialRoutes(app, deps, cache);
      referenceRoutes(app, deps, cache);
      localeRoutes(app, deps, backfill.wake);
      deliveryRoutes(app, deps, cache);
    },
    workers: [backfill, trash, releases, bitmapWorker(deps, cache, busyEntries)],
  };
}
