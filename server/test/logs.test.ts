/** Secrets must not reach the log: the service runs at level trace and gets secrets in every place that clients control. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createKey } from '../src/accounts/index.ts';
import { createLog, scrub } from '../src/shared/log.ts';
import { testService } from './harness.ts';
import { exchange, rawRequest } from './raw-http.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const service = await testService({ LOG_LEVEL: 'trace' }, { log: createLog('trace', sink) });
const account = await service.newAccount();
const postback = (await createKey(service.control, account.id, 'postback', 'network')).token;
const email = 'jane.doe+x@shop.example';
const secrets = [
  account.token,
  account.apiKey,
  postback,
  'hw_sk_mistyped',
  email,
  encodeURIComponent(email),
  'hunter2',
];

const isClean = (text: string) => secrets.every((secret) => !text.includes(secret));

test('no log line contains a key or an email, at any level and for any error', async () => {
  const requests: Parameters<typeof service.call>[] = [
    ['GET /v1/limits', { as: account }],
    ['GET /v1/limits', { as: 'hw_sk_mistyped' }],
    ['GET /v1/limits', { headers: { authorization: `Bearer ${account.token}`, cookie: account.token } }],
    [`GET /v1/analytics/report-conversion?gclid=x&key=${postback}`],
    [`GET /v1/analytics/report-conversion?gclid=x&eventId=${email}&key=hw_pb_mistyped`],
    [`GET /v1/nothing?key=${postback}&email=${email}`],
    [`POST /v1/${account.token}/${encodeURIComponent(email)}`],
    ['POST /v1/events', { body: { event: 'signup', api_key: account.apiKey, properties: { email, value: 3 } } }],
    ['POST /v1/events', { body: { event: 7, api_key: account.apiKey, properties: { email, [email]: 'x' } } }],
    ['POST /v1/events', { body: `{"event":"x","api_key":"${account.apiKey}","properties":{"email":"${email}"` }],
    ['POST /v1/visits', { body: { api_key: account.apiKey, url: `https://shop.example/?email=${email}` } }],
    ['POST /v1/cms/collections', { as: account, body: { name: email }, headers: { 'idempotency-key': email } }],
    ['POST /v1/cms/collections', { as: account, body: { name: 7, [email]: email } }],
    ['POST /v1/analytics/report-conversion', { as: account, body: [{ gclid: email, extra: { email } }] }],
    ['GET /v1/jobs/get-by-id?id=x', { as: account }],
  ];
  for (const request of requests) assert.notEqual((await service.call(...request)).status, 500);

  const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const port = Number(new URL(address).port);
  await exchange(port, rawRequest(`GET /v1/%zz?key=${postback}`));
  await exchange(port, rawRequest('GET /v1/limits', { 'x-api-key': `Bearer ${account.token}`, x: 'x'.repeat(20_000) }));
  await exchange(port, `NONSENSE ${account.token} ${email}\r\n\r\n`);

  // Database errors that contain the row: a missing table, a violated constraint.
  await service.control.query('alter table accounts add constraint no_jane check (name not like $$%jane%$$)');
  await assert.rejects(service.newAccount(email));
  await service.db.query('alter table collections rename to gone');
  const failed = await service.call('POST /v1/cms/collections', { as: account, body: { name: email } });
  assert.equal(failed.status, 500);
  assert.ok(isClean(JSON.stringify(failed)));
  await service.db.query('alter table gone rename to collections');

  assert.ok(lines.length >= requests.length, 'requests are logged at this level');
  assert.ok(lines.some((line) => line.includes(failed.body.requestId) && line.includes('does not exist')));
  assert.deepEqual(
    lines.filter((line) => !isClean(line)),
    [],
  );
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line));
});

test('secrets that reach the logger by mistake are redacted', () => {
  const log = createLog('trace', sink);
  lines.length = 0;
  const error = Object.assign(new Error(`duplicate key ${email}`), {
    code: '23505',
    detail: `Key (email)=(${email}) exists.`,
    where: email,
    cause: new Error(`postgres://user:hunter2@db/x?key=${postback}`),
  });
  log.error({ err: error, url: `/v1/x?a=1&key=hunter2&b=${encodeURIComponent(email)}`, token: account.token }, email);
  log.warn(`Bearer ${account.apiKey} whsec_aGVsbG8=`);
  assert.equal(lines.length, 2);
  for (const line of lines) {
    assert.ok(isClean(line), line);
    assert.doesNotMatch(line, /aGVsbG8/);
    assert.doesNotThrow(() => JSON.parse(line));
  }
  assert.match(lines[0] ?? '', /"code":"23505"/);
  assert.match(lines[0] ?? '', /a=1&key=\[redacted\]/);
});

test('other text stays readable', () => {
  for (const text of [
    'at run (/srv/app/node_modules/@fastify/multipart/index.js:10:5)',
    'a@b',
    'https://headwater.example/docs',
    '{"ms":12,"route":"/v1/cms/collections/:collectionId"}',
  ]) {
    assert.equal(scrub(text), text);
  }
});
