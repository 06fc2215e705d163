import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { enqueueJob, Job } from '../../jobs/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { FIRST_ID, newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { CollectionPath } from '../entries/contract.ts';
import { writeContext } from '../entries/write-context.ts';
import { LIMITS } from '../limits.ts';
import { hasOperations } from '../writes/apply-change.ts';
import { retryTaken } from '../writes/retry-taken.ts';
import { rolledBack } from '../writes/rolled-back.ts';
import { CollectionChanged, changeEntries } from './change-entries.ts';
import { ManyDelete, ManyResult, ManyUpdate, UndoPath, UndoResult } from './contract.ts';
import { refuseOtherCount } from './count-expected.ts';
import { type ChangeRequest, countMatching, findMatching } from './find-matching.ts';
import { MANY_JOBS, type ManyJobParams } from './many-job.ts';
import { insertChange, listChanged, saveChanged } from './queries.ts';
import { claimUndo, undoEntries } from './undo-change.ts';

const about = { tags: ['Entries'], security: [{ token: [] }], 'x-idempotency-key': true as const };
const write = { access: 'secret', rate: 'write', isJsonKept: true } as const;

/** Up to this many entries are changed by the request itself. */
const MOST = LIMITS.operationsPerBatch;
const KEPT_MS = 30 * DAY;

/** Entries that match a query are changed or deleted together, which can be undone. */
export function manyRoutes(app: App, deps: Deps, cache: CollectionCache): void {
  const { db, clock } = deps;

  async function attempt(request: FastifyRequest, collectionId: string, sent: ChangeRequest) {
    const { accountId } = request.caller;
    const found = await findMatching(
      db,
      cache.of(request.caller),
      accountId,
      collectionId,
      sent.where,
      undefined,
      MOST + 1,
    );
    const { ids, collection } = found;
    const now = clock();
    const id = newUuid(now);
    const author = authorOf(request);
    const save = async (tx: Tx, matched: number | null, changed: number | null) => {
      await insertChange(tx, {
        account_id: accountId,
        id,
        collection_id: collection.id,
        request: JSON.stringify(sent),
        author_type: author.type,
        author_id: author.id,
        matched,
        expires_at: new Date(now + KEPT_MS),
      });
      const after = { ...sent.change, where: sent.where, ...(matched !== null && { matched, changed }) };
      const change = { action: `entries.${sent.op}d`, subject: ['collection', collectionId] as const, after };
      if (!sent.dryRun) await audit(tx, author, change, now);
    };
    if (ids.length > MOST) {
      if (sent.expect !== undefined) refuseOtherCount(await countMatching(db, found), sent.expect);
      return idempotently(db, request, accountId, async (tx) => {
        await save(tx, null, null);
        const params: ManyJobParams = { collectionId, changeId: publicId('und', id) };
        return enqueueJob(deps, tx, accountId, MANY_JOBS.change, params, author);
      });
    }
    const change = async (tx: Tx) => {
      refuseOtherCount(ids.length, sent.expect);
      const changed = await changeEntries(tx, writeContext(request, deps, cache.of(request.caller)), found, ids, sent);
      return { matched: ids.length, changed };
    };
    if (sent.dryRun) {
      return rolledBack<ManyResult>((check) =>
        db.transaction(async (tx) => {
          const { matched, changed } = await change(tx);
          check({ matched, changed: changed.length, undoId: null });
        }),
      );
    }
    return idempotently(db, request, accountId, async (tx): Promise<ManyResult> => {
      const { matched, changed } = await change(tx);
      if (changed.length === 0) return { matched, changed: 0, undoId: null };
      await save(tx, matched, changed.length);
      await saveChanged(tx, {
        account_id: accountId,
        change_id: id,
        ids: changed.map((entry) => entry.id),
        states: changed.map(() => 'changed'),
        versions: changed.map(({ version }) => version),
      });
      return { matched, changed: changed.length, undoId: publicId('und', id) };
    });
  }

  /** Repeats what was refused because the collection changed in between. */
  const run = (
    request: FastifyRequest,
    collectionId: string,
    sent: ChangeRequest,
  ): Promise<ManyResult | Static<typeof Job>> =>
    retryTaken(async () => {
      for (;;) {
        try {
          return await attempt(request, collectionId, sent);
        } catch (error) {
          if (!(error instanceof CollectionChanged)) throw error;
        }
      }
    });

  const { post } = routesOf(app, about);
  post('/v1/cms/collections/:collectionId/entries/update-many', {
    config: write,
    operationId: 'updateEntries',
    summary: 'Change all entries that match',
    description:
      'Changes every entry that matches `where`, or none: a fault of one entry refuses all. Of more than 1,000 entries, a job ' +
      'changes those that it can, and its result has the same members.',
    params: CollectionPath,
    body: ManyUpdate,
    returns: Type.Union([ManyResult, Job]),
    handle: async (request) => {
      const { where, expect, dryRun, ...change } = request.body;
      if (change.values === undefined && !hasOperations(change)) {
        const detail = 'Send values, increment, append, remove, merge or rows.';
        throw invalid([{ pointer: '/values', code: 'required', detail }]);
      }
      return run(request, request.params.collectionId, {
        op: 'update',
        where,
        change,
        ...(expect !== undefined && { expect }),
        ...(dryRun && { dryRun }),
      });
    },
  });

  post('/v1/cms/collections/:collectionId/entries/delete-many', {
    config: write,
    operationId: 'deleteEntries',
    summary: 'Delete all entries that match',
    description: 'Moves every entry that matches `where` to the trash, or none, as `update-many` changes them.',
    params: CollectionPath,
    body: ManyDelete,
    returns: Type.Union([ManyResult, Job]),
    handle: async (request) => {
      const { where, expect, dryRun } = request.body;
      return run(request, request.params.collectionId, {
        op: 'delete',
        where,
        change: {},
        ...(expect !== undefined && { expect }),
        ...(dryRun && { dryRun }),
      });
    },
  });

  post('/v1/cms/collections/:collectionId/undo/:undoId', {
    config: write,
    operationId: 'undoEntries',
    summary: 'Undo a change of several entries',
    description:
      'Gives the entries of `update-many` their earlier values, and restores those of `delete-many`, within 30 days. Entries ' +
      'that have changed since are skipped. Of more than 1,000 entries, a job does it, and its result has the same members.',
    params: UndoPath,
    returns: Type.Union([UndoResult, Job]),
    handle: async (request) => {
      const { collectionId, undoId } = request.params;
      const { accountId } = request.caller;
      const now = clock();
      return idempotently(db, request, accountId, async (tx): Promise<UndoResult | Static<typeof Job>> => {
        const row = await claimUndo(tx, accountId, parseId('col', collectionId), parseId('und', undoId), now);
        await audit(
          tx,
          authorOf(request),
          { action: 'entries.undone', subject: ['collection', collectionId], after: { undoId } },
          now,
        );
        const page = { account_id: accountId, change_id: row.id, after: FIRST_ID, limit: MOST + 1 };
        const changed = await listChanged(tx, page);
        if (changed.length > MOST) {
          const params: ManyJobParams = { collectionId, changeId: undoId };
          return enqueueJob(deps, tx, accountId, MANY_JOBS.undo, params, authorOf(request));
        }
        const entries = changed.map(({ entry_id, version }) => ({ id: entry_id, version }));
        const restored = await undoEntries(tx, writeContext(request, deps, cache.of(request.caller)), row, entries);
        return { entries: entries.length, restored, skipped: entries.length - restored };
      });
    },
  });
}
