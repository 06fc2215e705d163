import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Collection } from '../content/index.ts';
import { useFilePart } from '../files/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { newUuid, publicId } from '../shared/ids.ts';
import { readHead } from './csv-rows.ts';
import { completeUpload, deleteImport, type ImportRow, insertImport, insertPart } from './queries.ts';

/** A sender that is silent for so long is given up. */
const IDLE_MS = 60_000;
const PART_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
/** Longer than any upload takes; then what was never completed is forgotten. */
const UPLOAD_MS = DAY_MS;
/** An import can be undone for so long. */
export const KEEP_MS = 30 * DAY_MS;

const SAMPLE_LENGTH = 100;

/**
 * Receives a file of entries, a part at a time: it is never in memory as a whole. Answers it once all of it is stored.
 * @throws ApiError 400 for everything that is wrong with the request or the file
 */
export async function receiveFile(deps: Deps, request: FastifyRequest, collection: Collection): Promise<ImportRow> {
  const { db, clock, config } = deps;
  const { accountId } = request.caller;
  const now = clock();
  const id = newUuid(now);
  try {
    return await useFilePart(request.raw, { idleMs: IDLE_MS, bytesBefore: PART_BYTES }, async (stream, sentName) => {
      const name =
        sentName
          .replace(/\p{Cc}/gu, ' ')
          .slice(0, 255)
          .toWellFormed()
          .trim() || 'entries.csv';
      await insertImport(db, accountId, id, collection.id, name, new Date(now), new Date(now + UPLOAD_MS));
      const { bytes, head } = await storeParts(stream, config.limits.importBytes, (number, part) =>
        insertPart(db, accountId, id, number, part),
      );
      const { separator, headings, samples } = readHead(head);
      const columns = headings.map((heading, at) => ({
        name: heading,
        samples: samples.map((row) => (row[at] ?? '').slice(0, SAMPLE_LENGTH).toWellFormed()),
      }));
      return db.transaction(async (tx) => {
        const expires = new Date(clock() + KEEP_MS);
        const [row] = await completeUpload(tx, accountId, id, bytes, separator, JSON.stringify(columns), expires);
        if (!row) throw new Error('an upload was forgotten while it arrived');
        const after = { collectionId: collection.publicId, name, bytes };
        const change = { action: 'import.uploaded', subject: ['import', publicId('imp', id)] as const, after };
        await audit(tx, authorOf(request), change, clock());
        return row;
      });
    });
  } catch (error) {
    await deleteImport(db, accountId, id);
    throw error;
  }
}

/** Cuts a stream into parts, checks that they are text, and hands each on. `head`: how the text begins. */
async function storeParts(
  stream: Readable,
  maxBytes: number,
  store: (number: number, part: Buffer) => Promise<unknown>,
): Promise<{ bytes: number; head: string }> {
  const text = new TextDecoder('utf-8', { fatal: true });
  let waiting: Buffer[] = [];
  let size = 0;
  let bytes = 0;
  let number = 0;
  let head = '';
  const flush = async () => {
    const part = Buffer.concat(waiting, size);
    if (number === 0) refuseUtf16(part);
    const decoded = decode(text, part);
    if (number === 0) head = decoded;
    await store(number++, part);
    waiting = [];
    size = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw badRequest('file_too_large', `A file of entries has at most ${maxBytes / 1_048_576} MiB.`);
    }
    waiting.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await flush();
  }
  if (bytes === 0) throw badRequest('file_empty', 'The file is empty.');
  if (size > 0) await flush();
  decode(text);
  return { bytes, head };
}

function refuseUtf16(head: Buffer): void {
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0xfeff) {
    throw badRequest('encoding_unsupported', 'The file is UTF-16. Save it as "CSV UTF-8" instead.');
  }
}

function decode(text: TextDecoder, part?: Buffer): string {
  try {
    if (part?.includes(0)) throw new Error('a zero byte');
    return part ? text.decode(part, { stream: true }) : text.decode();
  } catch (cause) {
    throw badRequest('encoding_unsupported', 'The file is no UTF-8 text. Save it as "CSV UTF-8" instead.', cause);
  }
}
