/** Deletes accounts and persons from all modules. */
import { listDeletedAccounts } from '../accounts/index.ts';
import { orphanAccountBlobs } from '../files/index.ts';
import { expireResults, type JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { DAY, MINUTE } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { deleteAccountRows } from './delete-account-rows.ts';

const EVERY_MS = MINUTE;
/** What requests that had started before the deletion write afterwards is erased by a later run. */
const REPEAT_MS = 2 * DAY;

/** Erases the data of deleted accounts in a cell: rows, files and results of jobs. */
export function erasureModule(deps: Deps, jobs: JobHandlers): Module {
  const worker = workerLoop({
    name: 'erase deleted accounts',
    log: deps.log,
    everyMs: EVERY_MS,
    run: (signal) => eraseDeletedAccounts(deps, jobs, signal),
  });
  return { routes() {}, workers: [worker] };
}

export async function eraseDeletedAccounts(
  deps: Pick<Deps, 'db' | 'control' | 'clock'>,
  jobs: JobHandlers,
  signal: AbortSignal,
): Promise<void> {
  const { db, control, clock } = deps;
  const accounts = await listDeletedAccounts(control, { since: new Date(clock() - REPEAT_MS) });
  for (const { id } of accounts) {
    for (const [type, handler] of Object.entries(jobs)) {
      if (handler.discard) await expireResults(deps, id, type, { discard: handler.discard.bind(handler) });
    }
    await db.transaction((tx) => orphanAccountBlobs(tx, { account_id: id, now: new Date(clock()) }));
    await deleteAccountRows(db, id, signal);
    if (control !== db) await deleteAccountRows(control, id, signal);
  }
}
