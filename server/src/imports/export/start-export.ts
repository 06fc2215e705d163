import type { FastifyRequest } from 'fastify';
import { type Collection, findListingFaults, publishedOf, uncachedView } from '../../content/index.ts';
import { BOM_NOT_ALLOWED, fileJobHandler, startExportJob, type WrittenFile } from '../../exports/index.ts';
import type { Storage } from '../../files/index.ts';
import { JobError, type JobHandler } from '../../jobs/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { escapePointer, refuse } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { runInThread } from '../../shared/run-in-thread.ts';
import { accessOfAuthor } from '../../users/index.ts';
import type { EntriesExport } from '../contract.ts';
import { entryColumns } from '../entry-columns.ts';
import { csvColumns, type EntriesExportParams, type EntriesExportPlan } from './write-entries.ts';

export const EXPORT_ENTRIES = 'export_entries';

const SCRIPT = new URL('./export-thread.ts', import.meta.url);
const THREAD = { name: 'export-entries', heapMb: 256 };

/** Starts an export of entries. @throws ApiError 400 with every fault of fields, sort and filters */
export async function startExport(deps: Deps, request: FastifyRequest, collection: Collection, body: EntriesExport) {
  const params = await readRequest(deps.db, request.caller, collection, body);
  return startExportJob(deps, request, EXPORT_ENTRIES, params);
}

async function readRequest(
  tx: Tx,
  { accountId, access }: FastifyRequest['caller'],
  collection: Collection,
  { format, fields, bom, state, sort, q, where, filter = {} }: EntriesExport,
): Promise<EntriesExportParams> {
  const listing: EntriesExportParams['listing'] = {
    ...(state !== undefined && { state }),
    ...(sort !== undefined && { sort }),
    ...(q !== undefined && { q }),
    ...(where !== undefined && { where: JSON.stringify(where) }),
  };
  /** Where the body has each filter of the listing. Other parameters are members of it. */
  const pointers = new Map<string, string>();
  for (const [field, operators] of Object.entries(filter)) {
    for (const [operator, value] of Object.entries(operators)) {
      const name = `filter[${field}][${operator}]`;
      listing[name] = value;
      pointers.set(`?${name}`, `/filter/${escapePointer(field)}/${escapePointer(operator)}`);
    }
  }
  if (state === 'published') publishedOf(collection, '/state');
  const found = await findListingFaults(tx, uncachedView(access), accountId, collection, listing);
  const faults = found.map(({ pointer, ...fault }) => ({
    pointer: pointers.get(pointer) ?? pointer.replace(/^\?/, '/'),
    ...fault,
  }));
  const columns = format === 'csv' ? csvColumns(collection) : entryColumns(collection);
  const known = new Set(columns.map(({ name }) => name));
  for (const [i, field] of fields?.entries() ?? []) {
    const pointer = `/fields/${i}`;
    if (!known.has(field)) {
      faults.push({
        pointer,
        code: 'field_unknown',
        detail: `The collection has no active field "${field}", nor the file such a column.`,
      });
    } else if (fields?.indexOf(field) !== i) {
      faults.push({ pointer, code: 'field_repeated', detail: `Name each field once: "${field}" is repeated.` });
    }
  }
  if (bom && format !== 'csv') faults.push(BOM_NOT_ALLOWED);
  refuse(faults);
  return { collectionId: collection.publicId, format, fields: fields ?? null, ...(bom && { bom }), listing };
}

/** Runs jobs of type `export_entries`. */
export function entriesExportHandler(deps: Deps, storage: Storage): JobHandler {
  return fileJobHandler<EntriesExportParams>(storage, {
    nameOf: ({ format }) => ({ name: 'entries', format }),
    async write(params, job, path) {
      const found = job.author ? await accessOfAuthor(deps.control, job.accountId, job.author) : {};
      if (!found) throw new JobError('access_ended', 'Who started this no longer has access to the account.');
      const plan: EntriesExportPlan = {
        connection: deps.db.connection,
        accountId: job.accountId,
        collectionId: parseId('col', params.collectionId) ?? '',
        params,
        path,
        publicUrl: deps.publicUrl(),
        ...found,
      };
      return runInThread<WrittenFile>(SCRIPT, plan, THREAD, job.signal, job.report);
    },
  });
}
