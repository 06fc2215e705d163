import type { FastifyRequest } from 'fastify';
import { type Collection, readListing } from '../content/index.ts';
import { fileJobHandler, type WrittenFile } from '../exports/index.ts';
import { enqueueJob, type JobHandler } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { escapePointer, type Fault, refuse } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { parseId } from '../shared/ids.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import type { EntriesExport } from './contract.ts';
import type { EntriesExportParams, EntriesExportPlan } from './export-entries.ts';
import { targetsOf } from './targets.ts';

export const EXPORT_ENTRIES = 'export_entries';

const SCRIPT = new URL('./export-thread.ts', import.meta.url);
const THREAD = { name: 'export-entries', heapMb: 256 };

/** Starts an export of a listing. @throws ApiError 400 with every fault of fields, sort and filters */
export function startExport(deps: Deps, request: FastifyRequest, collection: Collection, asked: EntriesExport) {
  const params = readRequest(collection, asked);
  const { accountId } = request.caller;
  return idempotently(deps.db, request, accountId, async (tx) => {
    const job = await enqueueJob(deps, tx, accountId, EXPORT_ENTRIES, params);
    const change = { action: 'export.started', subject: ['job', job.id] as const, after: { ...params } };
    await audit(tx, authorOf(request), change, deps.clock());
    return job;
  });
}

function readRequest(
  collection: Collection,
  { format, fields, sort, q, filter = {} }: EntriesExport,
): EntriesExportParams {
  const filters = Object.entries(filter).flatMap(([field, operators]) =>
    Object.entries(operators).map(([operator, value]) => ({ field, operator, value })),
  );
  const listing: EntriesExportParams['listing'] = {
    ...(sort !== undefined && { sort }),
    ...(q !== undefined && { q }),
    ...Object.fromEntries(filters.map(({ field, operator, value }) => [`filter[${field}][${operator}]`, value])),
  };
  const found: Fault[] = [];
  readListing(collection, listing, found);
  const pointers = new Map(
    filters.map(({ field, operator }) => [
      `?filter[${field}][${operator}]`,
      `/filter/${escapePointer(field)}/${escapePointer(operator)}`,
    ]),
  );
  const faults = found.map(({ pointer, ...fault }) => ({
    pointer: pointers.get(pointer) ?? pointer.replace('?', '/'),
    ...fault,
  }));
  const known = new Set(targetsOf(collection).map(({ name }) => name));
  for (const [i, field] of (fields ?? []).entries()) {
    const pointer = `/fields/${i}`;
    if (!known.has(field)) faults.push({ pointer, code: 'field_unknown', detail: 'There is no such active field.' });
    else if (fields?.indexOf(field) !== i) faults.push({ pointer, code: 'field_repeated', detail: 'is named twice' });
  }
  refuse(faults);
  return { collectionId: collection.publicId, format, fields: fields ?? null, listing };
}

/** What does the jobs of type `export_entries`. */
export function entriesExportHandler(deps: Deps): JobHandler {
  return fileJobHandler(deps, {
    nameOf: (params) => ({ name: 'entries', format: (params as EntriesExportParams).format }),
    write: (job, path) => {
      const params = job.params as EntriesExportParams;
      const plan: EntriesExportPlan = {
        connection: deps.db.connection,
        accountId: job.accountId,
        collectionId: parseId('col', params.collectionId) ?? '',
        params,
        path,
        publicUrl: deps.publicUrl(),
      };
      return runInThread<WrittenFile>(SCRIPT, plan, THREAD, job.signal, job.report);
    },
  });
}
