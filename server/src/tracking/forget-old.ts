import type { Deps } from '../shared/deps.ts';
import { firstUuidAt } from '../shared/ids.ts';
import {
  deleteClickIds,
  deleteOldEvents,
  deleteOldLeads,
  deleteOldSessions,
  deleteOldVisits,
  findLeadPageEnd,
  findRetentions,
} from './forget-queries.ts';
import { personalDataOf } from './personal-data.ts';
import { clickDigestsOf } from './session-digests.ts';

const DAY_MS = 24 * 3_600_000;
const CHUNK = 1_000;
const PAGE = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Deletes what accounts keep no longer (`retentionDays`), by short transactions. Any number of processes may do it at
 * once: each takes what no other has.
 */
export async function forgetOld(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const { account_id, retention_days } of await findRetentions(deps.db)) {
    await forgetBefore(deps, account_id, new Date(deps.clock() - retention_days * DAY_MS), signal);
  }
}

async function forgetBefore(deps: Deps, accountId: string, before: Date, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const end = firstUuidAt(before.getTime());
  await repeat(signal, () => forgetSessions(deps, accountId, before));
  await repeat(signal, async () => (await deleteOldVisits(db, accountId, end, before, CHUNK)).length);
  await repeat(signal, async () => (await deleteOldEvents(db, accountId, end, before, CHUNK)).length);
  await forgetLeads(deps, accountId, before, signal);
  for (const data of personalDataOf(deps)) await data.forgetBefore?.(accountId, before, signal);
}

/** How many were deleted, with their click ids. */
function forgetSessions({ db }: Deps, accountId: string, before: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const gone = await deleteOldSessions(tx, accountId, before, CHUNK);
    const clicks = gone.flatMap((session) => clickDigestsOf(session.click_ids).map((digest) => ({ session, digest })));
    if (clicks.length > 0) {
      await deleteClickIds(
        tx,
        accountId,
        clicks.map(({ digest }) => digest),
        clicks.map(({ session }) => session.started_at),
        clicks.map(({ session }) => session.number),
      );
    }
    return gone.length;
  });
}

async function forgetLeads({ db }: Deps, accountId: string, before: Date, signal: AbortSignal): Promise<void> {
  // An event goes up to a day later than it is old enough (see `deleteOldEvents`).
  const seenBefore = new Date(before.getTime() - DAY_MS);
  for (let after = FIRST; ; ) {
    signal.throwIfAborted();
    const [page] = await findLeadPageEnd(db, accountId, after, PAGE - 1);
    await deleteOldLeads(db, accountId, after, page?.id ?? LAST, seenBefore);
    if (!page) return;
    after = page.id;
  }
}

/** Until less than a whole chunk was left. */
async function repeat(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  do signal.throwIfAborted();
  while ((await work()) >= CHUNK);
}
