import type { Room } from '../shared/deps.ts';
import { trashWorker } from './empty-trash.ts';
import { FieldIndexer } from './index-fields.ts';
import { KnownCollections } from './known-collections.ts';
import { collectionRoutes, entryRoutes } from './routes.ts';
import { trashRoutes } from './trash-routes.ts';
import { versionRoutes } from './version-routes.ts';

export { addEntriesTo } from './add-entries.ts';
export { type CheckedValues, checkChangedValues, checkNewValues, type Values } from './check-values.ts';
export { type Collection, collectionOf, type Field, isActive, type NestedField } from './collection.ts';
export { CollectionPath, Entry } from './contract.ts';
export { answerValues } from './entry-answer.ts';
export { type BatchRow, findByKeys, findEntries, lockEntries, shareCollection } from './entry-batch-queries.ts';
export { countEntries, findCollection } from './queries.ts';
export { type ReadEntry, readEntries } from './read-entries.ts';
export { readListing } from './read-listing.ts';
export { sortKey } from './sort-key.ts';
export { type BatchChange, type BatchWriting, changeBatch, createBatch } from './write-batch.ts';

export const contentRoom: Room = (app, deps) => {
  const known = new KnownCollections();
  const indexer = new FieldIndexer(deps.db, deps.log);
  const trash = trashWorker(deps);
  collectionRoutes(
    app,
    deps,
    known,
    () => indexer.wake(),
    () => trash.now(),
  );
  entryRoutes(app, deps, known);
  versionRoutes(app, deps, known);
  trashRoutes(app, deps, known);
  return [indexer, trash];
};
