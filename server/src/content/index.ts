import type { Room } from '../shared/deps.ts';
import { trashWorker } from './empty-trash.ts';
import { FieldIndexer } from './index-fields.ts';
import { KnownCollections } from './known-collections.ts';
import { collectionRoutes, entryRoutes } from './routes.ts';
import { trashRoutes } from './trash-routes.ts';
import { versionRoutes } from './version-routes.ts';

export { addEntriesTo } from './add-entries.ts';
export { Entry } from './contract.ts';

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
