import type { Fault } from '../../shared/errors.ts';
import { FIRST_ID, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';

// Usages are read from `entry_index`, whose rows of a reference field have the ID of the entry as key. The
// table `reference_fields` lists these fields.

const targets = { account_id: 'uuid', ids: 'uuid[]' } as const;

/**
 * Keeps entries from being deleted until the transaction ends, if that is refused while they are referenced. A lock that
 * several writers share, so that entries that reference each other can be written at the same time.
 */
export async function blockDeletions(tx: Tx, account_id: string, ids: readonly string[]): Promise<void> {
  await lockTargetsShared(tx, { account_id, ids: [...new Set(ids)] });
}

const LOCK_KEY = 'hashtextextended(:account_id::text || id::text, 17)';

const lockTargetsShared = statement('content.lock_reference_targets_shared', targets).runs(
  `select pg_advisory_xact_lock_shared(${LOCK_KEY}) from unnest(:ids::uuid[]) as id order by id`,
);

const lockTargets = statement('content.lock_reference_targets', targets).runs(
  `select pg_advisory_xact_lock(${LOCK_KEY}) from unnest(:ids::uuid[]) as id order by id`,
);

/**
 * Why entries (UUIDs) cannot be deleted: a field that refuses it references them. Blocks writers of such references until the
 * transaction ends.
 */
export async function findDeleteFaults(
  tx: Tx,
  account_id: string,
  collection_id: string,
  ids: readonly string[],
): Promise<Map<string, Fault>> {
  if (ids.length === 0) return new Map();
  const faults = new Map(
    (await findVaried(tx, { account_id, ids })).map(({ entry_id, experiment_id }) => {
      const detail = `The entry ${publicId('ent', entry_id)} cannot be deleted, because the experiment ${publicId('exp', experiment_id)} shows variants of it. Stop the experiment, or end its holdout, first.`;
      return [entry_id, { pointer: '', code: 'entry_in_experiment', detail }];
    }),
  );
  const [protecting] = await findProtectingField(tx, { account_id, collection_id });
  if (!protecting) return faults;
  await lockTargets(tx, { account_id, ids });
  const keys = ids.map((id) => publicId('ent', id));
  for (const { target, entry_id } of await findProtected(tx, { account_id, collection_id, keys, ids })) {
    const detail = `The entry ${target} cannot be deleted, because ${publicId('ent', entry_id)} references it.`;
    faults.set(parseId('ent', target) ?? '', { pointer: '', code: 'entry_referenced', detail });
  }
  return faults;
}

const findVaried = statement('content.find_varied_among', targets).returns<{
  entry_id: string;
  experiment_id: string;
}>('select entry_id, experiment_id from varied_entries where account_id = :account_id and entry_id = any(:ids)');

const findProtectingField = statement('content.find_protecting_field', {
  account_id: 'uuid',
  collection_id: 'uuid',
}).returns<{ field_key: number }>(
  `select field_key from reference_fields
   where account_id = :account_id and target_id = :collection_id and refuses_delete limit 1`,
);

/** For each entry, one that refuses its deletion, and is not deleted with it. */
const findProtected = statement('content.find_protected', {
  account_id: 'uuid',
  collection_id: 'uuid',
  keys: 'text[]',
  ids: 'uuid[]',
}).returns<{ target: string; entry_id: string }>(
  `select target, min(entry_id::text)::uuid as entry_id
   from (
     select i.sort_key as target, i.entry_id
     from reference_fields r
     join collections c on c.account_id = :account_id and c.id = r.collection_id and c.status = 'active'
     join entry_index i on i.account_id = :account_id and i.field_key = r.field_key and i.sort_key = any(:keys)
     where r.account_id = :account_id and r.target_id = :collection_id and r.refuses_delete
     union all
     -- The values of variants are in no index, and few.
     select key, v.entry_id
     from reference_fields r
     join varied_entries v on v.account_id = :account_id and v.collection_id = r.collection_id
     join unnest(:keys::text[]) key on v.values::text like '%"' || key || '"%'
     where r.account_id = :account_id and r.target_id = :collection_id and r.refuses_delete) found
   where not entry_id = any(:ids)
   group by target order by target`,
);

/** References that are read at once: their targets are public IDs, which only this service converts. */
const REFERENCES = 1_000;

/**
 * Why a collection cannot be deleted: a field of another one refuses it, as it references an active entry. The transaction holds
 * the collection, for which writers of such references wait.
 */
export async function findCollectionFaults(tx: Tx, account_id: string, collection_id: string): Promise<Fault[]> {
  const fields = await findProtectingFields(tx, { account_id, collection_id });
  for (const { field_key } of fields) {
    for (let after = { sort_key: '', entry_id: FIRST_ID }; ; ) {
      const found = await findReferences(tx, {
        ...{ account_id, field_key, after_key: after.sort_key, after_id: after.entry_id },
        limit: REFERENCES,
      });
      const ids = found.flatMap(({ sort_key }) => parseId('ent', sort_key) ?? []);
      const [target] = ids.length === 0 ? [] : await findActiveAmong(tx, { account_id, collection_id, ids });
      const reference = target && found.find(({ sort_key }) => parseId('ent', sort_key) === target.id);
      if (reference) {
        const [one, other] = [publicId('ent', target.id), publicId('ent', reference.entry_id)];
        const detail = `The collection cannot be deleted, because ${other} references its entry ${one}.`;
        return [{ pointer: '', code: 'entry_referenced', detail }];
      }
      const last = found.at(-1);
      if (!last || found.length < REFERENCES) break;
      after = last;
    }
  }
  return [];
}

const findProtectingFields = statement('content.find_protecting_fields', {
  account_id: 'uuid',
  collection_id: 'uuid',
}).returns<{ field_key: number }>(
  `select r.field_key from reference_fields r
   join collections c on c.account_id = :account_id and c.id = r.collection_id and c.status = 'active'
   where r.account_id = :account_id and r.target_id = :collection_id and r.refuses_delete
     and r.collection_id <> :collection_id
   order by r.field_key`,
);

const findReferences = statement('content.find_references', {
  account_id: 'uuid',
  field_key: 'bigint',
  after_key: 'text',
  after_id: 'uuid',
  limit: 'integer',
}).returns<{ sort_key: string; entry_id: string }>(
  `select sort_key, entry_id from entry_index
   where account_id = :account_id and field_key = :field_key and sort_key < chr(1114111)
     and (sort_key, entry_id) > (:after_key, :after_id)
   order by sort_key, entry_id limit :limit`,
);

const findActiveAmong = statement('content.find_active_among', {
  account_id: 'uuid',
  collection_id: 'uuid',
  ids: 'uuid[]',
}).returns<{ id: string }>(
  `select id from entries
   where account_id = :account_id and id = any(:ids) and collection_id = :collection_id and status = 'active' limit 1`,
);

/** Keeps the collections of referenced entries, which a field protects, from being deleted until the transaction ends. */
export async function keepCollections(tx: Tx, account_id: string, ids: readonly string[]): Promise<void> {
  await shareLockCollections(tx, { account_id, ids: [...new Set(ids)] });
}

const shareLockCollections = statement('content.share_lock_reference_targets', targets).runs(
  `select from collections where account_id = :account_id and id = any(:ids) order by id for share`,
);
