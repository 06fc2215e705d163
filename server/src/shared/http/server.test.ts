import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { stretched } from '../../../test/machine.ts';
import { exchange, type RawAnswer, rawRequest } from '../../../test/raw-http.ts';
import { until } from '../../../test/until.ts';
import { readConfig } from '../config.ts';
import { badRequest } from '../errors.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { IngestWork, RefusedError, SharedWork } from '../postgres/work.ts';
import { callAs } from './call-as.ts';
import { Deadlines } from './deadlines.ts';
import { JoinChunks } from './decode-body.ts';
import { createServer } from './server.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const log = createLog('trace', sink);
const patience = {
  headers: stretched(200),
  body: 1_000,
  linger: stretched(500),
  idle: stretched(5_000),
  answer: 1_000,
};
/** By which bodies and answers are late; it stands still unless a test lets it pass. */
const time = { now: 0 };
const deadlines = new Deadlines(() => time.now);
const limits = { connections: 500, connectionsPerAddress: 100, requestsPerConnection: 20, pendingBodyBytes: 4_000_000 };
const app = createServer(readConfig({}), log, createMetrics(), patience, limits, deadlines);

/** Lets time pass until this is settled. */
async function whileTimePasses<Result>(pending: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  pending.then(settled, settled);
  await until(() => {
    time.now += patience.answer / 10;
    return isSettled;
  });
  return pending;
}

/** The URLs of requests whose handlers were called. */
const reached = new Set<string>();
app.addHook('preHandler', (request, _reply, next) => {
  reached.add(request.url);
  next();
});

let handled: string[] = [];
const Body = Type.Object({ name: Type.String() }, { additionalProperties: false });
app.get('/v1/things', { schema: { querystring: Type.Object({ size: Type.Optional(Type.Integer()) }) } }, (request) => {
  handled.push(`${request.method} ${request.url}`);
  return { method: request.method, query: request.query };
});
app.post('/v1/things', { schema: { body: Body } }, (request) => {
  handled.push(`${request.method} ${request.url}`);
  return { got: request.body };
});
let turn = 0;
const compiledIn = new Map<string, number>();
/** A schema that notes when it is compiled. */
const noted = (name: string) =>
  Object.defineProperty({ type: 'object' }, 'properties', {
    enumerable: true,
    get() {
      if (!compiledIn.has(name)) compiledIn.set(name, turn);
      return { size: { type: 'integer' } };
    },
  });
app.post('/v1/noted', { schema: { body: noted('body'), response: { 200: noted('response') } } }, () => ({ size: 1 }));
app.get('/v1/noted', { schema: { querystring: noted('query') } }, () => ({}));

app.get('/v1/postback', { exposeHeadRoute: false }, () => {
  handled.push('postback');
  return {};
});
const At = Type.Object({ at: Type.Optional(Type.String({ format: 'date-time' })), text: Type.Optional(Type.String()) });
app.get('/v1/at', { schema: { querystring: At } }, ({ query }) => query);
app.delete('/v1/things/:id', (request) => ({ deleted: (request.params as { id: string }).id }));
app.get('/broken', async (_request, reply) => {
  reply.header('etag', '"x"').header('cache-control', 'immutable');
  throw new Error('the cause: jane@example.com at postgres://user:secret@db/x');
});
const entered = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();
app.get('/v1/slow', async () => {
  entered.resolve();
  await released.promise;
  return { slow: true };
});
app.get('/v1/part', ({ work }) => ({ isPart: work?.isPart }));
app.get('/v1/whole', async (request) => ({
  isPart: request.work?.isPart,
  part: JSON.parse((await callAs(request, { method: 'GET', url: '/v1/part' })).body),
}));
app.get('/v1/never', () => new Promise(() => {}));
/** Once what has a connection has had it for longer than a request may take. */
const isExpensive = Promise.withResolvers<void>();
const late = () => badRequest('too_expensive', 'Ask for less.');
app.get('/v1/expensive', { config: { late } }, ({ work }) => {
  work?.connect();
  return new Promise(() => {});
});
app.get('/v1/asks-for-little', { config: { late: async () => undefined } }, ({ work }) => {
  work?.connect();
  return new Promise(() => {});
});
app.get('/v1/shares-what-is-expensive', { config: { late } }, ({ work }) => {
  const shared = new SharedWork(work);
  shared.join(work);
  shared.connect();
  return new Promise(() => {});
});
app.get('/v1/waits', { config: { late } }, async ({ work }) => {
  work?.connect();
  work?.disconnect(false);
  await new Promise(() => {});
});
app.get('/v1/loses-its-database', { config: { late } }, async ({ work }) => {
  work?.connect();
  await isExpensive.promise;
  work?.disconnect(true);
  await new Promise(() => {});
});
app.get('/v1/takes-long', ({ work }) => {
  work?.connect();
  return new Promise(() => {});
});
app.post('/v1/waits-for-a-lock', ({ work }) => {
  work?.connect();
  return new Promise(() => {});
});
app.post('/v1/has-only-read', ({ work }) => {
  work?.beforeCommit(['select id from entries for update', 'with found as (select 1) select * from found']);
  return new Promise(() => {});
});
app.post('/v1/commits', ({ work }) => {
  work?.beforeCommit(['select 1', 'with w as (insert into entries values (1) returning id) select id from w']);
  return new Promise(() => {});
});
app.post('/v1/commits-with-others', ({ work }) => {
  const shared = new SharedWork(work);
  shared.join(work);
  shared.beforeCommit(['update entries set id = 2']);
  return new Promise(() => {});
});
const refused = Promise.withResolvers<unknown>();
app.post('/v1/commits-too-late', ({ work }) => {
  work?.onEnd(() => {
    try {
      work.beforeCommit(['delete from entries']);
      refused.resolve('committed');
    } catch (error) {
      refused.resolve(error);
    }
  });
  return new Promise(() => {});
});
app.post('/v1/ingest', { config: { access: 'ingest' } }, () => new Promise(() => {}));
app.post('/v1/ingest-commits', { config: { access: 'ingest' } }, (request) => {
  new IngestWork([request]).beforeCommit(['insert into events values (1)']);
  return new Promise(() => {});
});
app.post(
  '/v1/authenticated-slowly',
  {
    onRequest: (_request, _reply, next) => {
      time.now += patience.answer * 0.8;
      next();
    },
  },
  () => new Promise(() => {}),
);
app.get('/v1/pause', async () => {
  await setImmediate();
  return {};
});
app.post('/v1/reset', async () => {
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
});
app.post('/v1/stream', { config: { streams: true } }, (_request, reply) => reply.send({ streamed: true }));

const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
after(() => app.close());

const json = { 'content-type': 'application/json' };

async function one(bytes: string | Buffer): Promise<RawAnswer> {
  handled = [];
  const answers = await exchange(port, bytes);
  assert.equal(answers.length, 1, `one answer to ${bytes.toString().slice(0, 60)}`);
  return answers[0] as RawAnswer;
}

function isProblem(answer: RawAnswer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code]);
  assert.deepEqual(Object.keys(answer.body).sort(), [
    'code',
    'detail',
    'errors',
    'requestId',
    'status',
    'title',
    'type',
  ]);
  assert.equal(answer.body.status, status);
  assert.equal(answer.body.requestId, answer.headers['x-request-id']);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
}

test('an unsupported method of a known path is 405 with Allow and runs nothing', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'LOCK', 'PROPFIND', 'QUERY', 'M-SEARCH']) {
    const answer = await one(rawRequest(`${method} /v1/things`));
    isProblem(answer, 405, 'method_not_allowed');
    assert.equal(answer.headers.allow, 'GET, HEAD, POST');
    assert.deepEqual(handled, []);
  }
  const escaped = await one(rawRequest('PUT /v1/%74hings?x=1'));
  assert.equal(escaped.headers.allow, 'GET, HEAD, POST');
  assert.equal((await one(rawRequest('GET /v1/things/3'))).headers.allow, 'DELETE');
});

test('HEAD returns the headers of GET; a route that opted out is 405 and does not run', async () => {
  const [head] = await exchange(port, rawRequest('HEAD /v1/things'));
  assert.deepEqual([head?.status, handled], [200, ['HEAD /v1/things']]);
  handled = [];
  const [postback] = await exchange(port, rawRequest('HEAD /v1/postback'));
  assert.deepEqual([postback?.status, postback?.headers.allow, handled], [405, 'GET', []]);
});

test('a trailing slash and duplicate slashes are tolerated', async () => {
  assert.equal((await one(rawRequest('GET /v1/things/'))).status, 200);
  assert.equal((await one(rawRequest('GET //v1///things'))).status, 200);
  assert.equal((await one(rawRequest('PUT /v1//things/'))).headers.allow, 'GET, HEAD, POST');
});

test('CONNECT is 405, and an offered upgrade is ignored', async () => {
  isProblem(await one(rawRequest('CONNECT headwater.test:80')), 405, 'method_not_allowed');
  const upgrade = { connection: 'upgrade, close', upgrade: 'websocket', 'sec-websocket-key': 'x' };
  assert.equal((await one(rawRequest('GET /v1/things', upgrade))).status, 200);
});

test('an unknown path is 404, whatever the request contains', async () => {
  isProblem(await one(rawRequest('GET /v1/nothing')), 404, 'not_found');
  isProblem(await one(rawRequest('GET /V1/things')), 404, 'not_found');
  isProblem(await one(rawRequest('POST /v1/nothing', json, '{')), 404, 'not_found');
  isProblem(await one(rawRequest('POST /v1/nothing', { 'content-type': 'text/csv' }, 'a')), 404, 'not_found');
  isProblem(await one(rawRequest(`DELETE /v1/things/${'x'.repeat(2_000)}`)), 404, 'not_found');
});

test('a malformed or overlong URL is 400', async () => {
  isProblem(await one(rawRequest('GET /v1/%zz')), 400, 'url_malformed');
  isProblem(await one(rawRequest('GET /v1/%ff')), 400, 'url_malformed');
  isProblem(await one(rawRequest(`GET /v1/${'x'.repeat(20_000)}`)), 400, 'headers_too_large');
  isProblem(await one(rawRequest(`GET /v1/things?${'x'.repeat(20_000)}`)), 400, 'headers_too_large');
});

test('the error of a HEAD request whose URL is too long has no body', async () => {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      received += chunk;
    });
  socket.write(rawRequest(`HEAD /v1/things?a=${'a'.repeat(20_000)}`));
  await once(socket, 'end');
  socket.destroy();
  assert.match(received, /^HTTP\/1\.1 400 .*\r\n\r\n$/s);
});

test('headers larger than 16 kB are 400, and the client can read the response although it sent more', async () => {
  isProblem(await one(rawRequest('GET /v1/things', { x: 'x'.repeat(20_000) })), 400, 'headers_too_large');
  isProblem(await one(rawRequest('GET /v1/things', { x: 'x'.repeat(3_000_000) })), 400, 'headers_too_large');
});

test('a request that is not HTTP is 400', async () => {
  const malformed = [
    'hello\r\n\r\n',
    'FOO /v1/things HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET /v1/things HTTP/9.9\r\nhost: x\r\n\r\n',
    'GET /v1/things HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n',
    'GET /v1/things HTTP/1.1\r\nhost: x\r\nx: a\x00b\r\n\r\n',
    'POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
    'POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n',
    'POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ];
  for (const bytes of malformed) isProblem(await one(Buffer.from(bytes, 'latin1')), 400, 'request_malformed');
  isProblem(await one('GET /v1/things HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'host_missing');
  assert.equal((await one('GET /v1/things HTTP/1.0\r\n\r\n')).status, 200);
});

test('in a query, an unescaped + between a time and its offset is no space', async () => {
  const times = ['2026-11-28T10:00:00+02:00', '2026-11-28T10:00:00%2B02:00', '2026-11-28t10:00:00.000+02:00'];
  for (const at of times) {
    for (const sent of [at, at.replaceAll(':', '%3A')]) {
      assert.equal((await one(rawRequest(`GET /v1/at?at=${sent}`))).body.at, '2026-11-28T08:00:00.000Z', sent);
    }
  }
  assert.equal((await one(rawRequest('GET /v1/at?at=2026-11-28T10:00:00%2002:00'))).status, 400);
  const where = '{"at":{"gte":"2026-11-28T10:00:00+02:00"}},2026-11-28+10:00+02,2026-11-28T10:00+12345,10:00+12:00+a+b';
  const read = '{"at":{"gte":"2026-11-28T10:00:00+02:00"}},2026-11-28 10:00+02,2026-11-28T10:00 12345,10:00 12:00 a b';
  assert.equal((await one(rawRequest(`GET /v1/at?text=${where.replaceAll('"', '%22')}`))).body.text, read);
});

test('a JSON body needs no content type and may have a charset parameter; another content type is 400', async () => {
  const body = '{"name":"x"}';
  const accepted = [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'text/json',
  ];
  for (const type of accepted) {
    assert.equal((await one(rawRequest('POST /v1/things', { 'content-type': type }, body))).status, 200, type);
  }
  const wrong = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', 'json'];
  for (const type of wrong) {
    const answer = await one(rawRequest('POST /v1/things', { 'content-type': type }, body));
    isProblem(answer, 400, 'content_type_unsupported');
  }
  assert.equal((await one(rawRequest('POST /v1/things', {}, body))).status, 200);
  isProblem(await one(rawRequest('POST /v1/things', { 'content-type': ';;' }, body)), 400, 'content_type_unsupported');
});

test('a body that is not JSON or contains text that cannot be stored is 400 with its own code', async () => {
  const cases: [string | Buffer, string][] = [
    ['', 'body_empty'],
    ['  ', 'body_empty'],
    ['{', 'json_malformed'],
    ["{'name':1}", 'json_malformed'],
    ['{"name":"x"} x', 'json_malformed'],
    ['NaN', 'json_malformed'],
    ['{"name":"a\u0000b"}', 'json_malformed'],
    [Buffer.from('7b226e616d65223a22ff227d', 'hex'), 'json_not_utf8'],
    ['{"name":"a\\u0000b"}', 'text_not_storable'],
    ['{"name":"\\ud800"}', 'text_not_storable'],
    ['{"a\\u0000":1}', 'text_not_storable'],
    ['{"__proto__":{"name":"x"}}', 'text_not_storable'],
    ['{"\\u005f_proto__":{"name":"x"}}', 'text_not_storable'],
    ['{"name":1e999}', 'number_out_of_range'],
    [`{"name":-${'9'.repeat(400)}}`, 'number_out_of_range'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'json_too_deep'],
    ['['.repeat(500_000), 'json_too_deep'],
  ];
  for (const [body, code] of cases) {
    const head = rawRequest('POST /v1/things', { ...json, 'content-length': String(Buffer.byteLength(body)) });
    isProblem(await one(Buffer.concat([Buffer.from(head), Buffer.from(body)])), 400, code);
    assert.deepEqual(handled, []);
  }
  const deepest = `${'['.repeat(32)}${']'.repeat(32)}`;
  isProblem(await one(rawRequest('POST /v1/things', json, deepest)), 400, 'type');
  isProblem(await one(rawRequest('POST /v1/things')), 400, 'type');
  const stored = await one(rawRequest('POST /v1/things', json, '\ufeff{"name":"\\ud83d\\ude00 [[[\\"{"}'));
  assert.deepEqual(stored.body, { got: { name: '😀 [[["{' } });
});

test('every text that cannot be stored is reported with its pointer', async () => {
  const answer = await one(rawRequest('POST /v1/things', json, '{"a/b":["\\u0000"],"c":1e400,"d":"ok"}'));
  assert.deepEqual(
    answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/a~1b/0', 'text_not_storable'],
      ['/c', 'number_out_of_range'],
    ],
  );
});

test('faults of the body and of the query are reported together, and a 400 always has one', async () => {
  const pointersOf = ({ body }: RawAnswer) => body.errors.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointersOf(await one(rawRequest('POST /v1/things?x=1', json, '{"y":1}'))), ['/name', '/y', '?x']);
  assert.deepEqual(pointersOf(await one(rawRequest('POST /v1/things?x=1', json, '{"name":"a"}'))), ['?x']);
  const malformed = await one(rawRequest('POST /v1/things', json, '{'));
  const { code, detail } = malformed.body;
  assert.deepEqual(malformed.body.errors, [{ pointer: '', code, detail }]);
});

test('every schema fault is reported at once, up to a limit', async () => {
  const answer = await one(rawRequest('POST /v1/things', json, '{"name":1,"x":2,"y~/":3}'));
  assert.deepEqual([answer.status, answer.body.code], [400, answer.body.errors[0].code]);
  for (const { detail } of answer.body.errors) assert.match(detail, /^`\/.* .*\.$/);
  const faults = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
  assert.deepEqual(faults.sort(), [
    ['/name', 'type'],
    ['/x', 'unknown_property'],
    ['/y~0~1', 'unknown_property'],
  ]);
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, i]));
  const cut = await one(rawRequest('POST /v1/things', json, JSON.stringify({ name: 'x', ...many })));
  assert.equal(cut.body.errors.length, 1_000);
  assert.match(cut.body.detail, /1000 faults/);
});

test('a DELETE may have a content type and no content', async () => {
  assert.deepEqual((await one(rawRequest('DELETE /v1/things/1', json))).body, { deleted: '1' });
});

test('a body that is too large is 400, and the client can read the response while it is still sending', async () => {
  const large = 'x'.repeat(3_000_000);
  const known = await one(rawRequest('POST /v1/things', json, large));
  isProblem(known, 400, 'body_too_large');
  const chunked = { ...json, 'transfer-encoding': 'chunked', 'content-length': '' };
  const head = rawRequest('POST /v1/things', chunked).replace('content-length: \r\n', '');
  const unknown = await one(`${head}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
  isProblem(unknown, 400, 'body_too_large');
});

test('a client that keeps sending a refused body is disconnected eventually', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(rawRequest('POST /v1/things', { ...json, connection: 'keep-alive', 'content-length': '9000000' }));
  const drip = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(drip);
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

test('a refusal leaves the connection usable', async () => {
  const refused = rawRequest('POST /v1/things', { ...json, connection: 'keep-alive' }, '{');
  const unknown = rawRequest('POST /v1/nothing', { ...json, connection: 'keep-alive' }, '{"name":"x"}');
  const good = rawRequest('POST /v1/things', json, '{"name":"x"}');
  const answers = await exchange(port, refused + unknown + refused + good);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 404, 400, 200],
  );
});

test('bytes beyond Content-Length are not executed as a second request', async () => {
  const answers = await exchange(
    port,
    rawRequest('POST /v1/things', { ...json, 'content-length': '2' }, '{}{"name":"x"}'),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400],
  );
});

test('a client that is slow to send headers or a body gets 400 in time', async () => {
  const unused = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  unused.on('data', (text) => {
    received += text;
  });
  isProblem(await one('GET /v1/things HTTP/1.1\r\nhost: x\r\n'), 400, 'request_timeout');
  const slowly = one(rawRequest('POST /v1/things', { ...json, 'content-length': '9' }, '{'));
  isProblem(await whileTimePasses(slowly), 400, 'request_timeout');
  // The time starts with the request, and nothing is sent before it.
  assert.deepEqual([received, unused.destroyed], ['', false]);
  unused.write('GET /v1/things HTTP/1.1\r\nhost: x\r\n');
  await once(unused, 'close');
  assert.match(received, /^HTTP\/1.1 400 .*request_timeout/s);
});

test('a client that disconnects in the middle of a request does not affect others', async () => {
  lines.length = 0;
  await new Promise<void>((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(rawRequest('POST /v1/things', { ...json, 'content-length': '9' }, '{'), () =>
        socket.resetAndDestroy(),
      );
    });
    socket.on('close', () => resolve());
  });
  assert.equal((await one(rawRequest('GET /v1/things'))).status, 200);
  assert.deepEqual(handled, ['GET /v1/things']);
  assert.ok(!lines.some((line) => JSON.parse(line).level >= 40), lines.join(''));
});

test('requests in one packet are answered in order', async () => {
  const keep = { connection: 'keep-alive' };
  const answers = await exchange(
    port,
    rawRequest('GET /v1/things?a=1', keep) + rawRequest('GET /v1/nothing', keep) + rawRequest('GET /v1/things?a=2'),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.query?.a]),
    [
      [200, '1'],
      [404, undefined],
      [200, '2'],
    ],
  );
});

test('a malformed request behind one in progress is answered after it', async () => {
  const answers = exchange(port, `${rawRequest('GET /v1/slow', { connection: 'keep-alive' })}@@@@\r\n\r\n`);
  await entered.promise;
  released.resolve();
  assert.deepEqual(
    (await answers).map(({ status, body }) => [status, body.slow ?? body.code]),
    [
      [200, true],
      [400, 'request_malformed'],
    ],
  );
});

test('Expect: 100-continue is met, any other expectation is 400', async () => {
  const met = await exchange(port, rawRequest('POST /v1/things', { ...json, expect: '100-continue' }, '{"name":"x"}'));
  assert.deepEqual(
    met.map(({ status }) => status),
    [100, 200],
  );
  isProblem(await one(rawRequest('GET /v1/things', { expect: 'a miracle' })), 400, 'expectation_unsupported');
});

test('a repeated or mistyped query parameter is 400 and named', async () => {
  for (const query of [
    'size=1&size=2',
    'size=',
    'size=1.0',
    'size=0x1',
    'size=%201',
    'size=1e3',
    `size=${2n ** 53n}`,
  ]) {
    const answer = await one(rawRequest(`GET /v1/things?${query}`));
    isProblem(answer, 400, 'type');
    assert.equal(answer.body.errors[0].pointer, '?size');
  }
  assert.equal((await one(rawRequest('GET /v1/things?size=-12'))).body.query.size, -12);
  isProblem(await one(rawRequest('GET /v1/things?x=%00')), 400, 'text_not_storable');
  isProblem(await one(rawRequest('GET /v1/things?%00=x')), 400, 'text_not_storable');
});

test('every response has its own request id, which a client cannot choose', async () => {
  const answers = await exchange(
    port,
    rawRequest('GET /v1/things', { connection: 'keep-alive', 'x-request-id': 'mine' }) + rawRequest('GET /v1/things'),
  );
  const ids = answers.map(({ headers }) => headers['x-request-id'] ?? '');
  assert.equal(new Set(ids).size, 2);
  for (const id of ids) assert.match(id, /^req_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('a client that accepts application/problem+json gets it', async () => {
  const answer = await one(rawRequest('GET /v1/nothing', { accept: 'application/problem+json' }));
  assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/);
  assert.equal(answer.body.status, 404);
});

test('an unexpected error is a 500 that reveals only the request id; the log contains the redacted cause', async () => {
  lines.length = 0;
  const answer = await one(rawRequest('GET /broken?key=hw_pb_abc'));
  isProblem(answer, 500, 'internal_error');
  assert.doesNotMatch(JSON.stringify(answer), /cause|jane|secret/);
  assert.equal(answer.headers.etag, undefined);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const line = lines.find((each) => each.includes(answer.body.requestId)) ?? '';
  assert.match(line, /the cause/);
  assert.doesNotMatch(line, /jane|secret|hw_pb_/);
});

test('a shutdown completes every request in progress, and none is 503', async () => {
  const closing = createServer(readConfig({}), createLog('silent'), createMetrics(), patience);
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  closing.get('/v1/slow', async () => {
    begun.resolve();
    await go.promise;
    return 'x'.repeat(3_000_000);
  });
  closing.get('/v1/things', () => ({ ok: true }));
  const at = Number(new URL(await closing.listen({ port: 0, host: '127.0.0.1' })).port);
  const keep = { connection: 'keep-alive' };
  const idle = net.connect(at, '127.0.0.1');
  idle.write(rawRequest('GET /v1/things', keep));
  await once(idle, 'data');
  const answers = exchange(at, rawRequest('GET /v1/slow', keep) + rawRequest('GET /v1/things', keep));
  await begun.promise;
  const closed = closing.close();
  await once(idle, 'close');
  go.resolve();
  assert.deepEqual(
    (await answers).map(({ status, body }) => [status, body.length ?? body]),
    [
      [200, 3_000_000],
      [200, { ok: true }],
    ],
  );
  await closed;
});

test('before a shutdown each response is the last of its connection, and new connections are still accepted', async () => {
  const draining = createServer(readConfig({}), createLog('silent'), createMetrics(), patience);
  draining.get('/v1/things', () => ({ ok: true }));
  const { port } = new URL(await draining.listen({ port: 0, host: '127.0.0.1' }));
  const keep = { connection: 'keep-alive' };
  const open = net.connect(Number(port), '127.0.0.1');
  open.write(rawRequest('GET /v1/things', keep));
  await once(open, 'data');
  draining.drain.start();
  open.write(rawRequest('GET /v1/things', keep));
  assert.match(String((await once(open, 'data'))[0]), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  await once(open, 'close');
  const [answer] = await exchange(Number(port), rawRequest('GET /v1/things', keep));
  assert.deepEqual([answer?.status, answer?.headers.connection], [200, 'close']);
  await draining.close();
});

test('a gzip body is accepted; one that is damaged, incomplete or decodes beyond the limit is 400', async () => {
  const send = (body: Buffer, encoding = 'gzip') =>
    one(
      Buffer.concat([
        Buffer.from(
          rawRequest('POST /v1/things', {
            ...json,
            'content-encoding': encoding,
            'content-length': String(body.length),
          }),
        ),
        body,
      ]),
    );
  const zipped = gzipSync('{"name":"x"}');
  assert.deepEqual((await send(zipped)).body, { got: { name: 'x' } });
  isProblem(await send(zipped, 'br'), 400, 'content_encoding_unsupported');
  isProblem(await send(Buffer.from('{"name":"x"}')), 400, 'content_encoding_invalid');
  isProblem(await send(zipped.subarray(0, -9)), 400, 'content_encoding_invalid');
  isProblem(await send(gzipSync(Buffer.alloc(20_000_000))), 400, 'body_too_large');
});

test('a body in chunks of one byte is read as it is, and its chunks are joined', async () => {
  const chunked = (text: string, chunk = 1) =>
    `${text.replace(new RegExp(`.{${chunk}}`, 'g'), `${chunk.toString(16)}\r\n$&\r\n`)}0\r\n\r\n`;
  const head = rawRequest('POST /v1/things', { ...json, 'transfer-encoding': 'chunked' });
  const name = 'x'.repeat(2_000);
  assert.equal((await one(head + chunked(JSON.stringify({ name })))).body.got?.name, name);
  isProblem(await one(head + chunked('x'.repeat(1_100_000), 1_000)), 400, 'body_too_large');
  const large = JSON.stringify({ name: 'x'.repeat(500_000) });
  assert.equal((await one(rawRequest('POST /v1/things', json, large))).status, 200);
  isProblem(
    await one(rawRequest('POST /v1/things', { ...json, 'content-length': '20000' }, 'x'.repeat(30_000))),
    400,
    'json_malformed',
  );

  const bytes = randomBytes(50_000);
  const joiner = new JoinChunks();
  const joined = joiner.toArray();
  for (const byte of bytes) joiner.write(Buffer.from([byte]));
  joiner.end();
  const blocks = (await joined) as Buffer[];
  assert.deepEqual(
    blocks.map(({ length }) => length),
    [16_384, 16_384, 16_384, 848],
  );
  assert.ok(Buffer.concat(blocks).equals(bytes));
});

test('a damaged gzip body that nothing reads, because the request is refused first, harms nothing', async () => {
  const zipped = gzipSync(JSON.stringify({ name: 'x'.repeat(1_000) }));
  const send = (body: Buffer, headers: Record<string, string>) =>
    exchange(
      port,
      Buffer.concat([
        Buffer.from(
          rawRequest('POST /v1/things', {
            'content-encoding': 'gzip',
            'content-length': String(body.length),
            ...headers,
          }),
        ),
        body,
      ]),
    );
  const other = { 'content-type': 'multipart/form-data; boundary=b' };
  const tooLarge = { ...json, 'content-length': '20000000' };
  for (const body of [zipped.subarray(0, -9), Buffer.from('no gzip at all')]) {
    for (const headers of [other, tooLarge]) {
      const [answer] = await send(body, headers);
      assert.ok(answer);
      isProblem(answer, 400, headers === other ? 'content_type_unsupported' : 'body_too_large');
    }
  }
  assert.equal((await one(rawRequest('GET /v1/things'))).status, 200);
});

/** Sends a request and its body as Python's urllib does: nothing is read before everything is written. */
function sendThenRead(head: string, bodyBytes: number): Promise<{ answer: string; hasEnded: boolean }> {
  const chunk = Buffer.alloc(65_536, 0x20);
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1').pause();
    let [left, answer, hasEnded] = [bodyBytes, '', false];
    socket.on('error', reject);
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('end', () => {
      hasEnded = true;
    });
    socket.on('close', () => resolve({ answer, hasEnded }));
    const write = () => {
      for (let fits = true; fits; left -= chunk.length) {
        if (left <= 0) return void socket.resume();
        fits = socket.write(chunk);
      }
      socket.once('drain', write);
    };
    socket.write(head);
    write();
  });
}

test('a client that closes its connections sends a large refused body to the end and reads the response', async () => {
  const size = 33_554_432;
  const length = { 'content-length': String(size) };
  for (const [head, status] of [
    [rawRequest('POST /v1/nothing', { ...json, ...length }), 404],
    [rawRequest('POST /v1/things', { ...json, ...length }), 400],
    [rawRequest('POST /v1/things', { 'content-type': 'text/plain', ...length }), 400],
    [rawRequest('POST /v1/things?x=1', { ...json, ...length, 'content-encoding': 'gzip' }), 400],
    [rawRequest('PUT /v1/things', { ...json, ...length }), 405],
    [rawRequest('POST /v1/things', { ...json, ...length }).replace('HTTP/1.1', 'HTTP/1.0'), 400],
  ] as const) {
    const { answer, hasEnded } = await sendThenRead(head, size);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} .*"requestId":"req_`, 's'), head);
    assert.match(answer, /\r\nconnection: close\r\n/i, head);
    assert.ok(hasEnded);
  }
  assert.equal((await one(rawRequest('GET /v1/things'))).status, 200);
});

test('what follows a refused body on a closing connection is not executed', async () => {
  const refused = rawRequest('POST /v1/things', { ...json, 'content-length': '2000000' });
  const answers = await exchange(port, `${refused}${' '.repeat(2_000_000)}${rawRequest('GET /v1/things?late')}`);
  assert.deepEqual([answers.map(({ status }) => status), handled], [[400], ['GET /v1/things']]);
});

test('a client that asked to close and never stops sending is disconnected in time', async () => {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}));
  socket.resume().write(rawRequest('POST /v1/things', { ...json, 'content-length': '9000000' }));
  const drip = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(drip);
});

/** The answers to requests whose time is over after all of their handlers were called, and those with a connection had it for long. */
async function allLate(requests: readonly string[]): Promise<RawAnswer[]> {
  const pending = requests.map((request) =>
    one(rawRequest(request, json, request.startsWith('POST') ? '{}' : undefined)),
  );
  await until(() => requests.every((request) => reached.has(request.split(' ')[1] ?? '')));
  // Of connections, by the clock.
  await sleep(patience.answer);
  isExpensive.resolve();
  await setImmediate();
  return whileTimePasses(Promise.all(pending));
}

test('a request whose time is over is refused, unless it takes that time itself or something may have been committed', async () => {
  const expected = [
    ['GET /v1/never', 429, 'overloaded'],
    ['GET /v1/takes-long', 500, 'timed_out'],
    ['POST /v1/waits-for-a-lock', 429, 'overloaded'],
    ['POST /v1/has-only-read', 429, 'overloaded'],
    ['POST /v1/commits', 500, 'timed_out'],
    ['POST /v1/commits-with-others', 500, 'timed_out'],
    ['POST /v1/commits-too-late', 429, 'overloaded'],
    ['POST /v1/ingest', 429, 'overloaded'],
    ['POST /v1/ingest-commits', 500, 'timed_out'],
  ] as const;
  const answers = await allLate(expected.map(([request]) => request));
  for (const [i, [, status, code]] of expected.entries()) {
    isProblem(answers[i] as RawAnswer, status, code);
    assert.equal(answers[i]?.headers['retry-after'], '1');
  }
  assert.ok((await refused.promise) instanceof RefusedError, 'nothing of a refused request is committed');
});

test('a read whose statements take long is expensive, one that asks for little or waits for others is refused, one that loses its database fails', async () => {
  const expected = [
    ['GET /v1/expensive', 400, 'too_expensive'],
    ['GET /v1/shares-what-is-expensive', 400, 'too_expensive'],
    ['GET /v1/asks-for-little', 429, 'overloaded'],
    ['GET /v1/waits', 429, 'overloaded'],
    ['GET /v1/loses-its-database', 500, 'timed_out'],
  ] as const;
  const answers = await allLate(expected.map(([request]) => request));
  for (const [i, [, status, code]] of expected.entries()) isProblem(answers[i] as RawAnswer, status, code);
});

test('the time before the body counts as well', async () => {
  let isAnswered = false;
  const pending = one(rawRequest('POST /v1/authenticated-slowly', json, '{}')).then((answer) => {
    isAnswered = true;
    return answer;
  });
  await until(() => reached.has('/v1/authenticated-slowly'));
  time.now += patience.answer * 0.1;
  deadlines.check();
  assert.equal((await one(rawRequest('GET /v1/things'))).status, 200);
  assert.equal(isAnswered, false);
  time.now += patience.answer * 0.2;
  deadlines.check();
  isProblem(await pending, 429, 'overloaded');
});

test('a connection error of the database is 500, never the fault of the client', async () => {
  isProblem(await one(rawRequest('POST /v1/reset', json, '{}')), 500, 'internal_error');
});

test('a deep pipeline is refused beyond the limit of requests per connection, which is closed', async () => {
  handled = [];
  const requests = rawRequest('GET /v1/pause', { connection: 'keep-alive' }).repeat(20);
  const more = rawRequest('GET /v1/things', { connection: 'keep-alive' }).repeat(1_000);
  const answers = await exchange(port, requests + more);
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses, [...Array(20).fill(200), 429]);
  assert.equal(answers.at(-1)?.headers.connection, 'close');
  assert.deepEqual(handled, [], 'what follows is dropped');
});

test('requests that follow responses on one connection are not limited', async () => {
  const socket = net.connect(port, '127.0.0.1');
  for (let i = 0; i < 100; i++) {
    socket.write(rawRequest('GET /v1/things', { connection: 'keep-alive' }));
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1.1 200 /);
  }
  socket.destroy();
});

test('unfinished large bodies hold a bounded amount of memory, and small requests still pass', async () => {
  const unfinished = Array.from({ length: 2 }, () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(rawRequest('POST /v1/things', { ...json, 'content-length': '999000' }, '{'));
    return socket;
  });
  try {
    await until(async () => {
      const refused = await one(rawRequest('POST /v1/things', json, `{"name":"${'x'.repeat(40_000)}"}`));
      if (refused.status === 429) isProblem(refused, 429, 'overloaded');
      return refused.status === 429;
    });
    assert.equal((await one(rawRequest('POST /v1/things', json, '{"name":"x"}'))).status, 200);
  } finally {
    for (const socket of unfinished) socket.destroy();
  }
  await until(async () => {
    const accepted = await one(rawRequest('POST /v1/things', json, `{"name":"${'x'.repeat(40_000)}"}`));
    return accepted.status === 200;
  });
});

const hasLoopbackAddresses = process.platform === 'linux';

test('a client that takes all connections from many addresses loses idle ones to others', {
  skip: !hasLoopbackAddresses,
}, async () => {
  const small = createServer(readConfig({}), log, createMetrics(), patience, {
    ...limits,
    connections: 20,
    connectionsPerAddress: 8,
  });
  let respond = () => {};
  small.get('/v1/wait', async () => {
    await new Promise<void>((resolve) => {
      respond = resolve;
    });
    return {};
  });
  small.get('/v1/things', () => ({}));
  const at = Number(new URL(await small.listen({ port: 0, host: '127.0.0.1' })).port);
  const connect = async (address: number) => {
    const socket = net.connect({ port: at, host: '127.0.0.1', localAddress: `127.0.0.${address}` });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  // The oldest connection of the largest address waits for its response, so it is not idle.
  const waiting = await connect(2);
  waiting.write(rawRequest('GET /v1/wait', { connection: 'keep-alive' }));
  const idle: net.Socket[] = [];
  for (let i = 0; i < 19; i++) idle.push(await connect(2 + (i % 3)));
  for (let i = 0; i < 10; i++) {
    const answers = await exchange(at, rawRequest('GET /v1/things'));
    assert.equal(answers[0]?.status, 200);
  }
  const others = await Promise.all(Array.from({ length: 3 }, () => connect(9)));
  await until(() => idle.filter(({ closed }) => closed).length >= 3);
  assert.ok(others.every(({ closed }) => !closed));
  // Addresses with as many connections do not replace each other's.
  const left = idle.filter(({ closed }) => !closed);
  for (let i = 0; i < 6; i++) await once(await connect(2 + (i % 3)), 'close');
  assert.ok(left.every(({ closed }) => !closed));
  respond();
  const [answer] = await once(waiting, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 /);
  for (const socket of [waiting, ...idle, ...others]) socket.destroy();
  await small.close();
});

test('one address cannot take all connections, and refusals are logged', async () => {
  lines.length = 0;
  const sockets = Array.from({ length: 120 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
  await until(() => sockets.filter(({ closed }) => closed).length >= 20);
  for (const socket of sockets) socket.destroy();
  assert.ok(lines.some((line) => line.includes('too many connections of one address')));
  await until(async () => (await exchange(port, rawRequest('GET /v1/things')))[0]?.status === 200);
});

test('a request knows whether another one makes it, also on a connection that has had others', async () => {
  const more = { connection: 'keep-alive' };
  const requests = [rawRequest('GET /v1/whole', more), rawRequest('GET /v1/part', more), rawRequest('GET /v1/whole')];
  const answers = await exchange(port, requests.join(''));
  const whole = { isPart: false, part: { isPart: true } };
  assert.deepEqual(
    answers.map(({ body }) => body),
    [whole, { isPart: false }, whole],
  );
});

test('the schemas of first requests are compiled in turns of their own', async () => {
  compiledIn.clear();
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; turn++) await setImmediate();
  })();
  const answers = await Promise.all([
    app.inject({ method: 'POST', url: '/v1/noted', payload: {} }),
    app.inject('/v1/noted?size=3'),
  ]);
  isOver = true;
  await turns;
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  assert.deepEqual([...compiledIn.keys()].sort(), ['body', 'query', 'response']);
  assert.equal(new Set(compiledIn.values()).size, 3, 'each in its own turn');
});
