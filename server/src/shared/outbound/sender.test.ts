/** A single attempt over real sockets: timeout, size, TLS, and allowed addresses. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReceiver } from '../../webhooks/test-support.ts';
import { connectPolicy } from './connect-policy.ts';
import type { Resolve } from './guarded-lookup.ts';
import { Sender, type SenderOptions } from './sender.ts';

const here = connectPolicy(['127.0.0.0/8', '::1']);
const senders: Sender[] = [];
after(() => {
  for (const sender of senders) sender.close();
});
const HEADERS = { 'content-type': 'application/json' };

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = new Sender({ mayConnect: here, ...options });
  senders.push(sender);
  return sender;
}

const send = (sender: Sender, url: string) => sender.send(new URL(url), HEADERS, '{}');

test('an endpoint that never responds, or drips its response, is cut off after the timeout', async () => {
  const sender = newSender({ timeoutMs: 150 });
  const receiver = await startReceiver();
  receiver.respond = () => {};
  const hung = await send(sender, receiver.url);
  assert.deepEqual([hung.status, hung.error], [null, 'timeout']);
  assert.ok(hung.ms >= 140, `${hung.ms}`);
  receiver.respond = (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(drip));
  };
  const dripping = await send(sender, receiver.url);
  assert.deepEqual([dripping.status, dripping.error], [200, 'timeout']);
});

test('a header that cannot be sent, such as a pasted credential, is a failure', async () => {
  const receiver = await startReceiver();
  const authorization = 'Bearer a\u2028b';
  const { status, error } = await newSender().send(new URL(receiver.url), { authorization }, '{}');
  assert.deepEqual([status, error], [null, 'invalid_header: authorization']);
});

test('a huge response is read only up to 64 kB', async () => {
  const sender = newSender();
  const receiver = await startReceiver();
  let written = 0;
  receiver.respond = (response) => {
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  };
  const { status, error } = await send(sender, receiver.url);
  assert.deepEqual([status, error], [200, null]);
  assert.ok(written < 50e6, `${written}`);
});

test('connections are reused, and one that the endpoint closed while idle is not a failure', async () => {
  const sender = newSender();
  const receiver = await startReceiver();
  for (let i = 0; i < 5; i++) assert.equal((await send(sender, receiver.url)).error, null);
  assert.equal(receiver.connections, 1);
  let isFirst = true;
  receiver.respond = (response) => {
    // Like a server whose keep-alive timeout ends as the request arrives.
    if (isFirst) response.socket?.resetAndDestroy();
    else response.end();
    isFirst = false;
  };
  assert.equal((await send(sender, receiver.url)).error, null);
  assert.equal(receiver.connections, 2);
});

test('an untrusted certificate, or one for another name, is a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-tls-'));
  after(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=hooks.example', '-addext', 'subjectAltName=DNS:hooks.example'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  const receiver = await startReceiver(((listener: never) => https.createServer(pair, listener)) as never);
  const resolve: Resolve = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const ca = { tls: { ca: pair.cert }, resolve };
  assert.match(
    (await send(newSender({ resolve }), `https://hooks.example:${receiver.port}`)).error ?? '',
    /^tls_failed: self-signed/,
  );
  assert.match(
    (await send(newSender(ca), `https://other.example:${receiver.port}`)).error ?? '',
    /^tls_failed: Hostname/,
  );
  assert.equal(receiver.received.length, 0);
  assert.equal((await send(newSender(ca), `https://hooks.example:${receiver.port}`)).error, null);
});

test('DNS rebinding and mixed DNS results do not reach an address that is not allowed', async () => {
  const receiver = await startReceiver();
  const only = connectPolicy([]);
  let lookups = 0;
  const rebinding: Resolve = (_host, done) =>
    done(null, [{ address: lookups++ === 0 ? '203.0.113.9' : '127.0.0.1', family: 4 }]);
  const sender = newSender({ mayConnect: only, resolve: rebinding });
  for (let i = 0; i < 3; i++) {
    const { error } = await send(sender, `http://rebinding.example:${receiver.port}/`);
    assert.match(error ?? '', /^address_not_allowed/);
  }
  const mixed: Resolve = (_host, done) =>
    done(null, [
      { address: '10.0.0.7', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const checked: string[] = [];
  const mayConnect = (address: string) => checked.push(address) > 0 && address === '127.0.0.1';
  assert.equal(
    (await send(newSender({ mayConnect, resolve: mixed }), `http://mixed.example:${receiver.port}/`)).error,
    null,
  );
  assert.deepEqual(checked, ['10.0.0.7', '127.0.0.1']);
  assert.equal(receiver.connections, 1);
});
