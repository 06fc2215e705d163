/** Endpoints that attack the service: each attempt takes bounded time and memory, and never blocks the event loop. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { longestBlock } from '../../../test/event-loop.ts';
import { until } from '../../../test/until.ts';
import { connectPolicy } from '../../shared/outbound/connect-policy.ts';
import { type Outcome, Sender } from '../../shared/outbound/sender.ts';
import { deliveringService, listen, newWebhook, startReceiver } from '../test-support.ts';

const TIMEOUT_MS = 1_000;
const MAX_BLOCK = 250;
const MAX_MEMORY = 100 * 1_048_576;

/** Writes the same bytes as fast as the client reads them. */
function flood(socket: Socket, bytes: string | Buffer): void {
  const write = () => {
    while (!socket.destroyed && socket.writable) if (!socket.write(bytes)) return void socket.once('drain', write);
  };
  write();
}

/** Writes the bytes one by one, slowly, forever. */
function drip(socket: Socket, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes[at++ % bytes.length] ?? ''), 2);
  socket.once('close', () => clearInterval(timer));
}

const OK = 'HTTP/1.1 200 OK\r\n';
const bomb = gzipSync(Buffer.alloc(200 * 1_048_576));

/** How endpoints respond, and the expected status and error. */
const ATTACKS: Record<string, [respond: (socket: Socket) => unknown, status: number | null, error: RegExp | null]> = {
  'no response': [() => {}, null, /^timeout$/],
  'slow status line': [(socket) => drip(socket, 'HTTP/1.1 200 OK'), null, /^(timeout|response_malformed)/],
  'slow headers': [(socket) => socket.write(OK) && drip(socket, 'x: y\r\n'), null, /^timeout$/],
  'slow body': [(socket) => socket.write(`${OK}content-length: 9\r\n\r\n`) && socket.write('x'), 200, /^timeout$/],
  'endless body': [(socket) => socket.write(`${OK}\r\n`) && flood(socket, Buffer.alloc(65_536)), 200, null],
  'endless chunks of a byte': [
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`) && flood(socket, '1\r\nx\r\n'.repeat(10_000)),
    200,
    null,
  ],
  'endless chunk extension': [
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`) && flood(socket, 'x'.repeat(65_536)),
    200,
    /^(response_malformed|timeout)/,
  ],
  'a chunk of 16 exabytes': [
    (socket) =>
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n`) && flood(socket, 'x'.repeat(65_536)),
    200,
    null,
  ],
  'an endless error': [
    (socket) => socket.write('HTTP/1.1 500 No\r\n\r\n') && flood(socket, Buffer.alloc(65_536, 'é')),
    500,
    /^status/,
  ],
  'endless headers': [
    (socket) => socket.write(OK) && flood(socket, 'x: y\r\n'.repeat(1_000)),
    null,
    /^response_too_large/,
  ],
  'one huge header': [
    (socket) => socket.write(`${OK}x: `) && flood(socket, 'y'.repeat(65_536)),
    null,
    /^response_too_large/,
  ],
  'endless status line': [
    (socket) => socket.write('HTTP/1.1 200 ') && flood(socket, 'x'.repeat(65_536)),
    null,
    /^response_/,
  ],
  'endless trailers': [
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`) && flood(socket, 'x: y\r\n'.repeat(1_000)),
    200,
    /^(response_|timeout)/,
  ],
  'endless informational responses': [
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)),
    null,
    /^response_too_large/,
  ],
  'a gzip bomb': [
    (socket) =>
      socket.end(Buffer.concat([Buffer.from(`${OK}content-encoding: gzip\r\nconnection: close\r\n\r\n`), bomb])),
    200,
    null,
  ],
  'a gzip bomb as an error': [
    (socket) =>
      socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 500 No\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n'), bomb]),
      ),
    500,
    /^status/,
  ],
  'two responses at once': [(socket) => socket.write(`${OK}content-length: 0\r\n\r\n`.repeat(2)), 200, null],
  'a protocol switch': [
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    null,
    /./,
  ],
  'conflicting lengths': [
    (socket) => socket.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    null,
    /^response_malformed/,
  ],
};

test('no response takes longer than the timeout, blocks the event loop, or fills memory', async () => {
  for (const [name, [respond, status, error]] of Object.entries(ATTACKS)) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => respond(socket));
    });
    const url = new URL(`http://127.0.0.1:${await listen(server)}/`);
    const sender = new Sender({ mayConnect: connectPolicy(['127.0.0.0/8']), timeoutMs: TIMEOUT_MS });
    const before = process.memoryUsage().rss;
    let outcome: Outcome | undefined;
    const blocked = await longestBlock(async () => {
      outcome = await sender.send(url, {}, '{}');
    });
    sender.close();
    assert.ok(outcome);
    assert.equal(outcome.status, status, `${name}: ${JSON.stringify(outcome)}`);
    if (error === null) assert.equal(outcome.error, null, name);
    else assert.match(outcome.error ?? '', error, name);
    assert.ok((outcome.response ?? '').length <= 1_000, name);
    assert.ok(blocked <= MAX_BLOCK, `${name} blocked the event loop for ${blocked} units`);
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown <= MAX_MEMORY, `${name} took ${Math.round(grown / 1_048_576)} MB`);
    server.close();
  }
});

test('a payload too large to be queued in memory is delivered unchanged', async () => {
  const service = await deliveringService();
  const account = await service.newAccount();
  const receiver = await startReceiver();
  await newWebhook(service, account, receiver.url, { events: ['entry.created'] });
  const fields = [{ id: 'text', label: 'Text', type: 'text', repeated: true }];
  const { body: collection } = await service.call('POST /v1/cms/collections', {
    as: account,
    body: { name: 'Large', fields },
  });
  const texts = Array.from({ length: 8 }, (_, i) => `${i}é`.repeat(20_000));
  const path = `POST /v1/cms/collections/${collection.id}/entries`;
  for (const text of [texts, ['small']]) {
    const { status, body } = await service.call(path, { as: account, body: { values: { text } } });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  }
  await until(() => receiver.received.length === 2);
  const values = receiver.received.map(({ body }) => body.data.values.text).sort((a, b) => b.length - a.length);
  assert.deepEqual(values, [texts, ['small']]);
});
