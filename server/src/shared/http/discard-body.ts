import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Reads and discards the rest of a refused body, for a limited time. If the connection were closed over it, the system
 * would reset the connection, and the client could lose the response.
 */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply, lingerMs: number): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
  if (raw.complete || !hasBody) return;
  const isClosing = /close/i.test(raw.headers.connection ?? '') || raw.httpVersion === '1.0';
  // Node would close the connection right after the response of a client that asked for that.
  if (isClosing) reply.header('connection', 'keep-alive');
  // A decoder that is no longer read would stop it.
  raw.unpipe();
  raw.resume();
  reply.raw.once('finish', () => {
    if (raw.complete) return void (isClosing && raw.socket.end());
    const silent = setTimeout(() => raw.destroy(), lingerMs).unref();
    const late = setTimeout(() => raw.destroy(), 6 * lingerMs).unref();
    raw.on('data', () => silent.refresh());
    raw.once('end', () => isClosing && raw.socket.end());
    raw.once('close', () => {
      clearTimeout(silent);
      clearTimeout(late);
    });
  });
}
