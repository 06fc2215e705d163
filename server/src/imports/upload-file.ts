import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Collection } from '../content/index.ts';
import { receiveFilePart } from '../files/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { newUuid, publicId } from '../shared/ids.ts';
import { readHead } from './csv-rows.ts';
import { completeUpload, deleteImport, type ImportRow, insertImport, insertPart } from './queries.ts';

/** An upload that sends nothing for this long is aborted. */
const IDLE_MS = 60_000;
const PART_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
/** Longer than any upload takes. Incomplete uploads expire after it. */
const UPLOAD_EXPIRY_MS = DAY_MS;
/** How long an import is stored, and can be undone. */
export const IMPORT_EXPIRY_MS = 30 * DAY_MS;

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
    return await receiveFilePart(
      request.raw,
      { idleMs: IDLE_MS, bytesBefore: PART_BYTES },
      async (stream, sentName) => {
        const name =
          sentName
            .replace(/\p{Cc}/gu, ' ')
            .slice(0, 255)
            .toWellFormed()
            .trim() || 'entries.csv';
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
      },
    );
  } catch (error) {
    await deleteImport(db, { account_id, id });
    throw error;
  }
}

/** Splits a stream into parts and stores each, after checking that it is UTF-8. Returns the size and the start of the text. */
async function storeParts(
  stream: Readable,
  maxBytes: number,
  store: (number: number, part: Buffer) => Promise<unknown>,
): Promise<{ bytes: number; head: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let chunks: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let number = 0;
  let head = '';
  const flush = async () => {
    const part = Buffer.concat(chunks, size);
    if (number === 0) refuseUtf16(part);
    const text = decode(decoder, part);
    if (number === 0) head = text;
    await store(number++, part);
    chunks = [];
    size = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw badRequest('file_too_large', `The file is too large. The limit is ${maxBytes / 1_048_576} MiB.`);
    }
    chunks.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await flush();
  }
  if (bytes === 0) throw badRequest('file_empty', 'The file is empty.');
  if (size > 0) await flush();
  decode(decoder);
  return { bytes, head };
}

function refuseUtf16(head: Buffer): void {
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) {
    throw badRequest('encoding_unsupported', 'The file is UTF-16. Save it as "CSV UTF-8" instead.');
  }
}

function decode(decoder: TextDecoder, part?: Buffer): string {
  try {
    if (part?.includes(0)) throw new Error('a zero byte');
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw badRequest('encoding_unsupported', 'The file is not UTF-8 text. Save it as "CSV UTF-8" instead.', cause);
  }
}
