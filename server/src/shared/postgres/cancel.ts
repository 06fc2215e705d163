import net from 'node:net';
import type pg from 'pg';
import { FairQueue } from '../fair-queue.ts';

/** Connections that cancel, at the same time. They do not count against the limit of the server. */
const CONCURRENCY = 4;
const TIMEOUT_MS = 2_000;
/** A signal that is late ends the next statement instead, which changes nothing. */
const FENCES = 3;
const CANCEL_REQUEST = 80_877_102;
const CANCELED = '57014';

/** What of the driver's client says which process of the server executes its statements. */
type Backend = pg.ClientBase & { processID: number; secretKey: number; host: string; port: number };

const queue = new FairQueue({ slots: CONCURRENCY, slotsPerKey: CONCURRENCY, queuedPerKey: 10_000 });

/**
 * Asks the server to cancel what it executes on this connection, on a connection of its own. Resolves once the server has
 * sent the signal; false: it is not known whether it will.
 *
 * The signal reaches the process, whatever it executes by then. So the connection must not serve anybody else before this
 * has resolved, and `isQuiet` has.
 */
export function cancelStatement(client: pg.ClientBase): Promise<boolean> {
  return queue.run('', {}, () => sendCancel(client as Backend));
}

function sendCancel({ host, port, processID, secretKey }: Backend): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    let isSent = false;
    const timer = setTimeout(() => {
      isSent = false;
      socket.destroy();
    }, TIMEOUT_MS);
    socket.on('connect', () => {
      const message = Buffer.alloc(16);
      message.writeInt32BE(16, 0);
      message.writeInt32BE(CANCEL_REQUEST, 4);
      message.writeInt32BE(processID, 8);
      message.writeInt32BE(secretKey, 12);
      socket.write(message);
      isSent = true;
    });
    // The server closes the connection after it has sent the signal.
    socket.resume().on('error', () => {
      isSent = false;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(isSent);
    });
  });
}

/** Whether a connection, on which nothing runs, executes statements again: a signal that came too late ends one of these. */
export async function isQuiet(client: pg.ClientBase): Promise<boolean> {
  for (let i = 0; i < FENCES; i++) {
    try {
      await client.query('select 1');
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== CANCELED) return false;
    }
  }
  return false;
}
