import { type Fault, refuse } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';

import { idsByKey } from './collection-keys.ts';
import { isActive, type NestedField } from './field.ts';

interface Fields {
  id: string;
  fields: readonly (NestedField & { locale?: string })[];
}

/**
 * Records which collections the fields of a collection reference. Deleted fields reference nothing until they are restored.
 * @param before the collections that fields referenced so far, which may be deleted since
 * @throws ApiError 400 `collection_unknown` for collections that do not exist or belong to another account
 */
export async function updateReferenceFields(
  tx: Tx,
  account_id: string,
  { id: collection_id, fields }: Fields,
  before: Fields['fields'],
): Promise<void> {
  const all = [...withPointers(fields)];
  const known = new Set([...withPointers(before)].flatMap(({ field }) => field.collectionIds ?? []));
  if (all.every(({ field }) => !field.collectionIds) && known.size === 0) return;
  const own = fields.filter((field) => field.locale === undefined);
  // A new collection, which can reference itself, is stored later.
  await refuseUnknownCollections(tx, account_id, own, new Set([publicId('col', collection_id), ...known]));
  const references = all
    .filter(({ isUsed }) => isUsed)
    .flatMap(({ field: { key, publishedKey = [], collectionIds = [], onDelete } }) =>
      collectionIds.flatMap((each) =>
        [key, publishedKey].flat().map((field_key) => ({
          target_id: parseId('col', each) ?? '',
          field_key,
          refuses_delete: onDelete === 'refuse',
        })),
      ),
    );
  await deleteReferenceFields(tx, { account_id, collection_id });
  await insertReferenceFields(tx, { account_id, collection_id, references });
}

/** @param known collections that need not exist @throws ApiError 400 `collection_unknown` */
export async function refuseUnknownCollections(
  tx: Tx,
  account_id: string,
  fields: Fields['fields'],
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  const sent = [...withPointers(fields)].flatMap(({ field, pointer }) =>
    (field.collectionIds ?? []).flatMap((each, i) =>
      known.has(each) ? [] : { id: parseId('col', each), pointer: `${pointer}/collectionIds/${i}` },
    ),
  );
  const ids = [...new Set(sent.flatMap((each) => each.id ?? []))];
  const found = ids.length === 0 ? [] : await findActiveCollections(tx, { account_id, ids });
  const existing = new Set(found.map(({ id }) => id));
  const unknown = sent.filter(({ id }) => id === undefined || !existing.has(id));
  const detail = 'There is no collection with this ID.';
  refuse(unknown.map(({ pointer }): Fault => ({ pointer, code: 'collection_unknown', detail })));
}

/**
 * Replaces keys of collections by their IDs, which stay when a key changes. What is neither stays, and is refused later.
 * @param own the key and the ID of the collection itself, which may not be stored yet
 */
export async function replaceCollectionKeys(
  tx: Tx,
  accountId: string,
  fields: Fields['fields'],
  own?: readonly [key: string, id: string],
): Promise<void> {
  const all = [...withPointers(fields)].map(({ field }) => field);
  const names = all.flatMap(({ collectionIds = [] }) => collectionIds);
  const ids = new Map([...(await idsByKey(tx, accountId, names)), ...(own ? [own] : [])]);
  for (const field of all) {
    if (!field.collectionIds?.some((name) => ids.has(name))) continue;
    field.collectionIds = [...new Set(field.collectionIds.map((name) => ids.get(name) ?? name))];
  }
}

function* withPointers(fields: Fields['fields'], at = '', isUsed = true): Generator<FieldAt> {
  for (const [i, field] of fields.entries()) {
    const pointer = `${at}/fields/${i}`;
    yield { field, pointer, isUsed: isUsed && isActive(field) };
    yield* withPointers(field.fields ?? [], pointer, isUsed && isActive(field));
    for (const [j, block] of (field.blocks ?? []).entries()) {
      yield* withPointers(block.fields, `${pointer}/blocks/${j}`, isUsed && isActive(field) && isActive(block));
    }
  }
}

interface FieldAt {
  field: NestedField;
  pointer: string;
  isUsed: boolean;
}

const ofCollection = { account_id: 'uuid', collection_id: 'uuid' } as const;

const findActiveCollections = statement('content.find_active_collections', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<{ id: string }>(
  `select id from collections where account_id = :account_id and id = any(:ids) and status = 'active'`,
);

const deleteReferenceFields = statement('content.delete_reference_fields', ofCollection).runs(
  'delete from reference_fields where account_id = :account_id and collection_id = :collection_id',
);

const REFERENCES = rows({ target_id: 'uuid', field_key: 'bigint', refuses_delete: 'boolean' });

const insertReferenceFields = statement('content.insert_reference_fields', {
  ...ofCollection,
  references: REFERENCES,
}).runs(
  `insert into reference_fields (account_id, collection_id, ${REFERENCES.list})
   select :account_id, :collection_id, ${REFERENCES.list} from :references as w`,
);
