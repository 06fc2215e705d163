import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import type { App } from './server.ts';

/** Accepts JSON bodies that are compressed by gzip. The body limit applies to the decoded size. */
export function decodeBodies(app: App): void {
  app.addHook('preParsing', (request, _reply, payload, next) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase();
    if (encoding === undefined || encoding === '' || encoding === 'identity') return next(null, payload);
    if (request.routeOptions.config.streams) return next(null, payload);
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      return next(badRequest('content_encoding_unsupported', 'The body must be sent as it is or compressed by gzip.'));
    }
    next(null, gunzip(request, payload));
  });
}

function gunzip(request: FastifyRequest, payload: Readable): Readable {
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
