import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, NEEDS_ITS_SERVER, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';
import { deleteOldBitmaps } from './bitmap-queries.ts';
import { updateSessionBitmaps } from './update-bitmaps.ts';

const service = await testService();
const { db } = service;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PAGE_SIZE = 12;
const PAGES = 3;

const update = (minSessions = 1_000) =>
  updateSessionBitmaps({ db, clock: () => service.clock.now }, undefined, minSessions);

interface Spread {
  count: number;
  /** When the last one started. */
  until: number;
  stepMs: number;
}

/** Sessions of which few have certain values in common: each filter alone passes many. */
async function insertSessions({ uuid }: Account, { count, until, stepMs }: Spread) {
  await db.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, source, medium,
       campaign, country, device, click_ids, is_bot, is_internal)
     select $1, number, 'h' || number, 's' || number, 'v' || number % 500, at, at, 'https://shop.example/',
       case n % 3 when 0 then 'mail' when 1 then 'ads' end, case when n = 777 then 'paid' else case n % 3 when 0 then 'letter' else 'paid' end end,
       'c' || n % 7, case when n % 11 = 0 then 'CH' else 'DE' end, case when n % 4999 = 0 then 'tablet' when n % 5 = 0 then 'mobile' else 'desktop' end,
       case when n % 4 = 0 then '{"gclid": "g", "fbclid": "f"}' when n % 3 = 1 then '{"msclkid": "m"}' else '{}' end::jsonb,
       n % 13 = 0 or n between 3000 and 5100, n % 17 = 0
     from (
       select n, nextval('session_number_seq') as number,
         -- A hundred start at once, and in one place three thousand.
         $2::timestamptz - make_interval(secs => (case when n between 9000 and 12000 then 9000 else n - n % 100 end) * $3 / 1000.0) as at
       from generate_series(0, $4::int - 1) n) s`,
    [uuid, isoTime(until), stepMs, count],
  );
}

/** The same filters, without bitmaps. */
async function expected({ uuid }: Account, query: Record<string, string>): Promise<number[]> {
  const { sort, all, platform, from, to, ...equal } = query;
  const conditions = Object.entries(equal).map(([name, value]) => `${name} = '${value}'`);
  if (platform) conditions.push(`click_ids ? '${platform}'`);
  if (from) conditions.push(`started_at >= '${from}'`);
  if (to) conditions.push(`started_at < '${to}'`);
  if (!all) conditions.push('not is_bot and not is_internal');
  const direction = sort === 'startedAt:asc' ? 'asc' : 'desc';
  const { rows } = await db.query(
    `select number from sessions where account_id = $1 and ${[...conditions, 'true'].join(' and ')}
     order by started_at ${direction}, number ${direction}`,
    [uuid],
  );
  return rows.map(({ number }) => service.sessionIds.idOf(number));
}

/** The first pages of a list. */
async function listed(as: Account, query: Record<string, string>, pageSize = PAGE_SIZE): Promise<number[]> {
  const ids: number[] = [];
  for (let pageToken = '', page = 0; page < PAGES; page++) {
    const parameters = new URLSearchParams({ ...query, pageSize: String(pageSize), pageToken });
    const { status, body } = await service.call(`GET /v1/sessions?${parameters}`, { as });
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(...body.sessions.map(({ id }: { id: number }) => id));
    if (body.nextPageToken === null) break;
    pageToken = body.nextPageToken;
  }
  return ids;
}

async function assertLists(account: Account, queries: Record<string, string>[], message: string) {
  for (const query of queries) {
    for (const sort of ['startedAt:desc', 'startedAt:asc']) {
      const all = await expected(account, { ...query, sort });
      assert.deepEqual(
        await listed(account, { ...query, sort }, PAGE_SIZE),
        all.slice(0, PAGES * PAGE_SIZE),
        `${message}: ${JSON.stringify({ ...query, sort })}`,
      );
    }
  }
}

const blocksOf = async ({ uuid }: Account): Promise<number> =>
  (await db.query('select count(*)::int as n from session_bitmaps where account_id = $1 and value = 0', [uuid])).rows[0]
    .n;
const lateOf = async ({ uuid }: Account): Promise<number> =>
  (await db.query('select count(*)::int as n from late_sessions where account_id = $1', [uuid])).rows[0].n;

const account = await service.newAccount();
const now = service.clock.now;
const COUNT = 30_000;
const STEP = 2_000;
await insertSessions(account, { count: COUNT, until: now - MINUTE, stepMs: STEP });
// Another account has sessions at the same times.
const other = await service.newAccount();
await insertSessions(other, { count: 500, until: now - MINUTE, stepMs: STEP });
await db.query('analyze sessions');

const at = (n: number) => isoTime(now - MINUTE - n * STEP);
const QUERIES: Record<string, string>[] = [
  {},
  { source: 'mail' },
  { source: 'mail', medium: 'paid' },
  { source: 'ads', medium: 'letter' },
  { source: 'nowhere' },
  { platform: 'aleid' },
  { platform: 'msclkid', source: 'mail', all: 'true' },
  { platform: 'fbclid', device: 'tablet' },
  { platform: 'gclid', device: 'tablet', all: 'true' },
  { device: 'tablet' },
  { device: 'tablet', country: 'CH', all: 'true' },
  { source: 'mail', medium: 'letter', campaign: 'c3', country: 'CH', device: 'mobile', platform: 'gclid' },
  { device: 'tablet', from: at(26_000), to: at(4_000), all: 'true' },
  { source: 'mail', medium: 'paid', from: at(900), to: at(700) },
  { country: 'CH', device: 'mobile', from: at(25_000), to: at(14_000) },
];

test('lists with filters are those of the rows, before and after their bitmaps are written', async () => {
  await assertLists(account, QUERIES, 'without bitmaps');
  await update();
  const blocks = await blocksOf(account);
  assert.ok(blocks > 20 && blocks <= COUNT / 1024, `${blocks} blocks`);
  assert.equal(await blocksOf(other), 0);
  await assertLists(account, QUERIES, 'with bitmaps');
  await update();
  assert.equal(await blocksOf(account), blocks, 'nothing is new');
});

test('sessions that started a moment ago are listed, and so are those that are recorded late', async () => {
  const visit = async (occurredAt: number, source: string) => {
    const body = {
      api_key: account.apiKey,
      url: `https://shop.example/?utm_source=${source}&utm_medium=new`,
      occurredAt: isoTime(occurredAt),
    };
    const { body: answer } = await service.call('POST /v1/visits', {
      body,
      headers: { 'user-agent': 'Mozilla/5.0 Chrome/140' },
    });
    return answer.sessionId as number;
  };
  const latest = await visit(now, 'mail');
  assert.equal(await lateOf(account), 0);
  const late = [await visit(now - 30_000 * STEP - DAY, 'mail'), await visit(now - 15_000 * STEP, 'mail')];
  const isLate = await lateOf(account);
  assert.ok(isLate >= 2);
  const query = { source: 'mail', medium: 'new', all: 'true' };
  assert.deepEqual(await listed(account, query), [latest, late[1], late[0]]);
  await assertLists(account, [query, ...QUERIES], 'while they are late');
  await update();
  assert.equal(await lateOf(account), 0);
  assert.deepEqual(await listed(account, query), [latest, late[1], late[0]]);
  await assertLists(account, [query, ...QUERIES], 'in their blocks');
});

test('a late session of an account without bitmaps is not recorded for long', async () => {
  const few = await service.newAccount();
  const body = { api_key: few.apiKey, url: 'https://shop.example/', occurredAt: isoTime(now - DAY) };
  await service.call('POST /v1/visits', { body });
  assert.equal(await lateOf(few), 1);
  await update();
  assert.deepEqual([await lateOf(few), await blocksOf(few)], [0, 0]);
  assert.equal((await listed(few, { all: 'true' })).length, 1);
});

test('blocks follow as sessions start, also if thousands start at the same time', async () => {
  const blocks = await blocksOf(account);
  service.clock.now += 3 * HOUR;
  await insertSessions(account, { count: 4_000, until: service.clock.now - HOUR, stepMs: 1 });
  await assertLists(account, QUERIES, 'not in blocks yet');
  await update();
  assert.ok((await blocksOf(account)) > blocks);
  await assertLists(account, QUERIES, 'in blocks');
  await db.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, source)
     select $1, nextval('session_number_seq'), 'x' || n, 'x' || n, 'v', $2, $2, 'https://shop.example/', 'x' || n % 9000
     from generate_series(1, 18000) n`,
    [account.uuid, isoTime(service.clock.now - HOUR + 1)],
  );
  await insertSessions(account, { count: 12_000, until: service.clock.now - 15 * MINUTE, stepMs: 1 });
  await update();
  await assertLists(account, [{ source: 'x7' }, ...QUERIES], 'at the same time');
});

test('retention deletes the blocks of deleted sessions, and the others stay right', async () => {
  const blocks = await blocksOf(account);
  await db.query('delete from sessions where account_id = $1 and started_at < $2', [account.uuid, at(20_000)]);
  await assertLists(account, QUERIES, 'deleted');
  await deleteOldBitmaps(db, { account_id: account.uuid });
  const left = await blocksOf(account);
  assert.ok(left > 0 && left < blocks - 5, `${left} of ${blocks}`);
  await assertLists(account, QUERIES, 'without their blocks');
  await db.query(
    'insert into late_sessions select account_id, started_at, number from sessions where account_id = $1 and number % 1000 = 0',
    [account.uuid],
  );
  await db.query(`insert into late_sessions values ($1, $2, 1)`, [account.uuid, at(25_000)]);
  await update();
  assert.equal(await lateOf(account), 0);
  await assertLists(account, QUERIES, 'written again');
  await db.query('delete from sessions where account_id = $1', [account.uuid]);
  await db.query(`insert into late_sessions values ($1, $2, 1)`, [account.uuid, at(5_000)]);
  await update();
  await deleteOldBitmaps(db, { account_id: account.uuid });
  await update();
  assert.deepEqual([await lateOf(account), await blocksOf(account)], [0, 0]);
  assert.deepEqual(await listed(account, { source: 'mail' }), []);
});

test('the statements on bitmaps use their index', NEEDS_ITS_SERVER, async () => {
  await db.query(
    `insert into session_bitmaps select $1, v, now() - n * interval '1 minute', repeat('0', 1024)::bit(1024)
     from generate_series(0, 50) v, generate_series(1, 500) n`,
    [other.uuid],
  );
  await db.query('analyze session_bitmaps');
  const { rows } = await db.query(
    `explain select until from session_bitmaps where account_id = '${other.uuid}' and value = any(array(select 1 union select 2))
     group by until having count(*) = 2 and bit_and(bitmap) <> repeat('0', 1024)::bit(1024) order by until desc limit 51`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /session_bitmaps_pkey/);
  assert.doesNotMatch(plan, /Seq Scan/);
});
