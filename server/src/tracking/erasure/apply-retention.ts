import type { Deps } from '../../shared/deps.ts';
import { firstUuidAt, LAST_ID } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { forEachIdRange } from '../../shared/postgres/walk-by-id.ts';
import { DAY } from '../../shared/units.ts';
import { clickIdDigests } from '../identifiers.ts';
import { deleteOldBitmaps } from '../sessions/bitmap-queries.ts';
import { deleteSignals, removeOldClients } from '../signals/queries.ts';
import type { PersonalDataHandler } from './personal-data.ts';
import {
  deleteClickIds,
  deleteOldEvents,
  deleteOldLeads,
  deleteOldSessions,
  deleteOldVisits,
  findLeadPageEnd,
  findRetentions,
  type LeadSessionRow,
} from './queries.ts';

const CHUNK = 1_000;
const PAGE = 5_000;

/**
 * Deletes what is older than the accounts' `retentionDays`, in short transactions. Any number of processes may run it at
 * once: each takes rows that no other has locked.
 */
export async function applyRetention(
  deps: Deps,
  personalData: readonly PersonalDataHandler[],
  signal: AbortSignal,
): Promise<void> {
  const clientsBefore = new Date(deps.clock() - deps.config.clientDays * DAY);
  await repeat(signal, () => removeOldClients(deps.db, { before: clientsBefore, limit: CHUNK }));
  for (const { account_id, retention_days } of await findRetentions(deps.db)) {
    const before = new Date(deps.clock() - retention_days * DAY);
    for (const handler of personalData) await handler.beforeRetention?.(account_id, before, signal);
    await deleteBefore(deps, account_id, before, signal);
    for (const handler of personalData) await handler.anonymizeBefore?.(account_id, before, signal);
  }
}

async function deleteBefore(deps: Deps, accountId: string, before: Date, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const old = { account_id: accountId, before, end: firstUuidAt(before.getTime()), limit: CHUNK };
  await repeat(signal, () => deleteSessions(deps, accountId, before));
  await deleteOldBitmaps(db, { account_id: accountId });
  await repeat(signal, () => deleteOldVisits(db, old));
  await repeat(signal, () => deleteOldEvents(db, old));
  // An event may stay up to a day longer (see `deleteOldEvents`).
  const seenBefore = new Date(before.getTime() - DAY);
  const account = { account_id: accountId };
  await forEachIdRange(
    { end: LAST_ID, signal },
    (after) => findLeadPageEnd(db, { ...account, after, rows: PAGE - 1 }),
    ({ after, upTo }) => deleteOldLeads(db, { ...account, after, up_to: upTo, before: seenBefore }),
  );
}

function deleteSessions({ db }: Deps, accountId: string, before: Date) {
  return db.transaction(async (tx) => {
    const deleted = await deleteOldSessions(tx, { account_id: accountId, before, limit: CHUNK });
    await deleteClickIdsOf(tx, accountId, deleted);
    await deleteSignals(tx, { account_id: accountId, sessions: deleted.map(({ number }) => number) });
    return deleted;
  });
}

export async function deleteClickIdsOf(
  tx: Tx,
  accountId: string,
  sessions: readonly Pick<LeadSessionRow, 'number' | 'click_ids'>[],
): Promise<void> {
  const clickIds = sessions.flatMap(({ number, click_ids }) =>
    clickIdDigests(click_ids).map((digest) => ({ digest, session_number: number })),
  );
  if (clickIds.length > 0) await deleteClickIds(tx, { account_id: accountId, click_ids: clickIds });
}

/** Repeats until a run deletes less than a whole chunk. */
async function repeat(signal: AbortSignal, work: () => Promise<readonly unknown[]>): Promise<void> {
  do signal.throwIfAborted();
  while ((await work()).length >= CHUNK);
}
