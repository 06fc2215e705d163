import { type Fault, refuse } from '../shared/errors.ts';
import { newUuid, uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { collectionAnswer } from './collection.ts';
import { checkSize, newFieldId, numberFields, resolveReferences } from './collection-rules.ts';
import type { Collection, NewCollection } from './contract.ts';
import { mergeFields } from './merge-fields.ts';
import { insertCollection } from './queries.ts';

/** Makes a collection. @throws ApiError 400 with every fault of its fields and of what names them */
export async function createCollection(
  tx: Tx,
  accountId: string,
  sent: NewCollection,
  now: number,
): Promise<Collection> {
  const faults: Fault[] = [];
  const fields = mergeFields([], sent.fields ?? [], newFieldId, faults);
  const references = resolveReferences(fields, sent, { displayFieldId: null, defaultSort: null }, faults);
  checkSize(fields, faults);
  refuse(faults);
  await numberFields(tx, fields);
  const id = newUuid(now);
  const [row] = await insertCollection(
    tx,
    accountId,
    id,
    sent.name,
    sent.description ?? null,
    JSON.stringify(fields),
    references.displayFieldId,
    references.defaultSort && JSON.stringify(references.defaultSort),
    new Date(uuidTime(id)),
  );
  if (!row) throw new Error('the collection was not inserted');
  return collectionAnswer(row);
}
