import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { networkOf } from './rate-limit.ts';

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

/**
 * Closes connections beyond the limits, and logs that it does, at most once a second. At the limit of the process, the
 * address with the most connections loses an idle one to an address that has less than half as many: one
 * address with thousands does not keep others out, and equal addresses do not keep replacing each other.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
  log: Logger,
): void {
  /** Connections by address, the oldest first. */
  const open = new Map<string, Set<Socket>>();
  let count = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refused = (reason: string) => {
    if (performance.now() - loggedAt < 1_000) return;
    loggedAt = performance.now();
    log.warn({ reason, connections: limits.connections }, 'connections are refused');
  };
  server.maxConnections = limits.connections + EVICTION_ROOM;
  server.on('drop', () => refused('too many connections'));
  // Without file descriptors accept(2) fails and the connection stays in the queue of the system.
  server.on('error', (error: NodeJS.ErrnoException) => refused(error.code ?? error.message));
  const isAdmitted = (socket: Socket): boolean => {
    const address = networkOf(socket.remoteAddress);
    const ofAddress = open.get(address) ?? new Set();
    if (ofAddress.size >= limits.connectionsPerAddress && !isTrustedProxy(address)) {
      refused('too many connections of one address');
      return false;
    }
    if (count >= limits.connections) {
      refused('too many connections');
      const idle = idleOf(largest(open, isTrustedProxy), ofAddress.size);
      if (!idle) return false;
      // Counted at once: more connections may arrive before its `close` event.
      remove(idle.socket, idle.address);
      idle.socket.destroy();
    }
    ofAddress.add(socket);
    open.set(address, ofAddress);
    count++;
    socket.once('close', () => remove(socket, address));
    return true;
  };
  filterListeners<[Socket]>(server, 'connection', (socket) => {
    if (isAdmitted(socket)) return true;
    socket.destroy();
    return false;
  });

  const remove = (socket: Socket, address: string) => {
    const ofAddress = open.get(address);
    if (!ofAddress?.delete(socket)) return;
    count--;
    if (ofAddress.size === 0) open.delete(address);
  };
}

/** New connections that are accepted at the limit, until others are closed for them. */
const EVICTION_ROOM = 512;

type Connections = ReadonlyMap<string, ReadonlySet<Socket>>;

function largest(open: Connections, isTrustedProxy: (address: string) => boolean): [string, ReadonlySet<Socket>] {
  let most: [string, ReadonlySet<Socket>] = ['', new Set()];
  for (const each of open) if (each[1].size > most[1].size && !isTrustedProxy(each[0])) most = each;
  return most;
}

/** The oldest connection that is not waiting for a response; undefined if the address of the new one has half as many. */
function idleOf([address, sockets]: [string, ReadonlySet<Socket>], ofNew: number) {
  if (2 * ofNew >= sockets.size) return undefined;
  for (const socket of sockets) if (!socket.pendingRequests) return { socket, address };
  return undefined;
}

declare module 'node:net' {
  interface Socket {
    /** Requests of this connection without a complete response; `REFUSED` if there were too many. */
    pendingRequests?: number;
  }
}

/** Bounds the memory of requests: deep pipelines, and large bodies that arrive slowly. */
export class PendingRequests {
  readonly #limits: ConnectionLimits;
  readonly #bytesByAddress = new Map<string, number>();
  #bytes = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Counts a request, for which `end` must be called unless its connection is closed. */
  start({ raw: { socket } }: FastifyRequest): ApiError | undefined {
    const count = (socket.pendingRequests ?? 0) + 1;
    socket.pendingRequests = count;
    if (count <= this.#limits.requestsPerConnection) return undefined;
    socket.pendingRequests = REFUSED;
    const detail = 'Too many requests are pipelined on this connection. Wait for responses before sending more.';
    return tooMuch(detail, { connection: 'close' });
  }

  end({ raw: { socket } }: FastifyRequest): void {
    // A client that has disconnected may have no socket anymore.
    if (socket?.pendingRequests) socket.pendingRequests--;
  }

  /** Reserves memory for a large body, until `releaseBody` is called or the connection is closed. */
  reserveBody(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const { 'content-length': declared, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && !(Number(declared) > SMALL_BODY)) return undefined;
    const { bodyLimit = SMALL_BODY } = request.routeOptions;
    const bytes = encoding === undefined ? Number(declared) : bodyLimit;
    // Fastify refuses a body beyond its limit without reading it.
    if (bytes > bodyLimit) return undefined;
    const address = networkOf(request.ip);
    const ofAddress = (this.#bytesByAddress.get(address) ?? 0) + bytes;
    const { pendingBodyBytes } = this.#limits;
    if (this.#bytes + bytes > pendingBodyBytes || ofAddress > pendingBodyBytes / 2) {
      return tooMuch('Too many large requests are arriving at the same time. Retry after the time in Retry-After.');
    }
    request.reservedBytes = bytes;
    this.#bytes += bytes;
    this.#bytesByAddress.set(address, ofAddress);
    reply.raw.once('close', () => this.releaseBody(request));
    return undefined;
  }

  releaseBody(request: FastifyRequest): void {
    const bytes = request.reservedBytes;
    if (bytes === 0) return;
    request.reservedBytes = 0;
    this.#bytes -= bytes;
    const address = networkOf(request.ip);
    const left = (this.#bytesByAddress.get(address) ?? bytes) - bytes;
    if (left <= 0) this.#bytesByAddress.delete(address);
    else this.#bytesByAddress.set(address, left);
  }
}

/**
 * Drops what is pipelined behind a refused request, whose response closes the connection. One read of a socket can contain a
 * thousand requests; to refuse them one by one would take 0.1 s.
 */
export function dropRefusedPipelines(server: Server): void {
  filterListeners<[IncomingMessage, ServerResponse]>(
    server,
    'request',
    (request) => request.socket.pendingRequests !== REFUSED,
  );
}

/** Keeps an event from the present listeners, Node's own above all: what is refused costs little. */
function filterListeners<Arguments extends unknown[]>(
  server: Server,
  event: string,
  passes: (...values: Arguments) => boolean,
): void {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (...values: Arguments) => {
    if (!passes(...values)) return;
    for (const listener of listeners) listener.apply(server, values);
  });
}

/** Of a connection whose further requests are dropped. */
export const REFUSED = Number.POSITIVE_INFINITY;

function tooMuch(detail: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '1', ...headers } });
}
