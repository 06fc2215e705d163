import type { FastifyRequest } from 'fastify';
import type { Collection } from '../content/index.ts';
import { receiveFilePart } from '../files/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import { readHead } from '../shared/csv-rows.ts';
import type { Deps } from '../shared/deps.ts';
import { newUuid, publicId } from '../shared/ids.ts';
import { PART_BYTES, storableName, storeParts } from '../shared/text-parts.ts';
import { DAY, MINUTE } from '../shared/units.ts';
import { completeUpload, deleteImport, type ImportRow, insertImport, insertPart } from './queries.ts';

/** An upload that sends nothing for this long is aborted. */
const IDLE_MS = MINUTE;
/** Longer than any upload takes. Incomplete uploads expire after it. */
const UPLOAD_EXPIRY_MS = DAY;
/** How long an import is stored, and can be undone. */
export const IMPORT_EXPIRY_MS = 30 * DAY;

const SAMPLE_LENGTH = 100;

/**
 * Receives a file of entries part by part, so that it is never in memory as a whole.
 * @throws ApiError 400 if the request or the file is invalid
 */
export async function uploadFile(deps: Deps, request: FastifyRequest, collection: Collection): Promise<ImportRow> {
  const { db, clock, config } = deps;
  const account_id = request.caller.accountId;
  const now = clock();
  const id = newUuid(now);
  try {
    return await receiveFilePart(request.raw, { idleMs: IDLE_MS, bytesBefore: PART_BYTES }, async (stream, sent) => {
      const name = storableName(sent.name, 'entries.csv');
      const expires_at = new Date(now + UPLOAD_EXPIRY_MS);
      await insertImport(db, { account_id, id, collection_id: collection.id, name, now: new Date(now), expires_at });
      const { bytes, head } = await storeParts(stream, config.limits.importBytes, (number, part) =>
        insertPart(db, { account_id, import_id: id, number, bytes: part }),
      );
      const { delimiter, headings, samples } = readHead(head);
      const columns = headings.map((heading, at) => ({
        name: heading,
        samples: samples.map((row) => (row[at] ?? '').slice(0, SAMPLE_LENGTH).toWellFormed()),
      }));
      return db.transaction(async (tx) => {
        const upload = {
          delimiter,
          columns: JSON.stringify(columns),
          expires_at: new Date(clock() + IMPORT_EXPIRY_MS),
        };
        const [row] = await completeUpload(tx, { account_id, id, bytes, ...upload });
        if (!row) throw new Error('the import expired during its upload');
        const after = { collectionId: collection.publicId, name, bytes };
        const change = { action: 'import.uploaded', subject: ['import', publicId('imp', id)] as const, after };
        await audit(tx, authorOf(request), change, clock());
        return row;
      });
    });
  } catch (error) {
    await deleteImport(db, { account_id, id });
    throw error;
  }
}
