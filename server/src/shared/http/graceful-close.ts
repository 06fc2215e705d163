import type { Server } from 'node:http';
import type { Server as Listener, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const CHECK_MS = 50;

/** A connection whose first request has not arrived is not idle before this time. */
const FIRST_REQUEST_MS = 1_000;

/** Connections that keep arriving do not delay the end for longer. */
const ACCEPT_MS = 1_000;

/** Prepares a server for its end. */
export interface Drain {
  /** Whether the server will be closed soon, so that load balancers should not send it anything. */
  isDraining: boolean;
  /** Of connections that the server did not accept itself; they are closed with it. */
  readonly listeners: Listener[];
  /** From now on each response is the last of its connection. New connections are still accepted. */
  start(): void;
}

/**
 * Makes `server.close()` respond to every request that was sent before, and end each connection after it.
 *
 * Node resets connections that the system has accepted and Node has not, checks only once for idle ones, so a connection whose
 * request ends later would stay open until its keep-alive time is over, and considers a response sent when it was handed to
 * the system, which cuts off long ones.
 */
export function closeGracefully(server: Server): Drain {
  const acceptedAt = new Map<Socket & { _httpMessage?: object | null }, number>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted++;
    acceptedAt.set(socket, performance.now());
    socket.once('close', () => acceptedAt.delete(socket));
  });
  server.closeIdleConnections = () => {
    const newSince = performance.now() - FIRST_REQUEST_MS;
    for (const [socket, at] of acceptedAt) {
      const isNew = socket.bytesWritten === 0 && at > newSince;
      if (!socket._httpMessage && !isNew) socket.destroySoon();
    }
  };

  /** Timers, such as those of a shutdown, run before waiting connections are accepted, which on a busy machine may be many. */
  async function acceptWaiting(): Promise<void> {
    const deadline = performance.now() + ACCEPT_MS;
    for (let before = -1; before !== accepted && performance.now() < deadline; ) {
      before = accepted;
      // In between Node accepts connections.
      await setImmediate();
      await setImmediate();
    }
  }

  const close = server.close;
  server.close = (done) => {
    if (!server.listening) return close.call(server, done);
    const checking = setInterval(() => server.closeIdleConnections(), CHECK_MS);
    void acceptWaiting()
      .then(() => {
        const more = drain.listeners.map((each) => new Promise((resolve) => each.close(resolve)));
        const own = new Promise<Error | undefined>((resolve) => close.call(server, resolve));
        return Promise.all([own, ...more]);
      })
      .then(([error]) => {
        clearInterval(checking);
        done?.(error);
      });
    return server;
  };
  const drain: Drain = {
    isDraining: false,
    listeners: [],
    start() {
      drain.isDraining = true;
      server.prependListener('request', (_request, response) => {
        response.shouldKeepAlive = false;
      });
    },
  };
  return drain;
}
