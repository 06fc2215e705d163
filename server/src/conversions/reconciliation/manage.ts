import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { receiveFilePart } from '../../files/index.ts';
import { enqueueJob, type Job, serializeJobs } from '../../jobs/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import { readCurrency } from '../../shared/currency.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, notFound, refuse } from '../../shared/errors.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { PART_BYTES, storableName, storeParts } from '../../shared/text-parts.ts';
import { isoTime, isTimeZone } from '../../shared/time.ts';
import { DAY, MINUTE } from '../../shared/units.ts';
import { undoImport } from '../imports/manage-imports.ts';
import { insertImport } from '../imports/queries.ts';
import { LIMITS } from '../limits.ts';
import type { ApplyBody, Reconciliation, ReconciliationLine, ReconciliationQuery } from './contract.ts';
import { APPLY_JOB, type ApplyParams, RECONCILE_JOB, type ReconcileParams } from './jobs.ts';
import {
  countReconciliations,
  deleteLines,
  deleteReconciliationParts,
  deleteReconciliationRow,
  findExpiredReconciliations,
  findReconciliation,
  insertReconciliation,
  insertReconciliationPart,
  type LineRow,
  lockReconciliation,
  type ReconciliationRow,
  updateReconciliation,
} from './queries.ts';

/** An upload that sends nothing for this long is aborted. */
const IDLE_MS = MINUTE;
const EXPIRY_MS = LIMITS.reconciliationDays * DAY;

type JobOf = Static<typeof Job> | undefined;

/** Receives a file and starts the job that compares it. @throws ApiError 400 */
export async function createReconciliation(
  deps: Deps,
  request: FastifyRequest,
  settings: ReconciliationQuery,
): Promise<Reconciliation> {
  const { db, clock } = deps;
  const account_id = request.caller.accountId;
  refuse(settingFaults(settings));
  const [counted] = await countReconciliations(db, { account_id });
  if ((counted?.count ?? 0) >= LIMITS.reconciliations) {
    const detail = `An account has at most ${LIMITS.reconciliations} reconciliations. Delete earlier ones.`;
    throw badRequest('too_many_reconciliations', detail);
  }
  const now = clock();
  const key = { account_id, id: newUuid(now) };
  try {
    return await receiveFilePart(request.raw, { idleMs: IDLE_MS, bytesBefore: PART_BYTES }, async (stream, sent) => {
      const name = storableName(sent.name, 'statement.csv');
      const expires_at = new Date(now + EXPIRY_MS);
      await insertReconciliation(db, {
        ...key,
        name,
        settings: JSON.stringify(settings),
        now: new Date(now),
        expires_at,
      });
      await storeParts(stream, LIMITS.reconciliationBytes, (number, bytes) =>
        insertReconciliationPart(db, { ...key, number, bytes }),
      );
      return db.transaction(async (tx) => {
        const author = authorOf(request);
        const params: ReconcileParams = { reconciliationId: publicId('rec', key.id) };
        const job = await enqueueJob(deps, tx, account_id, RECONCILE_JOB, params, author);
        const job_id = parseId('job', job.id) ?? null;
        await updateReconciliation(tx, {
          ...key,
          result: null,
          error: null,
          job_id,
          import_id: null,
          is_applied: false,
        });
        const after = { name, provider: settings.provider };
        await audit(tx, author, { action: 'reconciliation.created', subject: subjectOf(key.id), after }, now);
        const [row] = await findReconciliation(tx, key);
        if (!row) throw new Error('the reconciliation was deleted during its upload');
        return serializeReconciliation(row, job);
      });
    });
  } catch (error) {
    await deleteReconciliationParts(db, key);
    await deleteReconciliationRow(db, key);
    throw error;
  }
}

function settingFaults({ currency, from, to, timeZone }: ReconciliationQuery): Fault[] {
  const faults: Fault[] = [];
  if (currency !== undefined && readCurrency(currency) === undefined) {
    const detail = '`currency` must be an ISO 4217 code, such as EUR.';
    faults.push({ pointer: '?currency', code: 'currency_invalid', detail });
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const detail = 'The time zone is unknown. Use an IANA name, such as Europe/Berlin.';
    faults.push({ pointer: '?timeZone', code: 'time_zone_unknown', detail });
  }
  if (from !== undefined && to !== undefined && from >= to) {
    faults.push({
      pointer: '?to',
      code: 'period_invalid',
      detail: '`to` must be after `from`: it is the day after the last.',
    });
  }
  return faults;
}

/** @throws ApiError 404 */
export async function readReconciliation(deps: Deps, accountId: string, publicRecId: string): Promise<Reconciliation> {
  const [row] = await findReconciliation(deps.db, { account_id: accountId, id: uuidOf(publicRecId) });
  if (!row) throw notFound('reconciliation');
  const [read] = await withJobs(deps, deps.db, accountId, [row]);
  if (!read) throw notFound('reconciliation');
  return read;
}

export async function withJobs(deps: Deps, tx: Tx, accountId: string, rows: readonly ReconciliationRow[]) {
  const jobs = await serializeJobs(
    deps,
    tx,
    rows.flatMap(({ job_id }) => (job_id === null ? [] : [{ accountId, id: job_id }])),
  );
  return rows.map((row) => serializeReconciliation(row, jobs.get(row.job_id ?? '')));
}

/** Changes a reconciliation, which is locked, in one transaction. */
function change(
  deps: Deps,
  request: FastifyRequest,
  publicRecId: string,
  decide: (tx: Tx, row: ReconciliationRow, current: Reconciliation) => Promise<void>,
): Promise<Reconciliation> {
  const { accountId } = request.caller;
  const key = { account_id: accountId, id: uuidOf(publicRecId) };
  return deps.db.transaction(async (tx) => {
    const [row] = await lockReconciliation(tx, key);
    const [current] = row ? await withJobs(deps, tx, accountId, [row]) : [];
    if (!row || !current) throw notFound('reconciliation');
    await decide(tx, row, current);
    const changed = await findReconciliation(tx, key);
    const [after] = await withJobs(deps, tx, accountId, changed);
    return after ?? current;
  });
}

/** Starts the job that applies lines, as an import of conversions. @throws ApiError 404; 400 */
export function applyReconciliation(deps: Deps, request: FastifyRequest, id: string, body: ApplyBody | null) {
  return change(deps, request, id, async (tx, row, { status, name, faulty }) => {
    const { accountId: account_id } = request.caller;
    if ((status !== 'ready' && status !== 'stopped') || !row.result) {
      throw badRequest(
        'reconciliation_not_ready',
        `The reconciliation is ${status}. Only one that is ready can be applied.`,
      );
    }
    if (row.settings.faultyRows === 'refuse' && faulty > 0) {
      const detail = `${faulty} rows of the file are invalid, and it was uploaded with \`faultyRows=refuse\`. Correct them and upload it again.`;
      throw badRequest('rows_invalid', detail);
    }
    const author = authorOf(request);
    const now = deps.clock();
    const import_id = row.import_id ?? newUuid(now);
    if (row.import_id === null) {
      await insertImport(tx, { account_id, id: import_id, name: name.slice(0, 255), now: new Date(now) });
    }
    const outcomes = body?.outcomes ?? ['different', 'missingHere'];
    const params: ApplyParams = { reconciliationId: publicId('rec', row.id), outcomes };
    const job = await enqueueJob(deps, tx, account_id, APPLY_JOB, params, author);
    const job_id = parseId('job', job.id) ?? null;
    const result = JSON.stringify(row.result);
    await updateReconciliation(tx, {
      account_id,
      id: row.id,
      result,
      error: null,
      job_id,
      import_id,
      is_applied: false,
    });
    const after = { name, outcomes, importId: publicId('imp', import_id) };
    await audit(tx, author, { action: 'reconciliation.applied', subject: subjectOf(row.id), after }, now);
  });
}

/** Starts the undo of what was applied. @throws ApiError 404; 400 */
export async function undoReconciliation(deps: Deps, request: FastifyRequest, id: string): Promise<Reconciliation> {
  const { accountId } = request.caller;
  const { status, importId } = await readReconciliation(deps, accountId, id);
  if (importId === null || (status !== 'applied' && status !== 'stopped')) {
    throw badRequest('reconciliation_not_applied', `The reconciliation is ${status}, so there is nothing to undo.`);
  }
  await undoImport(deps, request, importId);
  return readReconciliation(deps, accountId, id);
}

/** @throws ApiError 404; 400 while a job runs */
export async function deleteReconciliation(deps: Deps, request: FastifyRequest, publicRecId: string) {
  await change(deps, request, publicRecId, async (tx, row, { status, name }) => {
    if (status === 'matching' || status === 'applying') {
      throw badRequest('reconciliation_busy', 'Its job is running. Wait for its end, or cancel it.');
    }
    await deleteAll(tx, { account_id: request.caller.accountId, id: row.id });
    const change = { action: 'reconciliation.deleted', subject: subjectOf(row.id), before: { name } };
    await audit(tx, authorOf(request), change, deps.clock());
  });
  return { success: true };
}

export async function deleteExpiredReconciliations({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (;;) {
    const expired = await findExpiredReconciliations(db, { now: new Date(clock()) });
    for (const key of expired) await db.transaction((tx) => deleteAll(tx, key));
    if (expired.length === 0) return;
  }
}

async function deleteAll(tx: Tx, key: { account_id: string; id: string }): Promise<void> {
  await deleteLines(tx, key);
  await deleteReconciliationParts(tx, key);
  await deleteReconciliationRow(tx, key);
}

const subjectOf = (id: string) => ['reconciliation', publicId('rec', id)] as const;

export function uuidOf(publicRecId: string): string {
  const id = parseId('rec', publicRecId);
  if (id === undefined) throw notFound('reconciliation');
  return id;
}

const NOTHING = { count: 0, appliable: 0, applied: 0, amounts: [] };

function serializeReconciliation(row: ReconciliationRow, job: JobOf): Reconciliation {
  const { result } = row;
  const none = { equal: NOTHING, different: NOTHING, missingHere: NOTHING, missingThere: NOTHING };
  return {
    id: publicId('rec', row.id),
    name: row.name,
    settings: row.settings,
    status: statusOf(row, job),
    error: row.error ?? job?.error ?? null,
    rows: result?.rows ?? 0,
    ignored: result?.ignored ?? 0,
    faulty: result?.faulty ?? 0,
    from: result?.from ?? null,
    to: result?.to ?? null,
    outcomes: result?.outcomes ?? none,
    importId: row.import_id && publicId('imp', row.import_id),
    job: job ?? null,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  };
}

function statusOf(row: ReconciliationRow, job: JobOf): Reconciliation['status'] {
  // A job that has completed did so after the row was read.
  const isAlive = job !== undefined && ['queued', 'running', 'completed'].includes(job.status);
  if (row.result === null) return row.error === null && isAlive ? 'matching' : 'failed';
  if (row.import_id === null) return 'ready';
  if (row.undone_at !== null) return row.undo_finished_at === null ? 'undoing' : 'undone';
  if (row.is_applied) return 'applied';
  return isAlive ? 'applying' : 'stopped';
}

export function serializeLine(line: LineRow): ReconciliationLine {
  return {
    number: line.number,
    outcome: line.outcome,
    reason: line.reason,
    detail: line.detail,
    identifier: line.identifier,
    rows: line.rows,
    there: line.there,
    here: line.here,
    currency: line.currency,
    hereCurrency: line.here_currency,
    conversionId: line.conversion_id && publicId('cnv', line.conversion_id),
    at: line.at && isoTime(line.at),
    canApply: line.can_apply,
    isApplied: line.applied_at !== null,
  };
}
