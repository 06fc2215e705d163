import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long an answered sender may go on sending, and how long it may be silent, before the connection is closed. */
const LINGER_MS = 30_000;
const SILENT_MS = 5_000;

/**
 * An `onSend` hook for answers given while the body still arrives (a refused file, or parts behind the file). Closing the
 * connection at once would reset it, and a client that is busy sending would never read the answer. So the answer is
 * sent complete, and its connection closed only when the client has sent everything, or hung up, or taken too long.
 */
export async function lingerForSender(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.raw.complete || request.raw.readableEnded || typeof payload !== 'string') return payload;
  reply.header('content-length', Buffer.byteLength(payload)).header('connection', 'close');
  return Readable.from(answerThenDrain(payload, request.raw));
}

async function* answerThenDrain(payload: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(payload);
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = setTimeout(resolve, SILENT_MS);
  const late = setTimeout(resolve, LINGER_MS);
  request
    .on('data', () => silent.refresh())
    .once('end', resolve)
    .once('close', resolve)
    .resume();
  if (request.readableEnded || request.destroyed) resolve();
  await promise;
  clearTimeout(silent);
  clearTimeout(late);
}
