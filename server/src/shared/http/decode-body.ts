import { createGunzip } from 'node:zlib';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { badRequest } from '../errors.ts';

/**
 * The JSON body of a request, decompressed if it was sent with gzip. The body limit applies to the decoded size.
 * @throws ApiError 400 `content_encoding_unsupported`
 */
export function decodeBody(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return payload;
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzip(request, payload);
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
