import type { Room } from '../shared/deps.ts';
import { FieldIndexer } from './index-fields.ts';
import { KnownCollections } from './known-collections.ts';
import { collectionRoutes, entryRoutes } from './routes.ts';

export { addEntriesTo } from './add-entries.ts';
export { Entry } from './contract.ts';

export const contentRoom: Room = (app, deps) => {
  const known = new KnownCollections();
  const indexer = new FieldIndexer(deps.db, deps.log);
  collectionRoutes(app, deps, known, () => indexer.wake());
  entryRoutes(app, deps, known);
  return [indexer];
};
