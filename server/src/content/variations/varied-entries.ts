import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import type { SchemaView } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { lockEntries } from '../entries/queries.ts';
import { recordUses } from '../entries/record-uses.ts';

/** What an experiment shows of an entry (public IDs), by variant. */
export interface ShownEntry {
  collectionId: string;
  entryId: string;
  values: readonly Values[];
}

const OF_EXPERIMENT = { account_id: 'uuid', experiment_id: 'uuid' } as const;

const replaceVaried = statement('content.replace_varied_entries', {
  ...OF_EXPERIMENT,
  shown: rows({ entry_id: 'uuid', collection_id: 'uuid', values: 'jsonb' }),
}).returns<{ entry_id: string; collection_id: string }>(
  `with shown as materialized (select * from :shown as w),
   before as materialized (
     select entry_id, collection_id from varied_entries where account_id = :account_id and experiment_id = :experiment_id),
   gone as (
     delete from varied_entries v where account_id = :account_id and experiment_id = :experiment_id
       and not exists (select from shown w where w.entry_id = v.entry_id)),
   written as (
     insert into varied_entries (account_id, experiment_id, entry_id, collection_id, values)
     select :account_id, :experiment_id, w.entry_id, w.collection_id, w.values from shown w
     on conflict (account_id, entry_id, experiment_id) do update set values = excluded.values)
   select entry_id, collection_id from before union select w.entry_id, w.collection_id from shown w`,
);

/**
 * Replaces what an experiment (UUID) shows of entries, and records the files in it as used by these entries, or no longer. Deleted entries are left
 * alone.
 */
export async function recordShown(
  tx: Tx,
  cache: SchemaView,
  account_id: string,
  experiment_id: string,
  entries: readonly ShownEntry[],
  now: number,
): Promise<void> {
  const shown = entries.map(({ collectionId, entryId, values }) => ({
    entry_id: parseId('ent', entryId) ?? '',
    collection_id: parseId('col', collectionId) ?? '',
    values: JSON.stringify(values),
  }));
  const changed = await replaceVaried(tx, { account_id, experiment_id, shown });
  for (const [collection, some] of Map.groupBy(changed, (each) => each.collection_id)) {
    const ids = some.map(({ entry_id }) => entry_id);
    await cache.use(tx, account_id, publicId('col', collection), async (view) => {
      const found = await lockEntries(tx, account_id, view, ids);
      const uses = found.map(({ id, status, values }) => ({ id, status, values: readJson(values) }));
      await recordUses(tx, account_id, view, uses, now);
    });
  }
}
