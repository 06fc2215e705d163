/** One attempt over real sockets: time, size, TLS, and where it may connect. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { addressPolicy, isPublic } from './addresses.ts';
import { checkUrl } from './check-url.ts';
import { type Resolve, Sender, type SenderOptions } from './send.ts';
import { startReceiver } from './test-support.ts';

const here = addressPolicy(['127.0.0.0/8', '::1']);
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

test('an endpoint that never answers, or drips, has its time in all', async () => {
  const sender = newSender({ timeoutMs: 150 });
  const receiver = await startReceiver();
  receiver.answer = () => {};
  const hung = await send(sender, receiver.url);
  assert.deepEqual([hung.status, hung.error], [null, 'timeout']);
  assert.ok(hung.ms >= 140 && hung.ms < 5_000, `${hung.ms}`);
  receiver.answer = (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(drip));
  };
  const dripping = await send(sender, receiver.url);
  assert.deepEqual([dripping.status, dripping.error], [200, 'timeout']);
});

test('a huge answer is read to 64 kB and no further', async () => {
  const sender = newSender();
  const receiver = await startReceiver();
  let written = 0;
  receiver.answer = (response) => {
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

test('connections are kept, and one that the endpoint closed meanwhile is no failure', async () => {
  const sender = newSender();
  const receiver = await startReceiver();
  for (let i = 0; i < 5; i++) assert.equal((await send(sender, receiver.url)).error, null);
  assert.equal(receiver.connections, 1);
  let isFirst = true;
  receiver.answer = (response) => {
    // As a server does whose keep-alive time ends as the request arrives.
    if (isFirst) response.socket?.resetAndDestroy();
    else response.end();
    isFirst = false;
  };
  assert.equal((await send(sender, receiver.url)).error, null);
  assert.equal(receiver.connections, 2);
});

test('a certificate that nobody vouches for, or of another name, is a failure', async () => {
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

test('a resolver that changes its answer, or mixes it, gets no connection to an address that is not public', async () => {
  const receiver = await startReceiver();
  const only = addressPolicy([]);
  let asked = 0;
  const rebinding: Resolve = (_host, done) =>
    done(null, [{ address: asked++ === 0 ? '203.0.113.9' : '127.0.0.1', family: 4 }]);
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
  const judged: string[] = [];
  const mayConnect = (address: string) => judged.push(address) > 0 && address === '127.0.0.1';
  assert.equal(
    (await send(newSender({ mayConnect, resolve: mixed }), `http://mixed.example:${receiver.port}/`)).error,
    null,
  );
  assert.deepEqual(judged, ['10.0.0.7', '127.0.0.1']);
  assert.equal(receiver.connections, 1);
});

/** Ways to write an address of this machine or of a private network. */
const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0',
  '0.0.0.0',
  '10.1.2.3',
  '192.168.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.0.8',
  '192.88.99.1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[3fff::1]',
  '[5f00::1]',
];

test('no spelling of a private address is taken at creation, nor connected to', async () => {
  const only = addressPolicy([]);
  const sender = newSender({ mayConnect: only });
  for (const host of PRIVATE) {
    const url = `http://${host}:9/`;
    assert.deepEqual(
      checkUrl(url, only).map(({ code }) => code),
      ['url_not_public'],
      url,
    );
    assert.match((await send(sender, url)).error ?? '', /^address_not_allowed/, url);
  }
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'db.internal']) {
    assert.deepEqual(
      checkUrl(`https://${host}/`, only).map(({ code }) => code),
      ['url_not_public'],
      host,
    );
  }
});

test('public addresses are, and so is what the operator allows', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    assert.ok(isPublic(address), address);
  }
  const allowing = addressPolicy(['10.0.0.0/8', 'fd00::/8']);
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', '8.8.8.8']) assert.ok(allowing(address), address);
  for (const address of ['127.0.0.1', '192.168.0.1', 'fc00::1', '::ffff:127.0.0.1'])
    assert.ok(!allowing(address), address);
});

test('an IPv4 address is judged alike, bare and inside of an IPv6 one', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(isPublic(`::ffff:${address}`), isPublic(address));
      assert.equal(isPublic(`64:ff9b::${address}`), isPublic(address));
      assert.ok(
        !isPublic(
          `2002:${Buffer.from(address.split('.').map(Number))
            .toString('hex')
            .replace(/^(.{4})/, '$1:')}::1`,
        ),
      );
    }),
  );
});

test('an address with credentials, of another protocol, or none at all is refused', () => {
  for (const [url, code] of [
    ['https://user:pass@hooks.example/', 'url_credentials'],
    ['https://token@hooks.example/', 'url_credentials'],
    ['ftp://hooks.example/', 'url_invalid'],
    ['file:///etc/passwd', 'url_invalid'],
    ['hooks.example', 'url_invalid'],
    ['', 'url_invalid'],
  ] as const) {
    assert.deepEqual(
      checkUrl(url, here).map((fault) => fault.code),
      [code],
      url,
    );
  }
  assert.deepEqual(checkUrl('https://hooks.example:8443/a?b=c', here), []);
});
