import type { Fault } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
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
  const [protecting] = await findProtectingField(tx, { account_id, collection_id });
  if (!protecting || ids.length === 0) return new Map();
  await lockTargets(tx, { account_id, ids });
  const keys = ids.map((id) => publicId('ent', id));
  const found = await findProtected(tx, { account_id, collection_id, keys, ids });
  return new Map(
    found.map(({ target, entry_id }) => {
      const detail = `The entry ${target} cannot be deleted, because ${publicId('ent', entry_id)} references it.`;
      return [parseId('ent', target) ?? '', { pointer: '', code: 'entry_referenced', detail }];
    }),
  );
}

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
  `select i.sort_key as target, min(i.entry_id::text)::uuid as entry_id
   from reference_fields r
   join collections c on c.account_id = :account_id and c.id = r.collection_id and c.status = 'active'
   join entry_index i on i.account_id = :account_id and i.field_key = r.field_key and i.sort_key = any(:keys)
   where r.account_id = :account_id and r.target_id = :collection_id and r.refuses_delete
     and not i.entry_id = any(:ids)
   group by i.sort_key order by i.sort_key`,
);
