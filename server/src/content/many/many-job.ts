import { JobError, type JobHandler, type JobRun, lockRun } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { FIRST_ID, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { accessOfAuthor } from '../../users/index.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { rolledBack } from '../writes/rolled-back.ts';
import { type ChangedEntry, CollectionChanged, changeEntries } from './change-entries.ts';
import { refuseOtherCount } from './count-expected.ts';
import { findMatching, type Matching } from './find-matching.ts';
import {
  type ChangeRow,
  countStates,
  deleteChangedEntries,
  findChange,
  insertWaiting,
  listChanged,
  listWaiting,
  saveChanged,
  setMatched,
} from './queries.ts';
import { undoEntries } from './undo-change.ts';

export const MANY_JOBS = { change: 'change_entries', undo: 'undo_change' } as const;

/** The `params` of both jobs. */
export interface ManyJobParams {
  collectionId: string;
  /** The `undoId` of the change. */
  changeId: string;
}

/** Entries of one transaction, which holds their locks. */
const BATCH = 200;
/** IDs that are collected with one statement. */
const PAGE = 1_000;
/** Refused entries that a result names. */
const MOST_NAMED = 20;

interface Refusal {
  entryId: string;
  pointer: string;
  code: string;
  detail: string;
}

/** The fault of a request that is carried out later, as that of its job. */
const handler = (run: JobHandler['run']): JobHandler => ({
  run: (job) =>
    run(job).catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw new JobError(error.code, error.message);
      throw error;
    }),
});

/** Changes more entries than a request can, after their IDs are stored, so that a run that died continues where it was. */
export function changeHandler(deps: Deps, cache: CollectionCache): JobHandler {
  const { db } = deps;
  return handler(async (job) => {
    const { row, context, params } = await startOf(deps, cache, job);
    const { accountId: account_id, signal } = job;
    const { id: change_id, request } = row;
    const find = (after?: Matching['next'], limit = PAGE) =>
      findMatching(db, context.cache, account_id, params.collectionId, request.where, after, limit);
    let { matched } = row;
    if (matched === null) {
      await deleteChangedEntries(db, { account_id, change_id });
      matched = 0;
      for (let page = await find(); ; page = await find(page.next)) {
        signal.throwIfAborted();
        matched += page.ids.length;
        await insertWaiting(db, { account_id, change_id, ids: page.ids });
        if (!page.next) break;
      }
      refuseOtherCount(matched, request.expect);
      await setMatched(db, { account_id, id: change_id, matched });
    }
    const total = matched;
    let query = await find(undefined, 1);
    const refused: Refusal[] = [];

    /** Halves what is refused until the entry is found. */
    const change = async (ids: readonly string[], isDryRun: boolean): Promise<number> => {
      signal.throwIfAborted();
      const run = async (tx: Tx): Promise<ChangedEntry[]> => {
        const changed = await changeEntries(tx, context, query, ids, request);
        const versions = new Map(changed.map(({ id, version }) => [id, version]));
        await saveChanged(tx, {
          account_id,
          change_id,
          ids: [...ids],
          states: ids.map((id) => (versions.has(id) ? 'changed' : 'unchanged')),
          versions: ids.map((id) => versions.get(id) ?? null),
        });
        await holdRun(tx, job);
        return changed;
      };
      try {
        if (!isDryRun) return (await db.transaction(run)).length;
        return await rolledBack((check) => db.transaction(async (tx) => check((await run(tx)).length)));
      } catch (error) {
        if (error instanceof CollectionChanged) {
          query = await find(undefined, 1);
          return change(ids, isDryRun);
        }
        if (!(error instanceof ApiError) || error.status !== 400) throw error;
        if (ids.length > 1) {
          const half = Math.ceil(ids.length / 2);
          return (await change(ids.slice(0, half), isDryRun)) + (await change(ids.slice(half), isDryRun));
        }
        const [first] = error.errors;
        const entryId = publicId('ent', ids[0] ?? '');
        refused.push({ entryId, pointer: first?.pointer ?? '', code: error.code, detail: error.message });
        if (isDryRun) return 0;
        await saveChanged(db, { account_id, change_id, ids: [...ids], states: ['refused'], versions: [null] });
        return 0;
      }
    };

    let changed = 0;
    let done = 0;
    for (let after = FIRST_ID; ; ) {
      const waiting = await listWaiting(db, { account_id, change_id, after, limit: BATCH });
      if (waiting.length === 0) break;
      changed += await change(
        waiting.map(({ entry_id }) => entry_id),
        request.dryRun === true,
      );
      after = waiting.at(-1)?.entry_id ?? after;
      done += waiting.length;
      job.report(done / Math.max(1, total));
    }
    if (!request.dryRun) {
      // Also what an earlier run did.
      const states = await countStates(db, { account_id, change_id });
      changed = states.find(({ state }) => state === 'changed')?.count ?? 0;
    }
    const undoId = request.dryRun || changed === 0 ? null : publicId('und', change_id);
    return { matched: total, changed, undoId, refused: refused.slice(0, MOST_NAMED) };
  });
}

/** Undoes such a change. */
export function undoHandler(deps: Deps, cache: CollectionCache): JobHandler {
  const { db } = deps;
  return handler(async (job) => {
    const { row, context } = await startOf(deps, cache, job);
    const { accountId: account_id, signal } = job;
    for (let after = FIRST_ID; ; ) {
      signal.throwIfAborted();
      const changed = await listChanged(db, { account_id, change_id: row.id, after, limit: BATCH });
      if (changed.length === 0) break;
      const entries = changed.map(({ entry_id, version }) => ({ id: entry_id, version }));
      await db.transaction(async (tx) => {
        await undoEntries(tx, context, row, entries);
        await holdRun(tx, job);
      });
      after = changed.at(-1)?.entry_id ?? after;
    }
    const states = new Map(
      (await countStates(db, { account_id, change_id: row.id })).map(({ state, count }) => [state, count]),
    );
    const [restored, skipped] = [states.get('undone') ?? 0, states.get('skipped') ?? 0];
    return { entries: restored + skipped, restored, skipped };
  });
}

async function startOf({ db, control, config, publicUrl, clock }: Deps, cache: CollectionCache, job: JobRun) {
  const params = job.params as ManyJobParams;
  const [row] = await findChange(db, { account_id: job.accountId, id: parseId('und', params.changeId) ?? '' });
  if (!row) throw new JobError('change_gone', 'The change has expired.');
  const started = job.author ?? { type: row.author_type, id: row.author_id };
  const author = {
    accountId: job.accountId,
    type: row.author_type ?? ('command' as const),
    id: row.author_id,
    address: null,
  };
  const found = await accessOfAuthor(control, job.accountId, started);
  if (!found) throw new JobError('access_ended', 'Who started this no longer has access to the account.');
  const context: CachedWriteContext = {
    cache: cache.of(found),
    author,
    now: clock(),
    publicUrl: publicUrl(),
    keptVersions: config.entryVersions,
  };
  return { row: row satisfies ChangeRow, context, params };
}

/** Only the current run of a job commits. */
async function holdRun(tx: Tx, { accountId, id, attempt }: JobRun): Promise<void> {
  const [run] = await lockRun(tx, { account_id: accountId, id, attempt });
  if (!run) throw new JobError('job_lost', 'The job was canceled, or another process has taken it over.');
}
