import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { networkOf } from './rate-limit.ts';
import type { App } from './server.ts';

export interface ConnectionLimits {
  /** Open connections of the process; more are closed at once. */
  connections: number;
  /** Open connections of one address, unless it is a trusted proxy. */
  connectionsPerAddress: number;
  /** Requests of one connection that are answered at the same time (pipelining). */
  requestsPerConnection: number;
  /** Bytes of request bodies that may be in memory before they are complete. */
  pendingBodyBytes: number;
}

/** Smaller bodies are bounded by the number of connections. */
const SMALL_BODY = 16_384;

/** Closes connections beyond the limits, and logs that it does, at most once a second. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  log: Logger,
): void {
  const open = new Map<string, number>();
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refused = (reason: string) => {
    if (performance.now() - loggedAt < 1_000) return;
    loggedAt = performance.now();
    log.warn({ reason, connections: limits.connections }, 'connections are refused');
  };
  server.maxConnections = limits.connections;
  server.on('drop', () => refused('too many connections'));
  // Without file descriptors accept(2) fails and the connection stays in the queue of the system.
  server.on('error', (error: NodeJS.ErrnoException) => refused(error.code ?? error.message));
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress);
    if (isTrustedProxy(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      refused('too many connections of one address');
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/** Refuses requests that would hold too much memory: deep pipelines, and large bodies that arrive slowly. */
export function limitPendingRequests(app: App, limits: ConnectionLimits): void {
  const requests = new WeakMap<Socket, number>();
  const pendingByAddress = new Map<string, number>();
  let pending = 0;

  const release = (request: FastifyRequest) => {
    const bytes = request.pendingBodyBytes;
    if (bytes === 0) return;
    request.pendingBodyBytes = 0;
    pending -= bytes;
    const address = networkOf(request.ip);
    const left = (pendingByAddress.get(address) ?? bytes) - bytes;
    if (left <= 0) pendingByAddress.delete(address);
    else pendingByAddress.set(address, left);
  };

  app.decorateRequest('pendingBodyBytes', 0);
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    const count = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, count);
    reply.raw.once('close', () => {
      requests.set(socket, (requests.get(socket) ?? 1) - 1);
      release(request);
    });
    if (count <= limits.requestsPerConnection) return next();
    next(tooMuch('Too many requests are pipelined on this connection. Wait for responses before sending more.'));
  });
  app.addHook('preParsing', (request, _reply, _payload, next) => {
    if (request.routeOptions.config.streams) return next();
    const declared = request.headers['content-length'];
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const { bodyLimit = SMALL_BODY } = request.routeOptions;
    const bytes = isChunked ? bodyLimit : Number(declared ?? 0);
    // Fastify refuses a body beyond its limit without reading it.
    if (!(bytes > SMALL_BODY && bytes <= bodyLimit)) return next();
    const address = networkOf(request.ip);
    const ofAddress = (pendingByAddress.get(address) ?? 0) + bytes;
    if (pending + bytes > limits.pendingBodyBytes || ofAddress > limits.pendingBodyBytes / 2) {
      return next(
        tooMuch('Too many large requests are arriving at the same time. Retry after the time in Retry-After.'),
      );
    }
    request.pendingBodyBytes = bytes;
    pending += bytes;
    pendingByAddress.set(address, ofAddress);
    next();
  });
  app.addHook('preValidation', (request, _reply, next) => {
    release(request);
    next();
  });
}

function tooMuch(detail: string): ApiError {
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '1' } });
}
