import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { filesOfJob } from '../../exports/test-support.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { eraseLeadHandler } from './erase-lead.ts';
import { eraseVisitorHandler } from './erase-visitor.ts';

const service = await testService();
const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('there is no runner');
runner.start();

const ANN = 'ann@example.com';
const rows = async (sql: string, ...values: unknown[]) => (await service.db.query(sql, values)).rows;

const post = async (path: string, body: Record<string, unknown>, as?: Account, headers?: Record<string, string>) => {
  const answer = await service.call(`POST ${path}`, { body, ...(as && { as }), ...(headers && { headers }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

/** A job once it has ended. */
async function ended(as: Account, { id }: { id: string }) {
  const read = async () => (await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as })).body;
  await until(async () => !['queued', 'running'].includes((await read()).status));
  return read();
}

const erase = async (as: Account, email: string) => ended(as, await post('/v1/leads/erase', { email }, as));
const exportOf = async (as: Account, dataset: string) =>
  ended(as, await post('/v1/analytics/export', { dataset, format: 'ndjson' }, as));

/** A person who is known in every way; what is personal of her has `secret` in it. */
async function furnish(account: Account) {
  const visit = (url: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) =>
    post(
      '/v1/visits',
      { api_key: account.apiKey, url, visitorId: 'secret-visitor', title: 'secret title', ...more },
      undefined,
      headers,
    );
  const first = await visit('https://shop.example/a?gclid=secret-click&utm_campaign=may', {
    referrer: 'https://mail.example/?user=secret',
  });
  const second = await visit('https://shop.example/b?fbclid=secret-click-2#secret', {}, { 'idempotency-key': 'visit' });
  const event = (name: string, properties: Record<string, unknown>, id?: string) =>
    post('/v1/events', { api_key: account.apiKey, event: name, properties, id });
  await event('viewed', { sessionHash: first.sessionHash, note: 'secret' });
  await event('signed_up', { email: `${ANN}`, sessionHash: first.sessionHash, name: 'secret', funnel_id: 'f' });
  await event('bought', { email: ANN, gclid: 'secret-click', value: 5.5, currency: 'EUR', x: 'secret' }, 'e-1');
  await event('came_back', { email: ANN, note: 'secret' });
  const report = (body: Record<string, unknown>) => post('/v1/analytics/report-conversion', body, account);
  await report({ gclid: 'secret-click', eventId: 'o-1', value: 10, currency: 'EUR', extra: { name: 'secret' } });
  await report({ gclid: 'secret-click', eventId: 'o-1', value: 12 });
  await report({ hash: second.sessionHash, value: 7 });
  return { first, second };
}

/** Somebody else in the same account, whom nothing may touch. */
async function furnishOther(account: Account) {
  const { sessionHash } = await post('/v1/visits', {
    api_key: account.apiKey,
    url: 'https://shop.example/c?gclid=other',
    visitorId: 'other',
    title: 'Other',
  });
  const properties = { email: 'bob@example.com', sessionHash, name: 'Bob' };
  await post('/v1/events', { api_key: account.apiKey, event: 'signed_up', properties });
  await post('/v1/analytics/report-conversion', { gclid: 'other', eventId: 'o-2', value: 3, extra: { a: 1 } }, account);
}

const TABLES = [
  'sessions',
  'click_ids',
  'lead_sessions',
  'visits',
  'leads',
  'events',
  'conversions',
  'conversion_revisions',
];
TABLES.push('unmatched_conversions', 'idempotency_keys', 'jobs');

/** Every row of an account, as text. */
async function everything(account: Account, without: string[] = []): Promise<string[]> {
  const all: string[] = [];
  for (const table of TABLES.filter((each) => !without.includes(each))) {
    const found = await rows(`select to_jsonb(t)::text as row from ${table} t where account_id = $1`, account.uuid);
    all.push(...found.map(({ row }) => `${table} ${row}`));
  }
  return all;
}

/** What is counted and summed up. */
const sums = async (account: Account) =>
  rows(
    `select (select count(*) from sessions where account_id = $1) as sessions,
       (select count(distinct visitor_id) from sessions where account_id = $1) as visitors,
       (select json_agg(c order by c) from (select campaign || source || medium as c from sessions where account_id = $1) c) as campaigns,
       (select count(*) from visits where account_id = $1) as visits,
       (select count(distinct visitor_id) from visits where account_id = $1) as visit_visitors,
       (select json_object_agg(e.event, e.n) from (select event, count(*) as n from events where account_id = $1 group by event) e) as events,
       (select sum((properties->>'value')::numeric) from events where account_id = $1) as event_values,
       (select json_agg(json_build_array(event_id, event, value, currency, session_number, origin) order by id)
        from conversions where account_id = $1) as conversions,
       (select sum(value) from conversion_revisions where account_id = $1) as revisions`,
    account.uuid,
  );

test('erasing a lead leaves no personal data anywhere, and changes no counts or sums', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const { first } = await furnish(account);
  await furnish(other);
  await furnishOther(account);
  const exported = await exportOf(account, 'events');
  const elsewhere = await exportOf(other, 'events');
  const before = { sums: await sums(account), bob: await bobsRows(account), other: await everything(other) };
  assert.ok((await everything(account)).some((row) => row.includes('secret')));

  const job = await erase(account, ' Ann@Example.COM ');
  assert.deepEqual([job.type, job.status, job.result], ['erase_lead', 'completed', { erased: true }]);
  assert.deepEqual(Object.keys(job.params), ['leadId']);

  for (const row of await everything(account)) {
    assert.ok(!row.includes('secret') && !row.includes(ANN), row);
  }
  assert.deepEqual(await sums(account), before.sums);
  assert.deepEqual(await bobsRows(account), before.bob);
  assert.deepEqual(await everything(other), before.other);
  const kept = await rows(
    "select properties from events where account_id = $1 and event in ('signed_up', 'bought') order by id",
    account.uuid,
  );
  assert.deepEqual(kept.map((row) => row.properties).slice(0, 2), [
    { funnel_id: 'f' },
    { value: 5.5, currency: 'EUR' },
  ]);
  const [session] = await rows(
    'select * from sessions where account_id = $1 and number = $2',
    account.uuid,
    service.sessionIds.numberOf(first.sessionId),
  );
  assert.deepEqual(
    [session.landing_url, session.referrer, session.campaign, session.click_ids, session.lead_id],
    ['https://shop.example/a', 'https://mail.example/', 'may', {}, null],
  );

  const expired = (await service.call(`GET /v1/jobs/get-by-id?id=${exported.id}`, { as: account })).body;
  assert.deepEqual([expired.status, expired.result.url, expired.result.expired], ['completed', null, true]);
  assert.equal(expired.result.rows, exported.result.rows);
  const download = async (url: string) =>
    (await service.app.inject({ url: url.replace('http://headwater.test', '') })).statusCode;
  assert.equal(await download(exported.result.url), 404);
  assert.equal(await download(elsewhere.result.url), 200);
  assert.deepEqual(filesOfJob(service, exported.id), []);
  assert.equal(filesOfJob(service, elsewhere.id).length, 1);

  async function bobsRows(account: Account) {
    return (await everything(account, ['jobs'])).filter((row) => /bob@|Bob|other|Other|o-2/.test(row));
  }
});

test('the response stored for an Idempotency-Key is erased, and its request is still not executed again', async () => {
  const account = await service.newAccount();
  await furnish(account);
  await erase(account, ANN);
  const again = await service.call('POST /v1/visits', {
    body: {
      api_key: account.apiKey,
      url: 'https://shop.example/b?fbclid=secret-click-2#secret',
      visitorId: 'secret-visitor',
      title: 'secret title',
    },
    headers: { 'idempotency-key': 'visit' },
  });
  assert.deepEqual([again.status, again.body.code], [400, 'idempotency_response_erased']);
  assert.equal((await rows('select from visits where account_id = $1', account.uuid)).length, 2);
});

test('erasing twice, or an unknown email, does no harm; a person who comes back is a new lead', async () => {
  const account = await service.newAccount();
  const { first } = await furnish(account);
  const [lead] = await rows('select id from leads where account_id = $1', account.uuid);
  await erase(account, ANN);
  const before = await everything(account, ['jobs']);
  const again = await erase(account, ANN);
  assert.deepEqual(again.result, { erased: false });
  assert.deepEqual(await everything(account, ['jobs']), before);

  // Whoever still has the old session's hash names that session alone.
  await post('/v1/events', {
    api_key: account.apiKey,
    event: 'signed_up',
    properties: { email: ANN, sessionHash: first.sessionHash },
  });
  const tied = await rows(
    'select number, lead_id from sessions where account_id = $1 and lead_id is not null',
    account.uuid,
  );
  assert.deepEqual(
    tied.map(({ number }) => number),
    [service.sessionIds.numberOf(first.sessionId)],
  );
  assert.notEqual(tied[0]?.lead_id, lead?.id);
});

for (const who of ['lead', 'visitor'] as const)
  test(`an erasure of a ${who} that is interrupted anywhere is completed by the next run`, async () => {
    const account = await service.newAccount();
    const sessions = Object.values(await (who === 'lead' ? furnish : furnishVisitor)(account));
    const before = await sums(account);
    const [lead] = await rows('select id from leads where account_id = $1', account.uuid);
    const params = who === 'lead' ? { leadId: publicId('led', lead?.id) } : { sessionId: sessions[0].sessionId };
    let left = 0;
    for (let step = 1; ; step++) {
      // Breaks off at the n-th statement, whichever that is.
      left = step;
      const broken = () => {
        if (--left === 0) throw new Error('broken off');
      };
      const db = {
        ...service.db,
        query: (...args: unknown[]) => {
          broken();
          return (service.db.query as (...all: unknown[]) => Promise<unknown>)(...args);
        },
        transaction: (work: never) => {
          broken();
          return service.db.transaction(work);
        },
      };
      const handler = (who === 'lead' ? eraseLeadHandler : eraseVisitorHandler)(
        { db, secret: Buffer.alloc(32), sessionIds: service.sessionIds } as never,
        [],
      );
      const job = {
        accountId: account.uuid,
        id: '00000000-0000-7000-8000-000000000001',
        attempt: step,
        params,
        signal: new AbortController().signal,
        report: () => {},
      };
      const done = await handler.run(job).then(
        () => true,
        (error) => {
          if (error.message !== 'broken off') throw error;
          return false;
        },
      );
      if (done) break;
      assert.ok(step < 100);
    }
    // The other modules are not registered with these deps: what is tracking's own is erased.
    const tracked = await everything(account, ['conversions', 'conversion_revisions', 'jobs', 'unmatched_conversions']);
    for (const row of tracked) assert.ok(!row.includes('secret') && !row.includes(ANN), row);
    assert.deepEqual(await sums(account), before);
  });

test('every fault is reported, and the secret token is required', async () => {
  const account = await service.newAccount();
  const call = (body: unknown, as: Account | string = account) => service.call('POST /v1/leads/erase', { as, body });
  for (const body of [{}, { email: 'nobody' }, { email: 5 }, { email: ANN, more: 1 }, []]) {
    assert.equal((await call(body)).status, 400, JSON.stringify(body));
  }
  assert.equal((await call({ email: ANN }, account.apiKey)).status, 401);
  const job = await call({ email: ANN });
  assert.ok(parseId('job', job.body.id));
  const other = await service.newAccount();
  assert.equal((await service.call(`GET /v1/jobs/get-by-id?id=${job.body.id}`, { as: other })).status, 404);
});

/** A visitor without an email, in two sessions; what is personal has `secret` in it. */
async function furnishVisitor(account: Account) {
  const visit = (url: string) =>
    post('/v1/visits', { api_key: account.apiKey, url, visitorId: 'secret-visitor', title: 'secret title' });
  const first = await visit('https://shop.example/a?gclid=secret-click&utm_campaign=may');
  const second = await visit('https://shop.example/b?fbclid=secret-click-2#secret');
  const properties = { sessionHash: first.sessionHash, note: 'secret', value: 4, currency: 'EUR' };
  await post('/v1/events', { api_key: account.apiKey, event: 'viewed', properties });
  // By a server, which knows no session.
  const exposure = { experiment: 'headline', variant: 'new', visitorId: 'secret-visitor' };
  await post('/v1/events', { api_key: account.apiKey, event: 'experiment_exposure', properties: exposure });
  const extra = { name: 'secret' };
  await post('/v1/analytics/report-conversion', { gclid: 'secret-click', eventId: 'o-1', value: 10, extra }, account);
  return [first, second];
}

test('erasing a visitor without an email leaves no personal data of any session, and changes no counts or sums', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  await furnishVisitor(account);
  await furnishVisitor(other);
  await furnishOther(account);
  await exportOf(account, 'visits');
  const before = { sums: await sums(account), other: await everything(other) };
  const body = { visitorId: 'secret-visitor' };
  const job = await ended(account, await post('/v1/visitors/erase', body, account));
  assert.deepEqual([job.type, job.status, job.result], ['erase_visitor', 'completed', { erased: true }]);
  assert.deepEqual(Object.keys(job.params), ['sessionId']);
  for (const row of await everything(account)) assert.ok(!row.includes('secret'), row);
  assert.deepEqual(await sums(account), before.sums);
  assert.deepEqual(await everything(other), before.other);
  const again = await ended(account, await post('/v1/visitors/erase', body, account));
  assert.deepEqual(again.result, { erased: false });

  await furnish(account);
  const refused = await service.call('POST /v1/visitors/erase', { as: account, body });
  assert.deepEqual([refused.status, refused.body.code], [400, 'visitor_is_lead']);
});

test('after an erasure, refunds correct the sums whichever identifier they name, and store nothing about the person', async () => {
  const account = await service.newAccount();
  const { second } = await furnish(account);
  const report = (item: Record<string, unknown>) => post('/v1/analytics/report-conversion', item, account);
  // Reported by its session, refunded by the click.
  await report({ hash: second.sessionHash, eventId: 'o-2', value: 20, currency: 'EUR' });
  await erase(account, ANN);
  const refunds = [
    { gclid: 'secret-click', eventId: 'o-1', value: 0, extra: { name: 'secret' } },
    { fbclid: 'secret-click-2', eventId: 'o-2', value: 0 },
    // Of the person's other session.
    { gclid: 'secret-click', eventId: 'e-1', value: 1 },
  ];
  for (const refund of refunds) {
    const { status } = await report(refund);
    assert.equal(status, 'reported', JSON.stringify(refund));
  }
  const values = await rows(
    'select event_id, value::text from conversions where account_id = $1 and event_id is not null',
    account.uuid,
  );
  assert.deepEqual(Object.fromEntries(values.map((row) => [row.event_id, row.value])), {
    'o-1': '0',
    'o-2': '0',
    'e-1': '1',
  });
  // The identifier of another person, or another order, is not recognized.
  for (const stranger of [
    { gclid: 'other', eventId: 'o-1', value: 5 },
    { gclid: 'secret-click', eventId: 'o-3', value: 5 },
  ]) {
    assert.equal((await report(stranger)).status, 'unmatched');
  }
  const stored = [
    ...(await rows('select t::text from conversions t where account_id = $1', account.uuid)),
    ...(await rows('select t::text from conversion_revisions t where account_id = $1', account.uuid)),
  ];
  assert.ok(!stored.some(({ t }) => t.includes('secret')), 'nothing personal is stored again');
});
