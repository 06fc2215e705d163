import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { stateView } from '../collections/collection.ts';
import { narrowValues } from './collection-access.ts';
import { permittedIds } from './permitted.ts';

interface WholeEntry {
  id: string;
  collectionId: string;
  values?: Record<string, unknown>;
}

/** A whole entry as the reader of a schema may read it; undefined if it may not. */
export async function entryAsRead<Entry extends WholeEntry>(
  tx: Tx,
  schema: SchemaView,
  accountId: string,
  entry: Entry,
  state: 'draft' | 'published',
): Promise<Entry | undefined> {
  const [collection] = await schema.loadCurrent(tx, accountId, [entry.collectionId], false);
  const id = parseId('ent', entry.id);
  if (!collection || id === undefined) return undefined;
  const permitted = await permittedIds(tx, accountId, stateView(state)(collection), 'read', [id]);
  return permitted.has(id) ? narrowValues(collection, entry) : undefined;
}
