import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { listen } from './listen.ts';
import { createServer } from './server.ts';

const CLIENTS = 32;

/** Opens connections to a port, while the main thread does nothing else, until the system has all of them. */
const CONNECT = `
  const { connect } = require('node:net');
  const { workerData: { port, count, flag } } = require('node:worker_threads');
  let open = 0;
  for (let i = 0; i < count; i++) connect(port, '127.0.0.1', () => {
    if (++open < count) return;
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }).on('error', () => {});
`;

describe('listening', { skip: process.platform !== 'linux' }, () => {
  const app = createServer(readConfig({}), createLog('silent'), createMetrics());
  app.get('/', { schema: { hide: true } }, async () => ({}));
  after(() => app.close());

  it('accepts several connections in a turn of the event loop', async () => {
    await listen(app, { host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    let accepted = 0;
    app.server.on('connection', () => accepted++);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(CONNECT, { eval: true, workerData: { port, count: CLIENTS, flag } });
    Atomics.wait(flag, 0, 0);
    let turns = 0;
    for (; accepted < CLIENTS; turns++) await turn();
    await worker.terminate();
    // By one socket it would be a turn for each.
    assert.ok(turns < CLIENTS / 2, `${turns} turns`);
  });

  it('shares its port with no other process', async () => {
    const { port } = app.server.address() as AddressInfo;
    const other = createServer(readConfig({}), createLog('silent'), createMetrics());
    await assert.rejects(listen(other, { host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
    await other.close();
  });

  it('responds to what was sent over all of them before it closes', async () => {
    const { port } = app.server.address() as AddressInfo;
    const sockets: Socket[] = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => {
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      return String((await once(socket, 'data'))[0]).slice(0, 15);
    });
    const closed = app.close();
    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: CLIENTS }, () => 'HTTP/1.1 200 OK'),
    );
    await closed;
    await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
  });
});
