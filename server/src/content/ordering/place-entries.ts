import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Collection } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { positionsAfter } from './position.ts';
import { POSITION } from './system-fields.ts';

/** Whoever gives an entry a position waits for others, so that no two get the same. */
export async function lockOrder(tx: Tx, account_id: string, collection_id: string): Promise<void> {
  await lockPositions(tx, { account_id, collection_id });
}

/** Places new entries behind all others, in the transaction that inserts them. Their values are changed. */
export async function placeLast(
  tx: Tx,
  account_id: string,
  collection: Collection,
  values: readonly Values[],
): Promise<void> {
  const field = collection.row.settings?.ordering && collection.byId.get(POSITION);
  if (!field || values.length === 0) return;
  await lockOrder(tx, account_id, collection.id);
  const last = await neighbour(tx, account_id, field.key, undefined, 'last');
  const positions = positionsAfter(last, values.length);
  for (const [i, each] of values.entries()) each[POSITION] = positions[i];
}

/** The position next to another one, or the first or last of all. */
export async function neighbour(
  tx: Tx,
  account_id: string,
  field_key: number,
  position: string | undefined,
  side: 'before' | 'after' | 'first' | 'last',
  self?: string,
): Promise<string | undefined> {
  const isUp = side === 'after' || side === 'first';
  const bound = position ?? (isUp ? '' : END);
  const parameters = { account_id, field_key, bound, self: self ?? null };
  const [found] = await (isUp ? findNext : findPrevious)(tx, parameters);
  return found?.sort_key;
}

/** Behind every position. */
const END = '\u{10ffff}';

const ofField = { account_id: 'uuid', field_key: 'bigint', bound: 'text', self: 'uuid?' } as const;

const findNext = statement('content.find_next_position', ofField).returns<{ sort_key: string }>(
  `select sort_key from entry_index
   where account_id = :account_id and field_key = :field_key and sort_key > :bound and sort_key < chr(1114111)
     and entry_id is distinct from :self
   order by sort_key, entry_id limit 1`,
);

const findPrevious = statement('content.find_previous_position', ofField).returns<{ sort_key: string }>(
  `select sort_key from entry_index
   where account_id = :account_id and field_key = :field_key and sort_key < :bound and sort_key < chr(1114111)
     and entry_id is distinct from :self
   order by sort_key desc, entry_id desc limit 1`,
);

const lockPositions = statement('content.lock_positions', { account_id: 'uuid', collection_id: 'uuid' }).runs(
  'select pg_advisory_xact_lock(hashtextextended(:account_id::text || :collection_id::text, 21))',
);
