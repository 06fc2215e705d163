import type { FastifyRequest } from 'fastify';
import { enqueueJob } from '../../jobs/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { ConversionResult } from '../report/contract.ts';
import type { ConversionImport } from './contract.ts';
import { addToImport, findImport, type ImportRow, insertImport, startUndo } from './queries.ts';
import { UNDO_JOB } from './undo-job.ts';

/** Creates an import, to which reports can be added. */
export function createImport(deps: Deps, request: FastifyRequest, name: string): Promise<ConversionImport> {
  const { accountId } = request.caller;
  return idempotently(deps.db, request, accountId, async (tx) => {
    const now = deps.clock();
    const [row] = await insertImport(tx, {
      account_id: accountId,
      id: newUuid(now),
      name: name.trim(),
      now: new Date(now),
    });
    if (!row) throw new Error('the import was not inserted');
    const subject = ['import', publicId('imp', row.id)] as const;
    await audit(
      tx,
      authorOf(request),
      { action: 'conversion_import.created', subject, after: { name: row.name } },
      now,
    );
    return serializeImport(row);
  });
}

/** @throws ApiError 404 */
export async function readImport(tx: Tx, accountId: string, publicImportId: string): Promise<ConversionImport> {
  const id = uuidOf(publicImportId);
  const [row] = await findImport(tx, { account_id: accountId, id });
  if (!row) throw notFound('import');
  return serializeImport(row);
}

/** Counts the results of reports in their import, in the transaction that records them. @throws ApiError 404; 400 `import_undone` */
export async function countInImport(tx: Tx, accountId: string, id: string, results: readonly ConversionResult[]) {
  const count = (status: ConversionResult['status']) => results.filter((each) => each.status === status).length;
  const counts = { reported: count('reported'), unmatched: count('unmatched'), failed: count('failed') };
  const [row] = await addToImport(tx, { account_id: accountId, id, ...counts });
  if (row) return;
  const [undone] = await findImport(tx, { account_id: accountId, id });
  if (!undone) throw notFound('import');
  throw badRequest('import_undone', 'The import was undone. Create another import.');
}

/** Starts the undo of an import: a job withdraws its reports. @throws ApiError 404; 400 `import_undone` */
export function undoImport(deps: Deps, request: FastifyRequest, publicImportId: string): Promise<ConversionImport> {
  const { accountId } = request.caller;
  const id = uuidOf(publicImportId);
  return deps.db.transaction(async (tx) => {
    const now = deps.clock();
    const [row] = await startUndo(tx, { account_id: accountId, id, now: new Date(now) });
    if (!row) {
      const [undone] = await findImport(tx, { account_id: accountId, id });
      if (!undone) throw notFound('import');
      throw badRequest('import_undone', 'The import was undone already.');
    }
    await enqueueJob(deps, tx, accountId, UNDO_JOB, { importId: publicImportId }, authorOf(request));
    const subject = ['import', publicImportId] as const;
    await audit(tx, authorOf(request), { action: 'conversion_import.undone', subject, after: { name: row.name } }, now);
    return serializeImport(row);
  });
}

function uuidOf(publicImportId: string): string {
  const id = parseId('imp', publicImportId);
  if (id === undefined) throw notFound('import');
  return id;
}

export function serializeImport(row: ImportRow): ConversionImport {
  const { id, name, reported, unmatched, failed, withdrawn, reverted } = row;
  return {
    id: publicId('imp', id),
    name,
    status: row.undone_at === null ? 'active' : row.undo_finished_at === null ? 'undoing' : 'undone',
    reported,
    unmatched,
    failed,
    undo: row.undone_at && { withdrawn, reverted, deletedUnmatched: row.deleted_unmatched },
    createdAt: isoTime(row.created_at),
    undoneAt: row.undone_at && isoTime(row.undone_at),
  };
}
