import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest } from '../../shared/errors.ts';

export interface FilePartOptions {
  /** How long the client may send nothing. */
  idleMs: number;
  /** How much may precede the file. */
  bytesBefore: number;
}

const MAX_PARTS = 1_000;
const CHUNK_BYTES = 262_144;

/**
 * Streams the file of a multipart/form-data body, the first file part named `file`, to `use`. Parts before it are skipped,
 * and what follows it is drained without being parsed.
 * @throws ApiError 400 `multipart_malformed`, `file_missing`, `too_many_parts`, `body_too_large`, `request_aborted`,
 *   `request_timeout`. If one of these ends the stream, it takes the place of what `use` throws
 */
export function receiveFilePart<T>(
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
  const idle = setTimeout(
    () => fail(badRequest('request_timeout', 'The client stopped sending the body. Retry the upload.')),
    idleMs,
  );
  const onData = (chunk: Buffer) => {
    idle.refresh();
    if (file !== undefined) return;
    before += chunk.length;
    if (before > bytesBefore)
      fail(badRequest('body_too_large', 'The parts before the file are too large. Send the file first.'));
  };
  const onClose = () => {
    if (!request.readableEnded)
      fail(badRequest('request_aborted', 'The client disconnected before the request was complete.'));
  };
  /** Drains the rest of the request. */
  const drain = () => {
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose).off('error', onClose);
    request.unpipe(parser);
    request.resume();
  };

  parser.on('file', (name, stream, filename: string | undefined) => {
    if (name !== 'file' || file !== undefined || failure !== undefined) {
      // An error here concerns the whole body, which the parser reports as well.
      stream.on('error', () => {}).resume();
      return;
    }
    file = stream;
    // If the body ends within the file, the parser emits an error on itself and then on the file's stream, which it
    // ends as if it were complete. The reader of the stream may not be listening yet.
    stream.once('end', drain).once('error', () => {
      failure ??= broken;
      stream.destroy();
    });
    use(stream, filename ?? '').then(
      (result) => (failure ? reject(failure) : resolve(result)),
      (error) => reject(failure ?? error),
    );
  });
  // Errors after the file are ignored.
  const failBefore = (error: ApiError) => file ?? fail(error);
  parser.on('error', (cause) => {
    broken = malformed(cause);
    failBefore(broken);
  });
  parser.on('partsLimit', () => failBefore(badRequest('too_many_parts', `The body has more than ${MAX_PARTS} parts.`)));
  parser.on('finish', () => failBefore(badRequest('file_missing', 'The body has no file part named "file".')));
  request.pipe(parser);
  // Registered after the parser, which may find the file in the chunk that is counted here.
  request.on('data', onData).on('close', onClose).on('error', onClose);
  if (request.destroyed) onClose();
  return promise.finally(drain);
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      highWaterMark: CHUNK_BYTES,
      fileHwm: CHUNK_BYTES,
      isPartAFile,
      // Text fields are ignored; the size of the file is limited where it is written.
      limits: { parts: MAX_PARTS, fieldSize: 0, headerPairs: 100, headerSize: 16_384 },
    });
  } catch (cause) {
    throw malformed(cause, ' Let the HTTP client set Content-Type, so that it includes the boundary.');
  }
}

/** Some clients name no file; its content type then tells it from a text field. */
function isPartAFile(
  _name: string | undefined,
  contentType: string | undefined,
  filename: string | undefined,
): boolean {
  return filename !== undefined || /^(?:image\/|video\/|application\/octet-stream$)/i.test(contentType ?? '');
}

function malformed(cause: unknown, advice = ''): ApiError {
  return badRequest('multipart_malformed', `The body is not valid multipart/form-data.${advice}`, cause);
}
