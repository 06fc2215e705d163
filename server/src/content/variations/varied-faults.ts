import type { Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { type Field, isActive } from '../collections/collection.ts';

const findVariedFields = statement('content.find_varied_fields', {
  account_id: 'uuid',
  collection_id: 'uuid',
}).returns<{ experiment_id: string; field_id: string }>(
  `select distinct experiment_id, field_id
   from varied_entries, jsonb_array_elements(values) of_variant, jsonb_object_keys(of_variant) field_id
   where account_id = :account_id and collection_id = :collection_id order by 1, 2`,
);

/** Why a collection or its fields cannot be deleted: an experiment shows variants of them. */
export async function findVariedFaults(
  tx: Tx,
  account_id: string,
  { id, fields }: { id: string; fields: readonly Field[] },
  isDeleted: boolean,
): Promise<Fault[]> {
  const deleted = new Map(fields.filter((field) => !isActive(field)).map((field) => [field.id, field]));
  if (!isDeleted && deleted.size === 0) return [];
  const varied = await findVariedFields(tx, { account_id, collection_id: id });
  const stop = 'Stop the experiment, or end its holdout, first.';
  if (isDeleted && varied[0]) {
    const experiment = publicId('exp', varied[0].experiment_id);
    const detail = `The collection cannot be deleted, because the experiment ${experiment} shows variants of its entries. ${stop}`;
    return [{ pointer: '', code: 'collection_in_experiment', detail }];
  }
  return varied.flatMap(({ experiment_id, field_id }): Fault[] => {
    const field = deleted.get(field_id);
    if (!field) return [];
    const detail = `The field "${field.label}" cannot be deleted, because the experiment ${publicId('exp', experiment_id)} shows variants of it. ${stop}`;
    return [{ pointer: '', code: 'field_in_experiment', detail }];
  });
}
