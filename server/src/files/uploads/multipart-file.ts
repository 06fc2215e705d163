import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest } from '../../shared/errors.ts';

interface FilePartOptions {
  /** How long the client may send nothing. */
  idleMs: number;
  /** How much may precede the file. */
  bytesBefore: number;
}

/** A file of a form. */
interface FilePart {
  /** Empty if the client sends none. */
  name: string;
  mediaType: string;
  /** The text fields of the form, known when the file has been read. */
  fields: Promise<Record<string, string>>;
}

const MAX_PARTS = 1_000;
const MAX_FIELDS = 20;
const FIELD_BYTES = 1_000;
/** Fields after the file are read up to this size. */
const BYTES_AFTER = 65_536;
const CHUNK_BYTES = 262_144;

/**
 * Streams the file of a multipart/form-data body, the first file part named `file`, to `use`. Other files are skipped, and
 * faults of what follows it are ignored.
 * @throws ApiError 400 `multipart_malformed`, `file_missing`, `too_many_parts`, `body_too_large`, `request_aborted`,
 *   `request_timeout`. If one of these ends the stream, it takes the place of what `use` throws
 */
export function receiveFilePart<T>(
  request: IncomingMessage,
  { idleMs, bytesBefore }: FilePartOptions,
  use: (file: Readable, part: FilePart) => Promise<T>,
): Promise<T> {
  const parser = openParser(request);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let file: Readable | undefined;
  let failure: ApiError | undefined;
  let broken: ApiError | undefined;
  let before = 0;
  let after = 0;
  let isFileRead = false;
  const fields: Record<string, string> = Object.create(null);
  const allFields = Promise.withResolvers<Record<string, string>>();

  const fail = (error: ApiError) => {
    failure ??= error;
    if (file) file.destroy(failure);
    else reject(failure);
  };
  const idle = setTimeout(() => {
    if (isFileRead) drain();
    else fail(badRequest('request_timeout', 'The client stopped sending the body. Retry the upload.'));
  }, idleMs);
  const onData = (chunk: Buffer) => {
    idle.refresh();
    if (isFileRead) after += chunk.length;
    if (after > BYTES_AFTER) drain();
    if (file !== undefined) return;
    before += chunk.length;
    if (before > bytesBefore)
      fail(badRequest('body_too_large', 'The parts before the file are too large. Send the file first.'));
  };
  const onClose = () => {
    if (isFileRead) drain();
    else if (!request.readableEnded)
      fail(badRequest('request_aborted', 'The client disconnected before the request was complete.'));
  };
  /** Drains the rest of the request. */
  const drain = () => {
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose).off('error', onClose);
    request.unpipe(parser);
    request.resume();
    allFields.resolve(fields);
  };

  parser.on('field', (name: string, value: string) => {
    if (Object.keys(fields).length < MAX_FIELDS) fields[name] = value;
  });

  parser.on('file', (name, stream, filename: string | undefined, _encoding, mediaType = '') => {
    if (name !== 'file' || file !== undefined || failure !== undefined) {
      // An error here concerns the whole body, which the parser reports as well.
      stream.on('error', () => {}).resume();
      return;
    }
    file = stream;
    // If the body ends within the file, the parser emits an error on itself and then on the file's stream, which it
    // ends as if it were complete. The reader of the stream may not be listening yet.
    const onEnd = () => {
      isFileRead = true;
    };
    stream.once('end', onEnd).once('error', () => {
      failure ??= broken;
      stream.destroy();
    });
    use(stream, { name: filename ?? '', mediaType, fields: allFields.promise }).then(
      (result) => (failure ? reject(failure) : resolve(result)),
      (error) => reject(failure ?? error),
    );
  });
  const failBefore = (error: ApiError) => {
    if (isFileRead) drain();
    else if (file === undefined) fail(error);
  };
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
      // The size of the file is limited where it is written.
      limits: { parts: MAX_PARTS, fieldSize: FIELD_BYTES, headerPairs: 100, headerSize: 16_384 },
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
