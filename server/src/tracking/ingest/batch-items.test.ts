/** Whatever one item of a batch contains, each item has the outcome that it would have alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, testService } from '../../../test/harness.ts';

const service = await testService();
const RUNS = Number(process.env.RUNS ?? 60);

/** JSON texts that a serializer or a careless client writes and that a database cannot store as they are. */
const ODD_TEXTS = [
  String.raw`"\ud800"`,
  String.raw`"a\udc00b"`,
  String.raw`"\u0000"`,
  String.raw`"\ud83d\ude00"`,
  '1e400',
  '-1e999',
  '9'.repeat(400),
  '0.1e-400',
  '""',
  'null',
  '[]',
  '{}',
  'true',
  '7',
  '"x"',
  '[1e999,"\\u0000",{"__proto__":1}]',
  '{"__proto__":{"a":1}}',
  String.raw`{"\u0000":1,"\ud800":2,"":3,"constructor":4,"toString":5}`,
  '['.repeat(40) + ']'.repeat(40),
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  '['.repeat(5_000) + ']'.repeat(5_000),
];
const odd = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.json({ maxDepth: 2 }));
const oddName = fc.constantFrom(
  '"__proto__"',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  '""',
  '"constructor"',
  '"x"',
);

const object = (known: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.record(known, { requiredKeys: [] }), fc.array(fc.tuple(oddName, odd), { maxLength: 2 }))
    .map(([members, more]) => {
      const named = Object.entries(members).map(([name, text]) => [JSON.stringify(name), text]);
      return `{${[...named, ...more].map(([name, text]) => `${name}:${text}`).join()}}`;
    });

const text = fc.constantFrom('"signup"', '"purchase"', '"a\\u0000b"', '"\\ud800"');
const properties = object({
  email: fc.oneof(fc.constantFrom('"ann@shop.example"', '"a\\u0000@shop.example"'), odd),
  value: fc.oneof(fc.constantFrom('5', '"5.5"', '1e400', '1e300'), odd),
  gclid: odd,
  sessionId: odd,
  hash: odd,
  currency: odd,
});
const event = object({
  event: fc.oneof({ weight: 4, arbitrary: text }, odd),
  id: odd,
  occurredAt: odd,
  properties: fc.oneof(properties, odd),
});
const url = fc.constantFrom(
  '"https://shop.example/"',
  '"https://shop.example/?utm_source=a%00b&gclid=%00&utm_campaign=%ED%A0%80"',
  '"https://shop.example/\\ud800?gclid=\\u0000x"',
  '"nowhere"',
);
const visit = object({
  url: fc.oneof({ weight: 4, arbitrary: url }, odd),
  referrer: odd,
  title: odd,
  visitId: odd,
  visitorId: odd,
  sessionHash: odd,
  consent: odd,
});
const item = fc.oneof(
  { weight: 5, arbitrary: event.map((each) => `{"event":${each}}`) },
  { weight: 5, arbitrary: visit.map((each) => `{"visit":${each}}`) },
  { weight: 1, arbitrary: fc.tuple(visit, event).map(([a, b]) => `{"visit":${a},"event":${b}}`) },
  { weight: 1, arbitrary: event.map((each) => `{"event":${each},"visit":null,"other":1}`) },
  { weight: 2, arbitrary: odd },
);

const conversion = object({
  gclid: fc.oneof(fc.constantFrom('"click"', '"\\u0000"'), odd),
  fbclid: odd,
  sessionId: odd,
  event: odd,
  eventId: fc.oneof(fc.constantFrom('"order"', '"\\ud800"'), odd),
  value: fc.oneof(fc.constantFrom('5', '"5"', '""'), odd),
  currency: fc.oneof(fc.constant('"EUR"'), odd),
  createdOn: odd,
  conversion: odd,
  extra: odd,
});

const post = async (url: string, body: string, account: Account) => {
  const answer = await service.call(`POST ${url}`, {
    as: account,
    body: Buffer.from(body),
    headers: { 'content-type': 'application/json' },
  });
  return answer;
};

test('each visit and event of a batch has the outcome that it has alone, whatever the others contain', async () => {
  const account = await service.newAccount();
  const send = async (items: string[]) => {
    const answer = await post('/v1/batch', `{"api_key":"${account.apiKey}","items":[${items.join()}]}`, account);
    assert.equal(answer.status, 200, `${items.join()}: ${JSON.stringify(answer.body)}`);
    return answer.body.results as { success: boolean; error?: string; reason?: string }[];
  };
  const outcome = ({ success, error = '', reason = '' }: { success: boolean; error?: string; reason?: string }) => ({
    success,
    error,
    reason,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), async (items) => {
      const together = (await send(items)).map(outcome);
      const alone: unknown[] = [];
      for (const each of items) alone.push(...(await send([each])).map(outcome));
      assert.deepEqual(together, alone, items.join());
    }),
    { numRuns: RUNS },
  );
});

test('each conversion of an array has the outcome that it has alone, whatever the others contain', async () => {
  const account = await service.newAccount();
  const send = (body: string) => post('/v1/analytics/report-conversion', body, account);
  const one = fc.oneof({ weight: 5, arbitrary: conversion }, { weight: 1, arbitrary: odd });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 8 }), async (items) => {
      const together = await send(`[${items.join()}]`);
      assert.equal(together.status, 200, `${items.join()}: ${JSON.stringify(together.body)}`);
      for (const [i, each] of items.entries()) {
        const { status, error } = together.body[i];
        const array = await send(`[${each}]`);
        assert.deepEqual([array.body[0].status, array.body[0].error], [status, error], each);
        if (!each.startsWith('{')) continue;
        const alone = await send(each);
        if (alone.status === 200) assert.equal(alone.body.status, status, each);
        else assert.deepEqual([alone.status, alone.body.code], [400, error], each);
      }
    }),
    { numRuns: RUNS },
  );
});

test('characters that cannot be stored become U+FFFD, and odd names and large numbers are kept', async () => {
  const account = await service.newAccount();
  const sent = String.raw`{"__proto__":{"a":1},"nul\u0000":"\u0000","half":"\ud800x","large":1e400,"digits":-${'9'.repeat(310)},"":[]}`;
  const { body } = await post(
    '/v1/events',
    `{"api_key":"${account.apiKey}","event":"a\\u0000b","properties":${sent}}`,
    account,
  );
  assert.equal(body.success, true);
  const stored = await service.db.query('select event, properties::text from events where account_id = $1', [
    account.uuid,
  ]);
  assert.equal(stored.rows[0].event, 'a\ufffdb');
  const properties = JSON.parse(stored.rows[0].properties);
  assert.deepEqual(Object.entries(properties).sort(), [
    ['', []],
    ['__proto__', { a: 1 }],
    ['digits', `-${'9'.repeat(310)}`],
    ['half', '\ufffdx'],
    ['large', '1e400'],
    ['nul\ufffd', '\ufffd'],
  ]);
  const form = `api_key=${account.apiKey}&event=form&properties[__proto__]=%00&properties[a%00]=%ED%A0%80`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await service.call('POST /v1/events', { body: form, headers })).status, 200);
  for (const query of ['gclid=%00&event=%00&currency=EUR&%00=1', '__proto__=1&gclid=%ED%A0%80']) {
    const answer = await service.call(`GET /v1/analytics/report-conversion?${query}`, { as: account });
    assert.deepEqual([answer.status, answer.body.status], [200, 'unmatched'], JSON.stringify(answer.body));
  }
  const timeline = await service.call('GET /v1/analytics/event-properties?event=form&from=2026-01-01&to=2026-12-31', {
    as: account,
  });
  assert.equal(timeline.status, 200, JSON.stringify(timeline.body));
});

test('a session is named by its hash or its number, as text or number, under each of the four names', async () => {
  const account = await service.newAccount();
  const visit = async (body: object) =>
    (await service.call('POST /v1/visits', { body: { api_key: account.apiKey, ...body } })).body;
  const session = await visit({ url: 'https://shop.example/' });
  for (const name of ['hash', 'sessionHash', 'sessionId', 'visitHash']) {
    for (const value of [session.sessionHash, session.sessionId, String(session.sessionId)]) {
      const url = 'POST /v1/analytics/report-conversion';
      const reported = await service.call(url, { as: account, body: { [name]: value } });
      assert.equal(reported.body.status, 'reported', `${name}: ${value}`);
      const properties = { [name]: value };
      const body = { api_key: account.apiKey, event: `${name} ${typeof value}`, properties };
      assert.equal((await service.call('POST /v1/events', { body })).status, 200);
    }
    const query = `GET /v1/analytics/report-conversion?${name}=${session.sessionId}`;
    assert.equal((await service.call(query, { as: account })).body.status, 'reported', name);
  }
  for (const name of ['shortHash', 'shortSessionHash', 'shortVisitHash']) {
    const body = { [name]: session.shortSessionHash };
    const reported = await service.call('POST /v1/analytics/report-conversion', { as: account, body });
    assert.equal(reported.body.status, 'reported', name);
  }
  const unlinked = await service.db.query('select event from events where account_id = $1 and session_number is null', [
    account.uuid,
  ]);
  assert.deepEqual(unlinked.rows, []);
  for (const sessionHash of [session.sessionId, String(session.sessionId)]) {
    const joined = await visit({ url: 'https://shop.example/next', sessionHash });
    assert.equal(joined.sessionId, session.sessionId);
  }
  const other = await service.newAccount();
  const foreign = await service.call('POST /v1/visits', {
    body: { api_key: other.apiKey, url: 'https://shop.example/', sessionHash: session.sessionId },
  });
  assert.notEqual(foreign.body.sessionId, session.sessionId);
});
