import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { exchange, rawRequest } from '../../../test/raw-http.ts';
import { closeGracefully } from './graceful-close.ts';

test('requests on connections that wait to be accepted when the server closes are responded to', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  closeGracefully(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'close');
  const answers = Array.from({ length: 20 }, () => exchange(port, rawRequest('GET /')));
  // The system accepts them at once, this process when it next waits for events.
  process.nextTick(() => queueMicrotask(() => server.close()));
  for (const [answer] of await Promise.all(answers)) assert.equal(answer?.status, 200);
  await closed;
});
