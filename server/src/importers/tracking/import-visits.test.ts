// Slow: it starts the command five times, and imports a file of 1,200 rows in ten ways.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@headwater/sdk';
import pg from 'pg';
import { emptyDatabase } from '../../../test/empty-database.ts';
import { type Account, testService } from '../../../test/harness.ts';
import { portOf } from '../../files/test-support.ts';
import { importVisits, type VisitImport, visitReport } from './import-visits.ts';

const service = await testService();
const baseUrl = `http://127.0.0.1:${await portOf(service)}`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-visits-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const into = (account: Account, more: Partial<VisitImport> = {}): VisitImport => ({
  ...{ service: baseUrl, client: createClient({ baseUrl, token: account.token }), token: account.token },
  ...more,
});

/** What the database has of an account, without what is drawn when it is recorded. */
async function recorded({ uuid }: Account) {
  const { rows: items } = await service.db.query(
    `select s.hash as session, 'visit' as type, v.url as what, v.referrer, v.occurred_at as at, v.client_visit_id as id, null as properties
       from visits v join sessions s on s.account_id = v.account_id and s.number = v.session_number where v.account_id = $1
     union all
     select s.hash, 'event', e.event, null, e.occurred_at, e.client_event_id, e.properties
       from events e left join sessions s on s.account_id = e.account_id and s.number = e.session_number where e.account_id = $1
     order by at, type desc, what, id`,
    [uuid],
  );
  const { rows: sessions } = await service.db.query(
    `select hash, visitor_id, started_at, last_seen_at, landing_url, referrer, source, medium, campaign, click_ids, is_bot
     from sessions where account_id = $1 order by started_at, hash`,
    [uuid],
  );
  const { rows: conversions } = await service.db.query(
    'select value::text, currency from conversions where account_id = $1 order by 1, 2',
    [uuid],
  );
  const { rows: leads } = await service.db.query('select email from leads where account_id = $1 order by 1', [uuid]);
  return { items, sessions, conversions, leads };
}

const row = (more: object) => ({
  ...{ name: 'pageview', site_id: 1, hostname: 'shop.example', pathname: '/', user_id: '11111111111111111111' },
  ...{ session_id: 1, referrer: '', utm_source: '', 'meta.key': [], 'meta.value': [] },
  ...more,
});

let files = 0;
function write(content: string | Buffer | readonly object[]): string {
  const path = join(mkdtempSync(join(folder, 'x')), `events-${files++}.ndjson`);
  writeFileSync(
    path,
    Array.isArray(content) ? `${content.map((each) => JSON.stringify(each)).join('\n')}\n` : String(content),
  );
  return path;
}

const notesOf = ({ notes }: { notes: { note: string; count: number }[] }) =>
  notes.map(({ note, count }) => `${count} ${note}`).join('\n');

const SMALL = [
  row({ timestamp: '2025-03-01 10:00:00', referrer: 'news.example/a', utm_source: 'news', click_id_param: 'gclid' }),
  row({ timestamp: '2025-03-01 10:01:00', pathname: '/buy' }),
  row({ timestamp: '2025-03-01 10:01:00', pathname: '/buy' }),
  row({ timestamp: '2025-03-01 10:01:30', name: 'engagement' }),
  row({
    ...{ timestamp: '2025-03-01 10:02:00', name: 'Purchase', pathname: '/buy' },
    ...{ 'meta.key': ['plan', 'value', 'email'], 'meta.value': ['pro', '7', 'ann@example.com'] },
    ...{ revenue_source_amount: '49.9', revenue_source_currency: 'EUR' },
  }),
  row({ timestamp: '2025-03-02 10:00:00', session_id: '2', user_id: 5, 'meta.key': ['author'], 'meta.value': ['Ada'] }),
];

test('events of Plausible become visits and events of their sessions, with properties and pages', async () => {
  const account = await service.newAccount();
  const path = write([...SMALL, row({ timestamp: 'yesterday', session_id: '2', user_id: 5 })]);
  const report = await importVisits('plausible', path, into(account));
  assert.deepEqual([report.visits, report.events, report.refused, report.skipped], [4, 2, 1, 0]);
  assert.deepEqual(
    report.failed.map(({ id }) => id),
    ['line 7'],
  );
  assert.match(report.failed[0]?.reason ?? '', /"yesterday" is unreadable/);
  const notes = notesOf(report);
  for (const note of [
    /1 Engagement/,
    /1 Plausible stores that there was a click ID/,
    /1 Visits have no properties/,
    /1 .*"value"/,
    /1 .*"email"/,
  ]) {
    assert.match(notes, note);
  }
  const { items, sessions, conversions, leads } = await recorded(account);
  assert.deepEqual(
    items.map(({ what }) => what),
    [
      ...[
        'https://shop.example/?utm_source=news&utm_medium=cpc',
        'https://shop.example/buy',
        'https://shop.example/buy',
      ],
      ...['Purchase', 'https://shop.example/', 'pageview'],
    ],
  );
  assert.equal(items[0].at.toISOString(), '2025-03-01T10:00:00.000Z');
  assert.equal(new Set(items.slice(0, 4).map(({ session }) => session)).size, 1, 'one session with its event');
  assert.notEqual(items[4].session, items[0].session);
  const { sessionHash, ...properties } = items[3].properties;
  assert.equal(sessionHash, items[0].session);
  assert.deepEqual(properties, {
    ...{ plan: 'pro', imported_value: '7', imported_email: 'ann@example.com', page: 'https://shop.example/buy' },
    ...{ value: '49.9', currency: 'EUR' },
  });
  assert.equal(items[5].properties.author, 'Ada');
  assert.deepEqual(conversions, [{ value: '49.9', currency: 'EUR' }]);
  assert.deepEqual(leads, []);
  assert.deepEqual(
    sessions.map(({ is_bot }) => is_bot),
    [false, false],
    'imported visits are no bots, so reports count them',
  );
});

test('properties named value and email make sales and leads if that is asked for', async () => {
  const account = await service.newAccount();
  const sale = { name: 'Sale', 'meta.key': ['value', 'email'], 'meta.value': ['7', 'ann@example.com'] };
  const path = write([row({ timestamp: '2025-03-01 10:00:00' }), row({ timestamp: '2025-03-01 10:00:01', ...sale })]);
  await importVisits('plausible', path, into(account, { values: true, emails: true }));
  const { conversions, leads } = await recorded(account);
  assert.deepEqual([conversions, leads], [[{ value: '7', currency: null }], [{ email: 'ann@example.com' }]]);
});

test('a click ID without a value is paid search, and an app is an app', async () => {
  const account = await service.newAccount();
  const cases: [object, (string | null)[]][] = [
    [{ utm_medium: '(gclid)' }, ['google', 'cpc']],
    [{ utm_medium: '(gclid)', referrer: 'google.com' }, ['google', 'cpc']],
    [{ utm_medium: '(msclkid)' }, ['bing', 'cpc']],
    [{ click_id_param: 'gbraid' }, ['google', 'cpc']],
    [{ click_id_param: 'fbclid', referrer: 'l.facebook.com' }, ['facebook', 'social']],
    [{ click_id_param: 'gclid', utm_source: 'adwords', utm_medium: 'ppc' }, ['adwords', 'ppc']],
    [{ referrer: 'android-app://com.google.android.gm' }, ['gmail', 'email']],
    [{ referrer: 'android-app://com.slack' }, ['com.slack', 'referral']],
    [{ referrer: 'www.bing.com/search' }, ['bing', 'organic']],
    [{}, [null, null]],
  ];
  const rows = cases.map(([more], i) => row({ timestamp: `2025-03-01 1${i}:00:00`, session_id: 100 + i, ...more }));
  await importVisits('plausible', write(rows), into(account));
  const { sessions } = await recorded(account);
  assert.deepEqual(
    sessions.map(({ source, medium }) => [source, medium]),
    cases.map(([, origin]) => origin),
  );
  assert.equal(sessions[6].referrer, 'android-app://com.google.android.gm');
});

/** As many rows as take several batches. */
const LARGE = Array.from({ length: 1_200 }, (_, i) => {
  const session = Math.floor(i / 3);
  const timestamp = new Date(Date.UTC(2025, 2, 1) + session * 90_000 + (i % 3) * 20_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  const ids = {
    session_id: `18446744073709${String(session).padStart(6, '0')}`,
    user_id: String(9007199254740993n + BigInt(session)),
  };
  if (i % 3 === 2) return row({ ...ids, timestamp, name: 'Signup', pathname: '/done' });
  return row({
    ...ids,
    timestamp,
    pathname: i % 3 === 0 ? '/' : '/next',
    ...(i % 3 === 0 && { utm_source: 'news', utm_medium: 'email' }),
  });
});

test('the same events exported in another way, order or file record nothing twice', async () => {
  const account = await service.newAccount();
  const path = write(LARGE);
  const first = await importVisits('plausible', path, into(account));
  assert.deepEqual([first.visits, first.events, first.refused], [800, 400, 0]);
  const before = await recorded(account);
  assert.equal(before.items.length, 1_200);
  assert.deepEqual(new Set(before.sessions.map(({ source }) => source)), new Set(['news']));
  const again = await importVisits('plausible', path, into(account));
  assert.deepEqual([again.visits, again.events, again.skipped], [0, 0, 1_200]);
  assert.match(notesOf(again), /1200 What an earlier run had recorded was skipped/);

  const lines = LARGE.map((each) => JSON.stringify(each));
  const reversed = (text: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()));
  const exports: Record<string, string> = {
    'numbers without quotes': lines
      .map((line) => line.replace(/"(user_id|session_id)":"(\d+)"/g, '"$1": $2'))
      .join('\n'),
    'other line ends and a byte order mark': `\ufeff${lines.join('\r\n')}\r\n`,
    'other order of columns': lines.map(reversed).join('\n'),
    'more columns': LARGE.map((each) => JSON.stringify({ ...each, scroll_depth: 255, channel: 'Email' })).join('\n'),
    'sorted by name': [...lines].sort((a, b) => (a > b ? -1 : 1)).join('\n'),
    'newest first': [...lines].reverse().join('\n'),
    'times as ISO 8601': lines
      .map((line) => line.replace(/"timestamp":"(\S+) (\S+)"/, '"timestamp":"$1T$2Z"'))
      .join('\n'),
  };
  for (const [name, content] of Object.entries(exports)) {
    // Under the name of the first, and under another.
    if (name === 'sorted by name') writeFileSync(path, content);
    const report = await importVisits('plausible', name === 'sorted by name' ? path : write(content), into(account));
    assert.deepEqual([report.visits, report.events, report.refused], [800, 400, 0], name);
    if (name === 'sorted by name') assert.match(notesOf(report), /The file differs/);
    assert.deepEqual(await recorded(account), before, name);
  }
  // More rows than in the earlier run: only these are sent.
  writeFileSync(
    path,
    `${readFileSync(path, 'utf8')}\n${JSON.stringify(row({ timestamp: '2025-04-01 00:00:00', session_id: 7 }))}\n`,
  );
  const more = await importVisits('plausible', path, into(account));
  assert.deepEqual([more.visits, more.events, more.skipped], [1, 0, 1_200]);
});

test('rows in any order give the sessions that the order of time gives', async () => {
  const [inOrder, inNone] = [await service.newAccount(), await service.newAccount()];
  await importVisits('plausible', write(LARGE), into(inOrder));
  const shuffled = LARGE.map((each, i) => [(i * 7_919) % LARGE.length, each] as const).sort(([a], [b]) => a - b);
  await importVisits('plausible', write(shuffled.map(([, each]) => each)), into(inNone));
  assert.deepEqual(await recorded(inNone), await recorded(inOrder));
});

test('an import into one account, or of another site by the same name, leaves the others everything to do', async () => {
  const [trial, real] = [await service.newAccount(), await service.newAccount()];
  const path = write(SMALL);
  assert.equal((await importVisits('plausible', path, into(trial))).visits, 4);
  assert.equal((await importVisits('plausible', path, into(real))).visits, 4);
  const { items } = await recorded(real);
  assert.equal(items.length, 6);
  assert.equal((await importVisits('plausible', path, into(real, { service: 'https://other.example' }))).skipped, 0);
  assert.equal((await recorded(real)).items.length, 6);
  writeFileSync(
    path,
    SMALL.map((each) => JSON.stringify({ ...each, hostname: 'blog.example', session_id: 77 })).join('\n'),
  );
  assert.equal((await importVisits('plausible', path, into(real))).visits, 4);
  assert.equal((await recorded(real)).items.length, 12);
  assert.equal((await importVisits('plausible', path, into(trial))).visits, 4);
  // Of an earlier version, which does not say for which account.
  writeFileSync(`${path}.headwater.json`, '{"after":"6"}');
  await assert.rejects(
    importVisits('plausible', path, into(real)),
    /is of an earlier version, which did not note the account/,
  );
  writeFileSync(`${path}.headwater.json`, '{"imports":');
  await assert.rejects(importVisits('plausible', path, into(real)), /is unreadable\. Delete it to start over/);
});

test('a dry run reports what an import reports, and writes nothing', async () => {
  const account = await service.newAccount();
  const long = 'x'.repeat(300);
  const path = write([
    ...SMALL,
    row({ timestamp: '2025-03-03 10:00:00', name: long }),
    row({ timestamp: 'yesterday' }),
  ]);
  const { dryRun, ...dry } = await importVisits('plausible', path, into(account, { dryRun: true }));
  assert.equal(dryRun, true);
  assert.deepEqual(await recorded(account), { items: [], sessions: [], conversions: [], leads: [] });
  assert.equal(existsSync(`${path}.headwater.json`), false);
  const real = await importVisits('plausible', path, into(account));
  assert.deepEqual(dry, real);
  assert.equal(real.refused, 2);
  const table = visitReport({ ...dry, dryRun: true }).split('\n');
  assert.equal(table[0], 'Would be recorded: 4 visits, 2 events. Skipped: 0. Refused: 2.');
  assert.ok(table.some((line) => /^ +1 {2}Engagement/.test(line)));
  assert.ok(table.some((line) => /^ +1 {2}Refused: The timestamp "yesterday".*\(line 8\)$/.test(line)));
});

test('what cannot be imported is said in plain words', async () => {
  const account = await service.newAccount();
  const from = (path: string) => importVisits('plausible', path, into(account));
  await assert.rejects(from(join(folder, 'none.ndjson')), /none\.ndjson does not exist/);
  await assert.rejects(from(folder), /is no file\. Pass the file that ClickHouse wrote/);
  await assert.rejects(from(write('')), /is empty/);
  for (const content of ['date,visitors\n2025-01-01,5\n', '[\n{}]', '{"meta":[],"data":[]}', '\u0000\u0001']) {
    await assert.rejects(from(write(content)), /Line 1 of .* is no row of events_v2/);
  }
  // The rest is imported.
  const cut = write(
    `${SMALL.map((each) => JSON.stringify(each))
      .join('\n')
      .slice(0, -20)}`,
  );
  const report = await from(cut);
  assert.deepEqual(
    [report.visits, report.failed],
    [3, [{ id: 'line 6', reason: 'It is no row of events_v2, or cut off.' }]],
  );
  const umami = (url: string) => importVisits('umami', url, into(account));
  await assert.rejects(umami('umami.sqlite'), /Pass the DATABASE_URL of Umami/);
  await assert.rejects(
    umami('postgres://127.0.0.1:1/umami'),
    /The database of Umami cannot be reached: .*ECONNREFUSED/,
  );
  await assert.rejects(umami(await emptyDatabase()), /is no database of Umami 2 or newer/);
});

test('timestamps are read in each format of ClickHouse', async () => {
  const account = await service.newAccount();
  const times = [
    '2025-03-01 10:00:00',
    '2025-03-01T10:00:01Z',
    '2025-03-01T12:00:02+02:00',
    '2025-03-01 10:00:03.250',
    1740823204,
    '1740823205',
  ];
  const rows = times.map((timestamp, i) => row({ timestamp, session_id: i }));
  await importVisits('plausible', write(rows), into(account));
  assert.deepEqual(
    (await recorded(account)).items.map(({ at }) => at.toISOString()),
    ['00.000', '01.000', '02.000', '03.250', '04.000', '05.000'].map((seconds) => `2025-03-01T10:00:${seconds}Z`),
  );
});

test('an import that is killed at any moment and run again records the same as one that is not', async () => {
  const [whole, killed] = [await service.newAccount(), await service.newAccount()];
  await importVisits('plausible', write(LARGE), into(whole));
  const path = write(LARGE);
  const command = join(import.meta.dirname, '../../cli.ts');
  const run = (killAfter: number) =>
    new Promise<number | null>((resolve) => {
      const args = [command, 'import', 'plausible', path, '--url', baseUrl, '--json'];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, HEADWATER_TOKEN: killed.token },
        stdio: 'ignore',
      });
      let requests = 0;
      const onRequest = (request: { url?: string }) => {
        if (request.url === '/v1/batch' && ++requests === killAfter) child.kill('SIGKILL');
      };
      service.app.server.on('request', onRequest);
      child.on('exit', (code) => {
        service.app.server.off('request', onRequest);
        resolve(code);
      });
    });
  for (const killAfter of [1, 4, 7, 3]) assert.equal(await run(killAfter), null, 'it was killed');
  assert.equal(await run(Number.POSITIVE_INFINITY), 0);
  assert.deepEqual(await recorded(killed), await recorded(whole));
});

const WEBSITE = '00000000-0000-4000-8000-00000000000a';
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** What the migrations of Umami 2.10 create. */
async function umamiDatabase() {
  const url = await emptyDatabase();
  const umami = new pg.Client({ connectionString: url });
  await umami.connect();
  await umami.query(`
    create table website (website_id uuid primary key, name varchar(100) not null, domain varchar(500), deleted_at timestamptz(6));
    create table website_event (
      event_id uuid primary key, website_id uuid not null, session_id uuid not null, created_at timestamptz(6),
      url_path varchar(500) not null, url_query varchar(500), referrer_path varchar(500), referrer_query varchar(500),
      referrer_domain varchar(500), page_title varchar(500), event_type integer not null default 1, event_name varchar(50));
    create table event_data (
      event_data_id uuid primary key, website_id uuid not null, website_event_id uuid not null, event_key varchar(500) not null,
      string_value varchar(500), number_value decimal(19,4), date_value timestamptz(6), data_type integer not null,
      created_at timestamptz(6));
    insert into website values ('${WEBSITE}', 'Shop', 'shop.example'),
      ('00000000-0000-4000-8000-00000000000b', 'Blog', 'blog.example')`);
  return { url, umami };
}

/** In a folder of its own, as the progress is noted in the current one. */
async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(mkdtempSync(join(folder, 'umami')));
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

test('the database of Umami becomes visits and events of its visits', async () => {
  const { url, umami } = await umamiDatabase();
  await umami.query(`
    insert into website_event
    select ('00000000-0000-4000-8000-0000000000' || to_char(n, 'FM00'))::uuid, '${WEBSITE}',
      '00000000-0000-4000-8000-0000000000ff', '2025-03-01T10:00:00.123456Z'::timestamptz + minutes * interval '1 minute',
      path, query, null, null, domain, 'A title', type, name
    from (values (1, 0, '/', 'gclid=EAIaIQ', 'news.example', 1, null), (2, 5, '/buy', '', null, 1, null),
      (3, 6, '/buy', '', null, 2, 'purchase'), (4, 120, '/', '', null, 1, null)) as rows (n, minutes, path, query, domain, type, name);
    insert into event_data select gen_random_uuid(), '${WEBSITE}',
      '00000000-0000-4000-8000-000000000003', key, text, number, null, type, now()
    from (values ('plan', 'pro', null, 1), ('revenue', null, 19.5, 2), ('first', 'true', null, 3), ('value', null, 3, 2))
      as data (key, text, number, type)`);
  const account = await service.newAccount();
  const client = createClient({ baseUrl, token: account.token });
  await inFolder(async () => {
    const from = (website?: string, to = account) => importVisits('umami', url, into(to, { website }));
    await assert.rejects(from(), /Choose one by --website: blog\.example/);
    const dry = await importVisits('umami', url, into(account, { website: 'shop.example', dryRun: true }));
    const report = await from('shop.example');
    assert.deepEqual([report.visits, report.events, report.failed], [3, 1, []]);
    assert.deepEqual({ ...dry, dryRun: undefined }, { ...report, dryRun: undefined });
    assert.deepEqual([(await from('shop.example')).visits, (await from('blog.example')).visits], [0, 0]);
    assert.equal((await from('shop.example', await service.newAccount())).visits, 3, 'another account');
    // Newer versions store visits, hosts, and keys of data by another name.
    await umami.query(`alter table event_data rename column event_key to data_key;
      alter table website_event add column visit_id uuid, add column hostname varchar(100);
      insert into website_event (event_id, website_id, session_id, created_at, url_path, event_type, visit_id, hostname)
      values ('00000000-0000-4000-8000-000000000005', '${WEBSITE}',
        '00000000-0000-4000-8000-0000000000fe', now(), '/new', 1, '00000000-0000-4000-8000-0000000000aa', 'www.shop.example')`);
    assert.equal((await from('shop.example')).visits, 1, 'continues after what was imported');
  });
  await umami.end();
  const { items } = await recorded(account);
  assert.deepEqual(
    items.map(({ what }) => what),
    [
      ...['https://shop.example/?gclid=EAIaIQ', 'https://shop.example/buy', 'purchase', 'https://shop.example/'],
      'https://www.shop.example/new',
    ],
  );
  assert.deepEqual(items[0].at.toISOString(), '2025-03-01T10:00:00.123Z');
  const [first, second, event, later] = items.map(({ session }) => session);
  assert.deepEqual([second, event], [first, first]);
  assert.notEqual(later, first, 'a visit ends after 30 minutes');
  const { sessionHash, ...properties } = items[2].properties;
  assert.equal(sessionHash.length, 22);
  const page = 'https://shop.example/buy';
  assert.deepEqual(properties, { plan: 'pro', revenue: 19.5, first: true, imported_value: 3, page, value: 19.5 });
  // The click ID of the first page view matches.
  const sale = { gclid: 'EAIaIQ', value: 5, currency: 'EUR', eventId: 'o1' };
  assert.equal((await client.reportConversion(sale)).status, 'reported');
});

test('an import of a version of Umami without visits that is cut off continues with the same sessions', async () => {
  const { url, umami } = await umamiDatabase();
  await umami.query(
    `insert into website_event (event_id, website_id, session_id, created_at, url_path, event_type, event_name)
     select md5('event' || n)::uuid, '${WEBSITE}', md5('visitor' || n % 7)::uuid, '2025-03-01T00:00:00Z'::timestamptz + n * interval '150 seconds',
       '/' || n, case when n % 5 = 4 then 2 else 1 end, case when n % 5 = 4 then 'signup' end
     from generate_series(0, 1299) n`,
  );
  const [whole, cut] = [await service.newAccount(), await service.newAccount()];
  await inFolder(() => importVisits('umami', url, into(whole, { website: WEBSITE })));
  await inFolder(async () => {
    for (const requests of [2, 4, 4]) {
      let left = requests;
      const broken: typeof fetch = async (...args) => {
        const answer = await fetch(...args);
        if (left-- <= 0) throw new TypeError('the connection was reset');
        return answer;
      };
      const client = createClient({ baseUrl, token: cut.token, fetch: broken, retry: { attempts: 0 } });
      await assert.rejects(importVisits('umami', url, into(cut, { website: WEBSITE, client })), /reset|reached/);
    }
    const { skipped, visits, events } = await importVisits('umami', url, into(cut, { website: WEBSITE }));
    assert.ok(skipped > 0 && visits + events < 1_300, 'it continued');
  });
  await umami.end();
  assert.deepEqual(await recorded(cut), await recorded(whole));
});

test('measurements of Umami 3 are no page views, and tags are kept', async () => {
  const { url, umami } = await umamiDatabase();
  await umami.query(`
    alter table website_event add column visit_id uuid, add column hostname varchar(100), add column tag varchar(50),
      add column lcp decimal(10,1), add column inp decimal(10,1), add column cls decimal(10,4), add column fcp decimal(10,1), add column ttfb decimal(10,1)`);
  const insert = (n: number, more: Record<string, unknown>) => {
    const values: Record<string, unknown> = {
      ...{ event_id: uuid(n), website_id: WEBSITE, session_id: uuid(900), visit_id: uuid(901), url_path: `/${n}` },
      ...{ created_at: new Date(Date.UTC(2025, 2, 1, 10, n)), event_type: 1, hostname: 'shop.example' },
      ...more,
    };
    const names = Object.keys(values);
    return umami.query(
      `insert into website_event (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(values),
    );
  };
  await insert(1, { event_type: 5, lcp: 1200.5 });
  await insert(2, { event_type: 2, ttfb: 80 });
  await insert(3, { referrer_domain: 'com.google.android.gm', referrer_path: '/', tag: 'variant-a' });
  await insert(4, { event_type: 2, event_name: 'signup', tag: 'variant-a' });
  await insert(5, { event_type: 3 });
  await insert(6, { created_at: '-infinity' });
  const account = await service.newAccount();
  const report = await inFolder(() => importVisits('umami', url, into(account, { website: WEBSITE })));
  await umami.end();
  assert.deepEqual([report.visits, report.events, report.failed], [1, 2, []]);
  assert.match(notesOf(report), /2 Performance measurements are no page views/);
  assert.match(notesOf(report), /1 Rows of other types/);
  const { items, sessions } = await recorded(account);
  assert.deepEqual(
    items.map(({ what, properties }) => [what, properties?.tag, properties?.page]),
    [
      ['https://shop.example/3', undefined, undefined],
      ['pageview', 'variant-a', 'https://shop.example/3'],
      ['signup', 'variant-a', 'https://shop.example/4'],
    ],
  );
  assert.deepEqual(
    sessions.map(({ source, referrer }) => [source, referrer]),
    [['gmail', 'android-app://com.google.android.gm/']],
  );
});
