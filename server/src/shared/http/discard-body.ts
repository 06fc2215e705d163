import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFUSED } from './connection-limits.ts';

/** How many times `lingerMs` the rest of a body may take, however steadily it arrives. */
const LONGEST = 6;

/**
 * Reads and discards the rest of a refused body, for a limited time. If the connection were closed over it, the system
 * would reset the connection: a client that sends its whole request before it reads would fail, and never see the response.
 */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply, lingerMs: number): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
  if (raw.complete || !hasBody) return;
  if (/close/i.test(raw.headers.connection ?? '') || raw.httpVersion === '1.0') reply.header('connection', 'close');
  const { socket } = raw;
  const { destroySoon } = socket;
  // Node closes the connection right after a response that is the last one. Only the side that sends is closed here.
  socket.destroySoon = () => {
    // Nothing that follows could be answered.
    socket.pendingRequests = REFUSED;
    socket.end();
  };
  // A decoder that is no longer read would stop it.
  raw.unpipe();
  raw.resume();
  raw.once('end', () => {
    socket.destroySoon = destroySoon;
    // The client, which has the response, closes its side; otherwise this one does.
    if (socket.writableEnded) setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  reply.raw.once('finish', () => {
    if (raw.complete) return;
    const silent = setTimeout(() => raw.destroy(), lingerMs).unref();
    const late = setTimeout(() => raw.destroy(), LONGEST * lingerMs).unref();
    raw.on('data', () => silent.refresh());
    raw.once('close', () => {
      clearTimeout(silent);
      clearTimeout(late);
    });
  });
}
