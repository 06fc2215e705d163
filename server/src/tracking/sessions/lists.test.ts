import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, NEEDS_ITS_SERVER, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';

const service = await testService();
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const MINUTE = 60_000;

async function post(path: string, body: Record<string, unknown>, agent = CHROME) {
  const answer = await service.call(`POST ${path}`, { body, headers: { 'user-agent': agent } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function get(as: Account, path: string, query: Record<string, string> = {}) {
  const answer = await service.call(`GET ${path}?${new URLSearchParams(query)}`, { as });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const visit = (account: Account, url: string, more: Record<string, unknown> = {}, agent?: string) =>
  post('/v1/visits', { api_key: account.apiKey, url, ...more }, agent);
const event = (account: Account, properties: Record<string, unknown>, id?: string) =>
  post('/v1/events', { api_key: account.apiKey, event: 'signup', id, properties });

/** All pages of a listing. */
async function all(as: Account, path: string, name: string, query: Record<string, string> = {}, pageSize = 3) {
  const rows = [];
  for (let pageToken = ''; ; ) {
    const page = await get(as, path, { ...query, pageSize: String(pageSize), pageToken });
    rows.push(...page[name]);
    if (page.nextPageToken === null) return rows;
    assert.equal(page[name].length, pageSize);
    pageToken = page.nextPageToken;
  }
}

const ids = (rows: { id: unknown }[]) => rows.map(({ id }) => id);

test('sessions are listed newest first in pages, each exactly once, even if they started at the same time', async () => {
  const account = await service.newAccount();
  const occurredAt = isoTime(service.clock.now - MINUTE);
  const made: number[] = [];
  for (let i = 0; i < 10; i++) {
    const { sessionId } = await visit(account, 'https://shop.example/', i < 5 ? { occurredAt } : {});
    made.push(sessionId);
  }
  const listed = await all(account, '/v1/sessions', 'sessions');
  const order = listed.map(
    ({ startedAt, id }) => `${startedAt} ${String(service.sessionIds.numberOf(id)).padStart(16, '0')}`,
  );
  assert.deepEqual(order, [...order].sort().reverse());
  assert.deepEqual([...ids(listed)].sort(), [...made].sort());
  const oldest = await all(account, '/v1/sessions', 'sessions', { sort: 'startedAt:asc' });
  assert.deepEqual(ids(oldest), ids(listed).toReversed());
});

test('a session is found by each of its identifiers, and by nothing else', async () => {
  const account = await service.newAccount();
  const found = await visit(account, 'https://shop.example/?gclid=click-1&utm_source=mail', {
    visitorId: 'visitor-1',
    visitId: 'visit-1',
  });
  await event(account, { sessionHash: found.sessionHash, email: 'Ada.L@shop.example' }, 'order-1');
  await visit(account, 'https://shop.example/?gclid=click-2', { visitorId: 'visitor-2' });
  const named = [
    found.sessionHash,
    found.shortSessionHash,
    found.shortSessionHash.toLowerCase(),
    String(found.sessionId),
    'visitor-1',
    'click-1',
    'visit-1',
    'order-1',
    'ada.l@shop.example',
    'ADA.L@sh',
  ];
  for (const q of named) {
    const { sessions } = await get(account, '/v1/sessions', { q });
    assert.deepEqual(ids(sessions), [found.sessionId], q);
  }
  for (const q of ['click', 'visitor-3', '%', 'ada.l@shop.example.org']) {
    assert.deepEqual((await get(account, '/v1/sessions', { q })).sessions, [], q);
  }
  const { sessions } = await get(account, '/v1/sessions', { q: 'click-1', source: 'other' });
  assert.deepEqual(sessions, []);
  const one = await get(account, `/v1/sessions/${found.sessionId}`);
  assert.equal(one.lead.email, 'ada.l@shop.example');
  assert.deepEqual(one.clickIds, { gclid: 'click-1' });
});

test('sessions are filtered by each dimension, by time and by lead; bots are included only with all=true', async () => {
  const account = await service.newAccount();
  const occurredAt = isoTime(service.clock.now - 60 * MINUTE);
  const old = await visit(account, 'https://shop.example/?utm_source=a&utm_medium=m&utm_campaign=c', { occurredAt });
  const click = await visit(account, 'https://shop.example/?fbclid=1');
  const bot = await visit(account, 'https://shop.example/', {}, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
  await event(account, { sessionHash: old.sessionHash, email: 'a@shop.example' });
  const [lead] = (await get(account, '/v1/leads')).leads;
  const cases: [Record<string, string>, number[]][] = [
    [{}, [click.sessionId, old.sessionId]],
    [{ all: 'true' }, [bot.sessionId, click.sessionId, old.sessionId]],
    [{ source: 'a' }, [old.sessionId]],
    [{ medium: 'm', campaign: 'c' }, [old.sessionId]],
    [{ campaign: 'C' }, []],
    [{ platform: 'fbclid' }, [click.sessionId]],
    [{ device: 'desktop' }, [click.sessionId, old.sessionId]],
    [{ country: 'DE' }, []],
    [{ to: isoTime(service.clock.now - 30 * MINUTE) }, [old.sessionId]],
    [{ from: occurredAt, to: occurredAt }, []],
    [{ leadId: lead.id }, [old.sessionId]],
    [{ leadId: lead.id, q: 'nobody' }, []],
    [{ leadId: 'led_x' }, []],
  ];
  for (const [query, expected] of cases) {
    const { sessions } = await get(account, '/v1/sessions', query);
    assert.deepEqual([...ids(sessions)].sort(), [...expected].sort(), JSON.stringify(query));
  }
});

test('leads are listed newest first, and found by a part of their email, whatever its characters', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, 'https://shop.example/?utm_source=mail');
  const emails = ['ann@a.example', 'anna@a.example', 'ann%@a.example', 'ben@a.example', 'änn@a.example'];
  for (const email of emails) {
    service.clock.now += 1;
    await event(account, email === 'ben@a.example' ? { email, sessionHash } : { email });
  }
  const listed = await all(account, '/v1/leads', 'leads', {}, 2);
  assert.deepEqual(
    listed.map(({ email }) => email),
    [...emails].reverse(),
  );
  const found = async (q: string) => (await all(account, '/v1/leads', 'leads', { q }, 1)).map(({ email }) => email);
  assert.deepEqual(await found(' ANN'), ['ann%@a.example', 'anna@a.example', 'ann@a.example']);
  assert.deepEqual(await found('nn'), [], 'two characters: the start');
  assert.deepEqual(await found('ann%'), ['ann%@a.example']);
  assert.deepEqual(await found('ä'), ['änn@a.example']);
  assert.deepEqual(await found('x'), []);
  const [, , percent, anna] = listed;
  const days = { from: anna.firstSeenAt, to: percent.firstSeenAt };
  assert.deepEqual(await all(account, '/v1/leads', 'leads', days, 1), [anna]);
  assert.deepEqual(await all(account, '/v1/leads', 'leads', { ...days, q: 'an' }, 1), [anna]);
  assert.deepEqual(await all(account, '/v1/leads', 'leads', { ...days, q: 'b' }, 1), []);
  const [ben] = (await get(account, '/v1/leads', { q: 'ben' })).leads;
  const one = await get(account, `/v1/leads/${ben.id}`);
  assert.deepEqual([one.source, one.firstSessionId], ['mail', one.latestSessionId]);
  assert.notEqual(one.firstSessionId, null);
});

test('a page token is valid for its own filters only', async () => {
  const account = await service.newAccount();
  for (let i = 0; i < 3; i++) await visit(account, 'https://shop.example/?utm_source=a');
  const { nextPageToken } = await get(account, '/v1/sessions', { source: 'a', pageSize: '1' });
  const other = await service.call(`GET /v1/sessions?source=b&pageSize=1&pageToken=${nextPageToken}`, { as: account });
  assert.deepEqual([other.status, other.body.code], [400, 'page_token_invalid']);
  const changed = await service.call(`GET /v1/sessions?source=a&pageSize=2&pageToken=${nextPageToken}`, {
    as: account,
  });
  assert.equal(changed.body.sessions.length, 2);
});

test('an unknown session or lead, or an id that is no number, is 404; an unknown parameter is 400', async () => {
  const account = await service.newAccount();
  for (const path of ['/v1/sessions/1', '/v1/sessions/x', '/v1/leads/led_x', '/v1/leads/1']) {
    assert.equal((await service.call(`GET ${path}`, { as: account })).status, 404, path);
  }
  for (const query of ['x=1', 'from=2026-01-01', 'pageSize=0', 'platform=x']) {
    assert.equal((await service.call(`GET /v1/sessions?${query}`, { as: account })).status, 400, query);
  }
});

test('each list and search uses an index', NEEDS_ITS_SERVER, async () => {
  const account = await service.newAccount();
  await service.db.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url)
     select $1, 1000000 + n, 'h' || n, 's' || n, 'v' || n % 500, now() - n * interval '1 minute', now(), 'https://x.example/'
     from generate_series(1, 20000) n`,
    [account.uuid],
  );
  await service.db.query(
    `insert into leads (account_id, id, email, first_seen_at, last_seen_at)
     select $1, gen_random_uuid(), 'm' || n || '@x.example', now(), now() from generate_series(1, 20000) n`,
    [account.uuid],
  );
  await service.db.query('analyze sessions, leads');
  const plan = async (sql: string) =>
    (await service.db.query(`explain ${sql}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
  const id = `'${account.uuid}'`;
  for (const sql of [
    `select * from sessions where account_id = ${id} order by started_at desc, number desc limit 51`,
    `select * from sessions where account_id = ${id} and visitor_id = 'v1' order by started_at desc limit 10`,
    `select * from leads where account_id = ${id} and email ~>=~ 'm12' and email ~<~ 'm13' order by email using ~<~ limit 51`,
    `select * from leads where account_id = ${id} order by id desc limit 51`,
  ]) {
    assert.doesNotMatch(await plan(sql), /Seq Scan/, sql);
  }
  // What there is the least of is not looked for from the newest on.
  const rare = `select * from sessions where account_id = ${id} and source = 'nowhere' order by started_at desc, number desc limit 51`;
  assert.match(await plan(rare), /sessions_by_origin/);
  const part = `select * from leads where account_id = ${id} and (email || ' ' || lower(coalesce(name, ''))) like '%m12345%'
    and id < '${'f'.repeat(8)}-ffff-ffff-ffff-ffffffffffff' order by id desc limit 51`;
  assert.match(await plan(part), /leads_by_part/);
});

test('times that RFC 3339 allows and PostgreSQL does not read are accepted, others are 400', async () => {
  const account = await service.newAccount();
  const paths = ['/v1/sessions', '/v1/leads', '/v1/conversions'];
  for (const path of paths) {
    for (const name of ['from', 'to']) {
      for (const [time, status] of [
        ['2026-11-20T08:00:00+16:00', 200],
        ['2026-11-20T08:00:00-23:59', 200],
        ['2026-11-20T08:00:00,5Z', 200],
        ['2026-11-20T08:00:60Z', 200],
        ['2026-11-20T08:00:00.123456789Z', 200],
        ['2026-11-20T08:00:61Z', 400],
        ['2026-11-20T08:00:00+24:00', 400],
        ['2026-11-20', 400],
        ['0000-01-01T00:00:00Z', 400],
      ] as const) {
        const url = `GET ${path}?${new URLSearchParams({ [name]: time })}`;
        assert.equal((await service.call(url, { as: account })).status, status, url);
      }
    }
  }
});
