import { Transform, type TransformCallback } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { badRequest } from '../errors.ts';

/** The chunks of a body of at most this length take a bounded amount of memory. */
const SMALL_BODY = 16_384;

/**
 * The body of a request, decompressed if it was sent with gzip, in chunks that are not tiny. The body limit applies to the
 * decoded size.
 * @throws ApiError 400 `content_encoding_unsupported`
 */
export function decodeBody(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') {
    const { 'content-length': length = 0, 'transfer-encoding': transfer } = request.headers;
    return transfer === undefined && Number(length) <= SMALL_BODY ? payload : joinChunks(payload);
  }
  if (encoding === 'gzip' || encoding === 'x-gzip') return joinChunks(gunzip(request, payload));
  throw badRequest('content_encoding_unsupported', 'The body must be sent as it is or compressed by gzip.');
}

function gunzip(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  // Fastify compares `receivedEncodedLength` with Content-Length, and counts what is decoded against the body limit.
  const decoded = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
  const limit = request.routeOptions.bodyLimit ?? 0;
  let size = 0;
  payload.on('data', (chunk: Buffer) => {
    decoded.receivedEncodedLength += chunk.length;
  });
  decoded.on('data', (chunk: Buffer) => {
    size += chunk.length;
    // Fastify has refused the body by then; decoding the rest of a bomb would only cost time.
    if (size > limit) setImmediate(() => decoded.destroy());
  });
  payload.once('error', (error) => decoded.destroy(error));
  // Fastify listens while it reads the body. A body that is refused unread can be damaged as well: without a listener, its
  // error would end the process.
  decoded.on('error', () => payload.unpipe(decoded).resume());
  return payload.pipe(decoded);
}

/**
 * Copies a body into blocks. Fastify keeps every chunk until the body is complete, and a chunk takes 300 bytes even if it is
 * one byte: a megabyte in such chunks would take 300 MB.
 */
function joinChunks(payload: RequestPayload): RequestPayload {
  const blocks = new JoinChunks();
  payload.once('error', (error) => blocks.destroy(error));
  blocks.on('error', () => payload.unpipe(blocks).resume());
  Object.defineProperty(blocks, 'receivedEncodedLength', { get: () => payload.receivedEncodedLength });
  return payload.pipe(blocks);
}

const BLOCK_BYTES = 16_384;

export class JoinChunks extends Transform {
  #block = Buffer.alloc(0);
  #used = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#used === this.#block.length) {
        this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        this.#used = 0;
      }
      const copied = chunk.copy(this.#block, this.#used, at);
      at += copied;
      this.#used += copied;
      if (this.#used === BLOCK_BYTES) this.push(this.#block);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#used < this.#block.length) this.push(this.#block.subarray(0, this.#used));
    done();
  }
}
