import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ACCOUNT_MOVED } from '../../accounts/index.ts';
import { recordReceivedRows } from '../../analytics/index.ts';
import { keepOrphanedBlobs } from '../../files/index.ts';
import { releaseJobs, wakeRunners } from '../../jobs/index.ts';
import { BACKUP_LOCK } from '../../shared/postgres/backup-lock.ts';
import { notifyEverywhere } from '../../shared/postgres/confirm.ts';
import { HOUR } from '../../shared/units.ts';
import { isDelivering } from '../../webhooks/index.ts';
import { undoLast } from './copy.ts';
import { followChanges } from './follow.ts';
import { ACCOUNT_GATE, GATE_CLOSED } from './gates.ts';
import { switchCell } from './queries.ts';
import type { Move, Side } from './sides.ts';
import { copyPartitions, raiseSequences } from './tables.ts';
import { passing, setState, trySetState } from './watch.ts';

/** After a round as short as this, the next one can take place while changes are fenced. */
const SHORT_ROUND_MS = 300;
const MAX_ROUNDS = 50;
/** For how long deliveries of webhooks that have begun are awaited. */
const DELIVERIES_MS = 12_000;
/** How long processes may take to finish requests, which wait meanwhile. */
const GATE_MS = 500;
/** How long changes may be fenced before the attempt ends, but for accounts where that has not been enough. */
const FENCE_MS = 600;
const SHORT_ATTEMPTS = 3;
const CANCEL_AGAIN_MS = 50;
const LATE = Symbol('late');
/** After this many attempts, requests that do not end (an upload) are refused. */
const MAX_ATTEMPTS = 20;
const RETRY_MS = 1_500;
const BACKUP_RETRY_MS = 2_000;
const HELD_MS = HOUR;

/** Applies changes until few are left: a round has those of the one before. */
export async function catchUp(move: Move): Promise<void> {
  const { from, to, accountId, tables } = move;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await copyPartitions(from.client, to.client);
    const startedAt = performance.now();
    await followChanges(move, accountId, tables);
    if (performance.now() - startedAt < SHORT_ROUND_MS) return;
  }
}

/**
 * Switches the directory. Workers finish what they do for the account; its requests wait at a gate, for less than a second,
 * while the last changes are copied.
 * @returns false if the move was canceled
 */
export async function switchAccount(move: Move): Promise<boolean> {
  const { from, accountId, onProgress } = move;
  await waitForBackup(move);
  try {
    for (let attempt = 1; ; attempt++) {
      onProgress('Switching');
      await quiesce(move);
      const isSwitched = await switchBehindGate(move, attempt);
      if (isSwitched !== undefined) return isSwitched;
      await setState(from.db, accountId, 'leaving');
      await sleep(RETRY_MS);
      await catchUp(move);
    }
  } finally {
    await move.lock.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]).catch(() => {});
  }
}

/** A backup must not contain the cells before the switch and the directory after it. */
async function waitForBackup({ lock, onProgress }: Move): Promise<void> {
  for (;;) {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as is_locked', [BACKUP_LOCK]);
    if (rows[0].is_locked) return;
    onProgress('Waiting for a backup');
    await sleep(BACKUP_RETRY_MS);
  }
}

/** Lets deliveries end and aggregation run, so that little is left to do behind the gate. */
async function quiesce(move: Move): Promise<void> {
  const { deps, from, accountId } = move;
  const deadline = performance.now() + DELIVERIES_MS;
  await setState(from.db, accountId, 'quiesced');
  const isBusy = async () => (await isDelivering(from.db, { account_id: accountId })).length > 0;
  while ((await isBusy()) && performance.now() < deadline) await sleep(50);
  await recordReceivedRows({ db: from.db, clock: deps.clock });
  await catchUp(move);
}

/** @returns undefined if something did not end in time; false if the move was canceled */
async function switchBehindGate(move: Move, attempt: number): Promise<boolean | undefined> {
  const { lock, from, accountId } = move;
  const gate = (payload: string) => lock.query('select pg_notify($1, $2)', [ACCOUNT_GATE, payload]);
  let [isFenced, isSwitched] = [false, false];
  try {
    const isClosed = await notifyEverywhere(lock, GATE_CLOSED, GATE_MS, async (confirmTo) => {
      await gate(`${accountId} ${confirmTo}`);
      return true;
    });
    if (!isClosed && attempt < MAX_ATTEMPTS) return undefined;
    isFenced = true;
    isFenced = await trySetState(from.db, accountId, 'fenced');
    if (!isFenced) return undefined;
    const isCopied = await withinTime(move, attempt <= SHORT_ATTEMPTS ? FENCE_MS : undefined, () => copyLast(move));
    if (!isCopied) return undefined;
    const [row] = await switchCell(lock, { account_id: accountId, channel: ACCOUNT_GATE, keys: ACCOUNT_MOVED });
    isSwitched = row !== undefined;
    if (isSwitched) await activate(move);
    return isSwitched;
  } finally {
    if (!isSwitched) await reopen(move, gate, isFenced).catch(() => {});
  }
}

async function copyLast(move: Move): Promise<void> {
  const { from, to, accountId, tables } = move;
  // Requests that arrive there too early are refused, and workers still find nothing.
  await bothDone(holdWork(move), setState(to.db, accountId, 'fenced'));
  await copyPartitions(from.client, to.client);
  await raiseSequences(from.client, to.client);
  await followChanges(move, accountId, tables, { isLast: true });
}

/** Fails when both have ended, so that what undoes them comes last. */
async function bothDone(...work: [Promise<unknown>, Promise<unknown>]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

/** After this time, cancels the statements of the move until the work ends. @returns whether it was done */
async function withinTime({ from, to }: Move, ms: number | undefined, work: () => Promise<void>): Promise<boolean> {
  const working = work().then(
    () => true,
    (error: unknown) => error,
  );
  const cancel = ({ db, client }: Side) =>
    db.query('select pg_cancel_backend($1::integer)', [(client as pg.Client & { processID: number }).processID]);
  let isLate = ms !== undefined && (await Promise.race([working, sleep(ms, LATE)])) === LATE;
  const wasLate = isLate;
  while (isLate) {
    // A connection between two statements has none to cancel.
    await Promise.allSettled([from, to].map(cancel));
    isLate = (await Promise.race([working, sleep(CANCEL_AGAIN_MS, LATE)])) === LATE;
  }
  const result = await working;
  if (result !== true && !wasLate) throw result;
  return result === true;
}

/** After a switch that did not happen. If this process dies before, the one that continues the move does it. */
async function reopen(move: Move, gate: (payload: string) => Promise<unknown>, isFenced: boolean): Promise<void> {
  const { deps, from, to, accountId, tables } = move;
  if (!isFenced) await gate(accountId);
  const { rows } = await deps.control.query('select cell from accounts where id = $1', [accountId]);
  if (rows[0]?.cell !== from.name) return;
  await setState(from.db, accountId, 'leaving');
  if (isFenced) await gate(accountId);
  await setState(to.db, accountId, 'arriving');
  await undoLast(move, accountId, tables);
}

/**
 * What the old cell's workers could still do to what both cells share, before its rows are deleted. Runs of jobs end, and are
 * repeated in the new cell, as after a crash. Files stay for an hour.
 */
async function holdWork({ deps, from, accountId }: Move): Promise<void> {
  const now = new Date(deps.clock());
  const until = new Date(deps.clock() + HELD_MS);
  await passing(from.client, async () => {
    await releaseJobs(from.client, { account_id: accountId, now, until });
    await keepOrphanedBlobs(from.client, { account_id: accountId, until });
  });
}

/** Lets the new cell work for the account. */
export async function activate({ to, accountId }: Pick<Move, 'to' | 'accountId'>): Promise<void> {
  await to.db.query('delete from moving_accounts where account_id = $1', [accountId]);
  await wakeRunners(to.db);
}
