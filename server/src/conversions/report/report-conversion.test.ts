import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, testService } from '../../../test/harness.ts';
import { createKey } from '../../accounts/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { readReport } from './read-report.ts';
import { reportConversions } from './report-conversions.ts';

const service = await testService();
const { call, db, clock } = service;
const POST = 'POST /v1/analytics/report-conversion';
const GET = 'GET /v1/analytics/report-conversion';

interface Session {
  sessionId: number;
  sessionHash: string;
  shortSessionHash: string;
}

async function visit(account: Account, query = ''): Promise<Session> {
  const body = { api_key: account.token, url: `https://shop.test/landing?${query}` };
  const answer = await call('POST /v1/visits', { body });
  assert.equal(answer.status, 200);
  return answer.body;
}

async function report(account: Account, body: unknown, headers: Record<string, string> = {}) {
  const answer = await call(POST, { as: account, body, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

function unmatched() {
  const until = new Date(clock.now + 30 * 86_400_000).toISOString().slice(0, 10);
  const reason = `No session has this identifier. The report is kept until ${until} and takes effect when one arrives.`;
  return { reported: false, status: 'unmatched', reason };
}

async function conversions(account: Account) {
  const { rows } = await db.query(
    `select event_id, event, value, currency, created_on, received_at, origin, identifier, session_number, extra
     from conversions where account_id = $1 order by id`,
    [account.uuid],
  );
  return rows;
}

async function count(table: string, account: Account): Promise<number> {
  const { rows } = await db.query(`select count(*)::int as n from ${table} where account_id = $1`, [account.uuid]);
  return rows[0].n;
}

test('every identifier of a session finds it, alone and beside absent ones', async () => {
  const account = await service.newAccount();
  const clicks = [
    ...['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'epik', 'twclid', 'sclid', 'tblci'],
    ...['ob_click_id', 'rdt_cid', 'aleid', 'alart'],
  ];
  const session = await visit(account, clicks.map((name) => `${name}=${name}-1`).join('&'));
  const items: Record<string, unknown>[] = [
    ...['hash', 'sessionHash', 'visitHash'].map((name) => ({ [name]: session.sessionHash })),
    { sessionId: session.sessionHash },
    { sessionId: session.sessionId },
    { sessionId: String(session.sessionId) },
    ...['shortHash', 'shortSessionHash', 'shortVisitHash'].flatMap((name) => [
      { [name]: session.shortSessionHash },
      { [name]: session.shortSessionHash.toLowerCase() },
    ]),
    ...clicks.map((name) => ({ [name]: `${name}-1` })),
    { gclid: '', wbraid: null, hash: ' ', gbraid: 'gbraid-1' },
  ];
  const results = await report(account, items);
  for (const [i, result] of results.entries()) assert.equal(result.status, 'reported', JSON.stringify(items[i]));
  const stored = await conversions(account);
  assert.deepEqual(
    stored.map((row) => row.session_number),
    items.map(() => service.sessionIds.numberOf(session.sessionId)),
  );
  assert.deepEqual(stored.at(-1).identifier, { gbraid: 'gbraid-1' });
  assert.deepEqual(stored[4].identifier, { sessionId: session.sessionId });
});

test('a report that matches no session of the account is unmatched: 200, not reported, and kept', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const session = await visit(other, 'gclid=theirs');
  for (const item of [
    { gclid: 'theirs' },
    { gclid: 'THEIRS' },
    { sessionId: session.sessionId },
    { sessionId: -5 },
    { sessionId: 1.5 },
    { hash: 4711 },
    { gclid: 4711 },
    { hash: session.sessionHash },
    { shortHash: session.shortSessionHash },
    { fbclid: 'theirs' },
    { gclid: 'x'.repeat(2048) },
  ]) {
    assert.deepEqual(await report(account, item), unmatched());
  }
  assert.equal(await count('conversions', account), 0);
  assert.equal(await count('unmatched_conversions', account), 11);
  assert.equal((await report(other, { gclid: 'theirs' })).reported, true);
  assert.equal(await count('unmatched_conversions', other), 0);
});

test('an object returns one result, an array returns results in the same order, and an invalid item fails alone', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const single = await report(account, { gclid: 'g1' });
  assert.match(single._id, /^cnv_[0-9a-z]{26}$/);
  assert.deepEqual(single, { _id: single._id, reported: true, status: 'reported' });

  const results = await report(account, [
    { gclid: 'nobody' },
    { gclid: 'g1', value: '' },
    { gclid: 'g1', eventId: 'o-1', value: 5 },
    'text',
    null,
    [],
    { gclid: 'g1', fbclid: 'f', currency: 'x' },
    { gclid: 'g1', eventId: 'o-1', createdOn: 'whenever' },
    {},
  ]);
  assert.deepEqual(
    results.map(({ status, error }: { status: string; error?: string }) => error ?? status),
    [
      'unmatched',
      'value_invalid',
      'reported',
      'item_invalid',
      'item_invalid',
      'item_invalid',
      'identifier_conflict',
      'reported',
      'identifier_missing',
    ],
  );
  assert.deepEqual(results[0], unmatched());
  assert.deepEqual(results[8], {
    reported: false,
    status: 'failed',
    error: 'identifier_missing',
    reason: 'Send one session identifier or click id.',
  });
  assert.match(results[6].reason, /gclid, fbclid.* `currency` must/);
  assert.deepEqual(results[2], { _id: results[7]._id, reported: true, status: 'reported' });
  assert.match(results[7].reason, /`createdOn` is unreadable/);
  assert.equal(await count('conversions', account), 2);
  assert.deepEqual(await report(account, [{ gclid: 'nobody' }]), [unmatched()]);
});

test('an invalid single report is 400 with every fault and its pointer, by POST and by GET, and records nothing', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const posted = await call(POST, {
    as: account,
    body: {
      gclid: 'g1',
      hash: 'h',
      value: '',
      currency: 'x',
      event: '',
      eventId: 'x'.repeat(256),
      conversion: 4,
      extra: 4,
    },
  });
  assert.equal(posted.status, 400);
  assert.equal(posted.body.code, 'identifier_conflict');
  assert.deepEqual(
    posted.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/hash identifier_conflict',
      '/gclid identifier_conflict',
      '/event event_invalid',
      '/eventId event_id_invalid',
      '/value value_invalid',
      '/currency currency_invalid',
      '/extra extra_invalid',
    ],
  );
  const got = await call(`${GET}?gclid=a&gclid=b&value=1&value=2&currency=no&event=&eventId=a&eventId=b&extra=x`, {
    as: account,
  });
  assert.equal(got.status, 400);
  assert.deepEqual(
    got.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    ['?gclid identifier_conflict', '?eventId event_id_invalid', '?value value_invalid', '?currency currency_invalid'],
  );
  const alone: [unknown, string, string[]][] = [
    [{}, 'identifier_missing', ['']],
    [{ gclid: '' }, 'identifier_missing', ['']],
    [{ gclid: 'g1', gbraid: 'g1' }, 'identifier_conflict', ['/gclid', '/gbraid']],
    [{ gclid: true }, 'identifier_invalid', ['/gclid']],
    [{ gclid: 'g1', value: '' }, 'value_invalid', ['/value']],
    [{ gclid: 'g1', conversion: { value: '' } }, 'value_invalid', ['/conversion/value']],
    [{ gclid: 'g1', currency: 'QQQ' }, 'currency_invalid', ['/currency']],
    [{ gclid: 'g1', event: 4 }, 'event_invalid', ['/event']],
    [{ gclid: 'g1', eventId: {} }, 'event_id_invalid', ['/eventId']],
    [{ gclid: 'g1', extra: [1] }, 'extra_invalid', ['/extra']],
    [{ gclid: 'g1', value: '', currency: 'QQQ' }, 'value_invalid', ['/value', '/currency']],
  ];
  for (const [body, code, pointers] of alone) {
    const answer = await call(POST, { as: account, body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, code);
    assert.deepEqual(
      answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      pointers,
    );
  }
  assert.equal(await count('conversions', account), 0);
  assert.equal(await count('unmatched_conversions', account), 0);
});

test('a body that is neither object nor array, too long an array and too large a body are 400; an empty array has no results', async () => {
  const account = await service.newAccount();
  const codes: [unknown, string][] = [
    ['"text"', 'body_invalid'],
    ['7', 'body_invalid'],
    ['true', 'body_invalid'],
    ['null', 'body_invalid'],
    [Array.from({ length: 1001 }, () => ({ gclid: 'x' })), 'batch_too_large'],
    ['{"gclid":', 'json_malformed'],
    ['', 'body_empty'],
    [{ gclid: 'x', note: 'x'.repeat(4 * 1_048_576) }, 'body_too_large'],
  ];
  for (const [body, code] of codes) {
    const answer = await call(POST, { as: account, body });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, code);
  }
  assert.equal((await call(POST, { as: account })).status, 400);
  assert.deepEqual(await report(account, []), []);
  assert.equal(
    (
      await report(
        account,
        Array.from({ length: 1000 }, () => ({ gclid: 'x' })),
      )
    ).length,
    1000,
  );
  const large = { gclid: 'x', note: 'x'.repeat(2 * 1_048_576) };
  assert.equal((await call(POST, { as: account, body: large })).status, 200);
});

test('everything that a report contains is stored, money digit for digit', async () => {
  const account = await service.newAccount();
  const { sessionId } = await visit(account, 'fbclid=f1');
  const extra = { plan: 'pro', seats: 3, nested: { list: [null, true, 'é"\\'] } };
  clock.now = Date.parse('2026-11-20T10:00:00.250Z');
  await report(account, [
    {
      fbclid: 'f1',
      event: 'purchase',
      createdOn: '2026-11-01',
      eventId: 'o-1',
      value: '19.90',
      currency: 'eur',
      extra,
      utm: 1,
    },
    { fbclid: 'f1', value: 0.1 },
    { fbclid: 'f1', value: '123456789012345678.123456789' },
    { fbclid: 'f1', conversion: { value: 7, type: 'sale' } },
    { fbclid: 'f1', createdOn: '2999-01-01', eventId: '' },
    { fbclid: 'f1', eventId: '  ' },
  ]);
  const rows = await conversions(account);
  const arrived = new Date('2026-11-20T10:00:00.250Z');
  const plain = {
    event_id: null,
    event: 'conversion',
    value: null,
    currency: null,
    created_on: arrived,
    received_at: arrived,
    origin: 'report',
    identifier: { fbclid: 'f1' },
    session_number: service.sessionIds.numberOf(sessionId),
    extra: null,
  };
  assert.deepEqual(rows, [
    {
      ...plain,
      event_id: 'o-1',
      event: 'purchase',
      value: '19.90',
      currency: 'EUR',
      created_on: new Date('2026-11-01T00:00:00Z'),
      extra,
    },
    { ...plain, value: '0.1' },
    { ...plain, value: '123456789012345678.123456789' },
    { ...plain, value: '7' },
    plain,
    plain,
  ]);
});

test('GET reports like POST, but accepts no conversion, no extra and no array', async () => {
  const account = await service.newAccount();
  const { sessionId } = await visit(account, 'gclid=g1');
  const get = async (query: Record<string, string>) => call(`${GET}?${new URLSearchParams(query)}`, { as: account });
  const reported = await get({
    gclid: 'g1',
    gbraid: '',
    eventId: 'o-1',
    value: '5.00',
    currency: 'usd',
    conversion: '7',
    extra: '8',
    foreign: '9',
  });
  assert.equal(reported.status, 200);
  assert.equal(reported.headers['cache-control'], 'no-store');
  assert.deepEqual(reported.body, { _id: reported.body._id, reported: true, status: 'reported' });
  assert.deepEqual((await get({ sessionId: String(sessionId), eventId: 'o-1', value: '0' })).body, reported.body);
  assert.deepEqual((await get({ gclid: 'nobody' })).body, unmatched());
  assert.equal((await get({ gclid: 'g1', value: '' })).body.code, 'value_invalid');
  assert.equal((await get({ gclid: 'g1', gbraid: 'x' })).body.code, 'identifier_conflict');
  assert.equal((await get({ value: '1' })).body.code, 'identifier_missing');
  const [row, ...others] = await conversions(account);
  assert.equal(others.length, 0);
  assert.deepEqual([row.value, row.currency, row.event, row.extra], ['0', 'USD', 'conversion', null]);
});

test('GET and POST validate every query alike', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const text = fc.oneof(
    fc.constantFrom('', ' ', '0', '1.5', 'EUR', 'eur', 'g1', '2026-11-20', '1700000000'),
    fc.string(),
  );
  const names = ['gclid', 'hash', 'sessionId', 'shortHash', 'event', 'createdOn', 'eventId', 'value', 'currency', 'x'];
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 5 }), async (item) => {
      const got = await call(`${GET}?${new URLSearchParams(item)}`, { as: account });
      // Empty parameters are absent in a query only; an empty value is invalid in both.
      const present = Object.entries(item).filter(([name, value]) => value !== '' || name === 'value');
      const posted = await call(POST, { as: account, body: Object.fromEntries(present) });
      const gist = ({ status, body }: typeof got) => [
        status,
        body.status,
        body.code,
        body.reason,
        body.errors?.map(({ pointer, ...rest }: { pointer: string }) => ({ ...rest, at: pointer.slice(1) })),
      ];
      assert.deepEqual(gist(got), gist(posted));
    }),
    { numRuns: 150 },
  );
});

test('a postback key is valid for the GET only, and appears in no response', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const { token: key } = await createKey(service.control, account.id, 'postback', 'Platform');
  assert.equal((await call(`${GET}?gclid=g1&key=${key}`)).body.status, 'reported');
  const wrong = await call(`${GET}?value=x&key=${key}`);
  assert.equal(wrong.status, 400);
  assert.ok(!JSON.stringify(wrong).includes(key));
  assert.equal((await call(POST, { as: key, body: { gclid: 'g1' } })).status, 401);
  assert.equal((await call(`POST /v1/analytics/report-conversion?key=${key}`, { body: { gclid: 'g1' } })).status, 401);
  assert.equal((await call(`${GET}?gclid=g1&key=${account.token}`)).status, 401);
  assert.equal((await call(`${GET}?gclid=g1&key=${account.apiKey}`)).status, 401);
  assert.equal((await call(`${GET}?gclid=g1&key=${key}&key=${key}`)).status, 401);
  assert.equal((await call(GET)).status, 401);
  assert.equal((await call(POST, { body: { gclid: 'g1' } })).status, 401);
  assert.equal(await count('conversions', account), 1);
});

test('HEAD and other methods report nothing', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await call(`${method} /v1/analytics/report-conversion?gclid=g1`, { as: account });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.allow, 'GET, POST');
  }
  assert.equal(await count('conversions', account), 0);
});

test('a request that is repeated with its Idempotency-Key gets the first response and is recorded once', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  for (const body of [{ gclid: 'g1' }, [{ gclid: 'g1' }, { gclid: 'nobody' }, {}]]) {
    const before = [await count('conversions', account), await count('unmatched_conversions', account)];
    const headers = { 'idempotency-key': randomUUID() };
    const first = await report(account, body, headers);
    const after = [await count('conversions', account), await count('unmatched_conversions', account)];
    assert.notDeepEqual(after, before);
    assert.deepEqual(await report(account, body, headers), first);
    assert.deepEqual([await count('conversions', account), await count('unmatched_conversions', account)], after);
    const other = await call(POST, { as: account, body: { gclid: 'g2' }, headers });
    assert.equal(other.body.code, 'idempotency_key_reused');
  }
});

test('a batch takes the same few statements for any number of items', async () => {
  const account = await service.newAccount();
  await visit(account, 'gclid=g1');
  const statements = async (items: number) => {
    const names: string[] = [];
    await db.transaction((tx) => {
      const query = (config: { name: string }) => {
        names.push(config.name);
        return tx.query(config as never);
      };
      const read = Array.from({ length: items }, (_, i) =>
        readReport(
          service.sessionIds,
          { gclid: i % 10 === 9 ? 'nobody' : 'g1', eventId: `${items}-${i % 700}`, value: i },
          clock.now,
        ),
      );
      return reportConversions(
        { query } as unknown as Tx,
        { accountId: account.uuid, secret: service.secret },
        read,
        clock.now,
      );
    });
    return names;
  };
  const expected = [
    'tracking.find_session_numbers',
    // Where a report with an event id finds no session.
    'conversions.find_own_identifiers',
    'conversions.upsert',
    'conversions.store_reports',
  ];
  assert.deepEqual(await statements(10), expected);
  assert.deepEqual(await statements(1000), expected);
});

test('the API description has every field of the interface, for both forms', async () => {
  const { body } = await call('GET /openapi.json');
  const path = body.paths['/v1/analytics/report-conversion'];
  const item = body.components.schemas.ConversionItem.properties;
  const [one, many] = path.post.requestBody.content['application/json'].schema.anyOf;
  assert.deepEqual([one.$ref, many.items.$ref], Array(2).fill('#/components/schemas/ConversionItem'));
  const own = ['event', 'createdOn', 'eventId', 'value', 'currency'];
  for (const name of [...own, 'conversion', 'extra', 'hash', 'shortVisitHash', 'alart']) assert.ok(item[name], name);
  const parameters = path.get.parameters.map(
    ({ name, $ref }: { name?: string; $ref?: string }) =>
      name ?? body.components.parameters[$ref?.split('/')[3] ?? ''].name,
  );
  for (const name of [...own, 'sessionId', 'rdt_cid']) assert.ok(parameters.includes(name), name);
  assert.ok(!parameters.includes('conversion') && !parameters.includes('extra'));
  const session = { session: [], account: [] };
  assert.deepEqual(path.get.security, [{ bearer: [] }, { token: [] }, { postbackKey: [] }, session]);
});

test('conversions have their own rate limit, shared by POST and GET, and a batch is one request', async () => {
  const limited = await testService({ RATE_LIMIT: 'on', RATE_LIMIT_CONVERSION: '1:2' });
  const account = await limited.newAccount();
  const batch = Array.from({ length: 100 }, () => ({ gclid: 'x' }));
  assert.equal((await limited.call(POST, { as: account, body: batch })).status, 200);
  assert.equal((await limited.call(`${GET}?gclid=x`, { as: account })).status, 200);
  const refused = await limited.call(POST, { as: account, body: batch });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
  limited.clock.now += 1000;
  assert.equal((await limited.call(`${GET}?gclid=x`, { as: account })).status, 200);
});
