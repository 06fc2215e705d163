import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type CollectionRow, isActive, type SchemaView, serializeCollection } from '../collections/collection.ts';
import { listComponents } from '../collections/components/manage-components.ts';
import { getLocales } from '../locales/queries.ts';
import type { ContentSchema } from './contract.ts';
import { collectionDefinition, componentDefinition, type Names } from './definitions.ts';
import { findEveryCollection } from './queries.ts';

export interface StoredSchema extends ContentSchema {
  /** All collections as they are stored, deleted ones included. */
  rows: CollectionRow[];
}

/**
 * The content model of an account as a schema file has it. References name collections and components by key, if they have one.
 * @param view of whoever reads it; undefined: all of it
 */
export async function readContentSchema(tx: Tx, accountId: string, view?: SchemaView): Promise<StoredSchema> {
  const rows = await findEveryCollection(tx, { account_id: accountId });
  const components = await listComponents(tx, accountId);
  const active = rows.filter(isActive);
  const keys = new Map(active.map(({ id, key }) => [publicId('col', id), key]));
  const componentKeys = new Map(components.map(({ id, key }) => [id, key]));
  const names: Names = {
    collection: (id) => keys.get(id) ?? id,
    component: (id) => componentKeys.get(id) ?? id,
  };
  const shown: CollectionRow[] = [];
  for (const row of active) {
    const seen = view ? (await view.read(tx, accountId, row))?.row : row;
    if (seen) shown.push(seen);
  }
  return {
    rows,
    collections: shown.map((row) => collectionDefinition(serializeCollection(row), names)),
    components: components.map((component) => componentDefinition(component, names)),
    locales: await getLocales(tx, accountId),
  };
}
