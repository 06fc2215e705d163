import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest } from '../shared/errors.ts';

export interface FilePartOptions {
  /** A sender that is silent for so long is given up. */
  idleMs: number;
  /** So much is read before the file begins. */
  bytesBefore: number;
}

const MAX_PARTS = 1_000;
const CHUNK_BYTES = 262_144;

/**
 * Finds the file of a multipart/form-data body, the first file part that is named `file`, and hands it to `use` while it
 * arrives. Everything else is drained: parts before it are parsed for it, what follows is not even looked at.
 * @returns what `use` does
 * @throws ApiError 400 `multipart_malformed`, `file_missing`, `too_many_parts`, `body_too_large`, `request_aborted`,
 *   `request_timeout`; what `use` throws, after its stream was ended by one of these, is that error
 */
export function useFilePart<T>(
  request: IncomingMessage,
  { idleMs, bytesBefore }: FilePartOptions,
  use: (file: Readable, name: string) => Promise<T>,
): Promise<T> {
  const parser = openParser(request);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let file: Readable | undefined;
  let failure: ApiError | undefined;
  let broken: ApiError | undefined;
  let before = 0;

  const fail = (error: ApiError) => {
    failure ??= error;
    if (file) file.destroy(failure);
    else reject(failure);
  };
  const idle = setTimeout(() => fail(badRequest('request_timeout', 'The body stopped arriving.')), idleMs);
  const onData = (chunk: Buffer) => {
    idle.refresh();
    if (file !== undefined) return;
    before += chunk.length;
    if (before > bytesBefore) fail(badRequest('body_too_large', 'The parts before the file are too large.'));
  };
  const onClose = () => {
    if (!request.readableEnded) fail(badRequest('request_aborted', 'The request ended before it was complete.'));
  };
  /** The rest of the request flows to nowhere. */
  const leave = () => {
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose).off('error', onClose);
    request.unpipe(parser);
    request.resume();
  };

  parser.on('file', (name, stream, filename: string | undefined) => {
    if (name !== 'file' || file !== undefined || failure !== undefined) {
      // Its error would be of the whole body, of which the parser tells as well.
      stream.on('error', () => {}).resume();
      return;
    }
    file = stream;
    // Where the body ends within the file, the parser tells, and then has the file's stream emit an error, and end as if
    // it were whole. Whoever reads it may not listen yet.
    stream.once('end', leave).once('error', () => {
      failure ??= broken;
      stream.destroy();
    });
    use(stream, filename ?? '').then(
      (result) => (failure ? reject(failure) : resolve(result)),
      (error) => reject(failure ?? error),
    );
  });
  // Of what comes behind the file nobody wants to know.
  const failBefore = (error: ApiError) => file ?? fail(error);
  parser.on('error', (cause) => {
    broken = malformed(cause);
    failBefore(broken);
  });
  parser.on('partsLimit', () => failBefore(badRequest('too_many_parts', `There are more than ${MAX_PARTS} parts.`)));
  parser.on('finish', () => failBefore(badRequest('file_missing', 'There is no file part named "file".')));
  request.pipe(parser);
  // After the parser, which may find the file in the very chunk that is counted here.
  request.on('data', onData).on('close', onClose).on('error', onClose);
  if (request.destroyed) onClose();
  return promise.finally(leave);
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      highWaterMark: CHUNK_BYTES,
      fileHwm: CHUNK_BYTES,
      // Text fields are of no interest; the size of the file is counted where it is written.
      limits: { parts: MAX_PARTS, fieldSize: 0, headerPairs: 100, headerSize: 16_384 },
    });
  } catch (cause) {
    throw malformed(cause, ' Let the HTTP client set Content-Type, so that it names the boundary.');
  }
}

function malformed(cause: unknown, advice = ''): ApiError {
  return badRequest('multipart_malformed', `The body is not complete multipart/form-data.${advice}`, cause);
}
