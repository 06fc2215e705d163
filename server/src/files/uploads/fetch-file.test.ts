import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type FetchPatience, fetchFile } from './fetch-file.ts';

const servers: ReturnType<typeof createServer>[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
}

const NEVER = 3_600_000;
const PATIENCE: FetchPatience = { headersMs: NEVER, pace: { bytes: 1, ms: NEVER }, totalMs: NEVER };
const never = new AbortController().signal;
const fetched = (url: string, patience: Partial<FetchPatience>, signal = never) =>
  fetchFile(url, () => true, signal, { ...PATIENCE, ...patience });
const isFetchFailure =
  (reason: RegExp) => (error: { code?: string; errors?: { detail: string }[]; message?: string }) => {
    assert.equal(error.code, 'url_fetch_failed');
    assert.match(String(error.message), reason);
    return true;
  };

/** Sends a byte whenever the previous one was written. */
const drip: RequestListener = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 5);
  response.on('close', () => clearInterval(timer));
};

test('a server that sends headers never, or the file too slowly, is given up', async () => {
  const silent = await serve(() => {});
  await assert.rejects(fetched(silent, { headersMs: 50 }), isFetchFailure(/timeout/));
  const { response } = await fetched(await serve(drip), { pace: { bytes: 10_000, ms: 50 } });
  await assert.rejects(buffer(response), isFetchFailure(/too slowly/));
});

test('a file that arrives in time is whole, however small', async () => {
  const url = await serve((_request, response) => response.end('whole'));
  const { response } = await fetched(url, { pace: { bytes: 10_000, ms: 20 } });
  assert.equal(String(await buffer(response)), 'whole');
});

test('the end of the request closes the connection', async () => {
  let closed: Promise<unknown> | undefined;
  const url = await serve((request, response) => {
    closed = once(response, 'close');
    drip(request, response);
  });
  const request = new AbortController();
  const { response } = await fetched(url, {}, request.signal);
  request.abort();
  await assert.rejects(buffer(response), /abort/);
  await closed;
});
