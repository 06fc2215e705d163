import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';

const service = await testService();
const { idOf } = service.sessionIds;
const HOUR = 3_600_000;

/** A session of a visitor that begins so many hours ago; its id. */
async function session(account: Account, visitorId: string, hoursAgo: number): Promise<number> {
  const { body } = await service.call('POST /v1/visits', {
    body: {
      api_key: account.apiKey,
      url: 'https://shop.example/',
      visitorId,
      occurredAt: isoTime(service.clock.now - hoursAgo * HOUR),
    },
  });
  return body.sessionId;
}

const identify = (
  account: Account,
  email: string,
  sessionId?: number,
  { id, properties = {} }: { id?: string; properties?: Record<string, unknown> } = {},
) =>
  service.call('POST /v1/events', {
    body: { api_key: account.apiKey, event: 'signed_up', properties: { email, sessionId, ...properties }, id },
  });

/** The e-mail of each session's lead, by the session's id. */
async function emails(account: Account): Promise<Record<number, string | null>> {
  const { rows } = await service.db.query(
    `select s.number, l.email from sessions s left join leads l on l.account_id = s.account_id and l.id = s.lead_id
     where s.account_id = $1`,
    [account.uuid],
  );
  return Object.fromEntries(rows.map((row) => [idOf(row.number), row.email]));
}

const leads = async (account: Account) =>
  (
    await service.db.query('select * from leads_with_sessions where account_id = $1 order by email', [account.uuid])
  ).rows.map((row) => [
    row.email,
    row.first_session && idOf(row.first_session),
    row.latest_session && idOf(row.latest_session),
  ]);

test("an email links the visitor's sessions without a lead, earlier and later, and those that start afterwards", async () => {
  const account = await service.newAccount();
  const [first, second, third] = [
    await session(account, 'v', 90),
    await session(account, 'v', 60),
    await session(account, 'v', 30),
  ];
  const stranger = await session(account, 'w', 60);
  await identify(account, 'ann@example.com', second);
  const ann = 'ann@example.com';
  assert.deepEqual(await emails(account), { [first]: ann, [second]: ann, [third]: ann, [stranger]: null });
  const fourth = await session(account, 'v', 0);
  assert.deepEqual(await emails(account), {
    [first]: ann,
    [second]: ann,
    [third]: ann,
    [stranger]: null,
    [fourth]: ann,
  });
  assert.deepEqual(await leads(account), [[ann, first, fourth]]);
});

test('the latest identification wins for its own session and changes no other', async () => {
  const account = await service.newAccount();
  const [first, second] = [await session(account, 'v', 60), await session(account, 'v', 30)];
  await identify(account, 'ann@example.com', first);
  await identify(account, 'bob@example.com', second);
  assert.deepEqual(await emails(account), { [first]: 'ann@example.com', [second]: 'bob@example.com' });
  const third = await session(account, 'v', 0);
  assert.equal((await emails(account))[third], 'bob@example.com', "a new session has the latest one's lead");
  await identify(account, 'ann@example.com', second);
  assert.deepEqual(await emails(account), {
    [first]: 'ann@example.com',
    [second]: 'ann@example.com',
    [third]: 'bob@example.com',
  });
});

test('sessions of the same visitor in another account, and events without a session, link nothing', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const [mine, theirs] = [await session(account, 'v', 1), await session(other, 'v', 1)];
  await identify(other, 'ann@example.com', theirs);
  await identify(account, 'ann@example.com');
  assert.deepEqual(await emails(account), { [mine]: null });
  assert.deepEqual(await leads(account), [['ann@example.com', null, null]]);
  assert.deepEqual(await emails(other), { [theirs]: 'ann@example.com' });
});

test('a value without a session belongs to the latest session that is linked to the lead', async () => {
  const account = await service.newAccount();
  const [first, second] = [await session(account, 'v', 60), await session(account, 'v', 30)];
  await identify(account, 'ann@example.com', first);
  const sessionOf = async (event: string) => {
    const { rows } = await service.db.query(
      'select session_number from conversions where account_id = $1 and event_id = $2',
      [account.uuid, event],
    );
    return rows[0] && idOf(rows[0].session_number);
  };
  await identify(account, 'ann@example.com', undefined, { id: 'one', properties: { value: 1 } });
  assert.equal(await sessionOf('one'), second);
  const third = await session(account, 'v', 1);
  await identify(account, 'ann@example.com', undefined, { id: 'two', properties: { value: 1 } });
  assert.equal(await sessionOf('two'), third);
  await identify(account, 'ann@example.com', first);
  await identify(account, 'ann@example.com', undefined, { id: 'three', properties: { value: 1 } });
  assert.equal(await sessionOf('three'), third, 'an old session that is named again is not the latest');
  await identify(account, 'ann@example.com', first, { id: 'four', properties: { value: 1 } });
  assert.equal(await sessionOf('four'), first, "its own session is an event's own");
});

test('leads and sessions that many events name at once are linked without a deadlock or loss', async () => {
  const account = await service.newAccount();
  const sessions: number[] = [];
  for (let i = 0; i < 40; i++) sessions.push(await session(account, `v${i % 8}`, 100 - i * 2));
  const sent = Array.from({ length: 400 }, (_, i) =>
    identify(account, `p${(i * 7) % 11}@example.com`, sessions[(i * 13) % sessions.length]),
  );
  for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
  const tied = Object.values(await emails(account));
  assert.equal(tied.length, sessions.length);
  assert.ok(tied.every((email) => email !== null));
  assert.equal((await leads(account)).length, 11);
});

test('a lead has the latest value of each property of its events, and nothing of erased or foreign ones', async () => {
  const account = await service.newAccount();
  const first = await session(account, 'p', 50);
  await identify(account, 'pia@example.com', first, {
    properties: { name: 'Pia', phone: '1', tags: ['a'], empty: '' },
  });
  service.clock.now += 1_000;
  await identify(account, 'pia@example.com', first, {
    properties: { phone: '2', value: 5, currency: 'EUR', vip: true },
  });
  service.clock.now += 1_000;
  await identify(account, 'pia@example.com', undefined, { properties: { name: 'Pia B.' } });
  await identify(account, 'other@example.com', await session(account, 'q', 20), { properties: { name: 'Other' } });
  const found = await service.call('GET /v1/leads?q=pia', { as: account });
  const lead = await service.call(`GET /v1/leads/${found.body.leads[0].id}`, { as: account });
  assert.deepEqual(lead.body.properties, { name: 'Pia B.', phone: '2', vip: true });
});

test('leads are found by any part of their email or name, and sorted and counted otherwise', async () => {
  const account = await service.newAccount();
  const other = await service.newAccount();
  await identify(account, 'ann.miller@example.com', undefined, { properties: { name: 'Ann Müller' } });
  await identify(account, 'bob@sub.example.org', undefined, {
    properties: { first_name: 'Bob', lastName: 'Ross 50%' },
  });
  await identify(account, 'cy@example.com', undefined, { properties: { name: 5 } });
  await identify(other, 'ann@example.com');
  const list = async (query: string) => {
    const answer = await service.call(`GET /v1/leads?${query}`, { as: account });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const found = async (query: string) =>
    (await list(query)).leads.map(({ email }: { email: string }) => email.split(/[.@]/)[0]);
  assert.deepEqual(await found('q=MILLER'), ['ann']);
  assert.deepEqual(await found(`q=${encodeURIComponent('müll')}`), ['ann']);
  assert.deepEqual(await found('q=bob%20ross'), ['bob']);
  assert.deepEqual(await found('q=example.com'), ['cy', 'ann']);
  assert.deepEqual(await found('q=0%25'), [], 'fewer than three characters: the start of an email');
  assert.deepEqual(await found('q=50%25'), ['bob'], 'a pattern is a text');
  assert.deepEqual(await found('q=___'), []);
  assert.deepEqual(await found('q=an'), ['ann']);
  assert.deepEqual(await found('q=an&sort=firstSeenAt:desc'), ['ann']);
  assert.deepEqual(await found('sort=email:desc'), ['cy', 'bob', 'ann']);
  assert.deepEqual(await found('sort=firstSeenAt:asc'), ['ann', 'bob', 'cy']);
  for (const sort of ['email:asc', 'email:desc', 'firstSeenAt:asc', 'firstSeenAt:desc']) {
    const pages: string[] = [];
    for (let token: string | null = ''; token !== null; ) {
      const page: { leads: { email: string }[]; nextPageToken: string | null } = await list(
        `sort=${sort}&pageSize=1&pageToken=${token}`,
      );
      pages.push(...page.leads.map(({ email }) => email));
      token = page.nextPageToken;
    }
    assert.deepEqual(
      pages.map((email) => email.split(/[.@]/)[0]),
      await found(`sort=${sort}`),
      sort,
    );
  }
  assert.deepEqual((await list('totals=true&pageSize=1')).totals, { leads: 3 });
  assert.deepEqual((await list('totals=true&q=example.com')).totals, { leads: 2 });
  await identify(account, 'cy@example.com', undefined, { properties: { full_name: 'Cy Twombly' } });
  assert.deepEqual(await found('q=twombly'), ['cy'], 'a name that follows at once');
});

test('notes about a lead are kept out of the audit log, and deleted with it', async () => {
  const account = await service.newAccount();
  await identify(account, 'dee@example.com');
  const [{ id }] = (await service.call('GET /v1/leads', { as: account })).body.leads;
  const patch = (notes: string | null) => service.call(`PATCH /v1/leads/${id}`, { as: account, body: { notes } });
  const lead = (await patch('Prefers calls')).body;
  assert.equal(lead.notes, 'Prefers calls');
  assert.equal((await service.call(`PATCH /v1/leads/${id}`, { as: account, body: lead })).status, 200);
  assert.equal((await patch('x'.repeat(10_001))).body.code, 'too_long');
  const { rows } = await service.db.query("select * from audit_log where action = 'lead.notes_changed'");
  assert.equal(rows.length, 2);
  assert.ok(!JSON.stringify(rows).includes('calls'));
  assert.equal((await patch(' ')).body.notes, null);
});

test('an event that arrives late moves the start of its lead, and the order of its sessions stays that of time', async () => {
  const account = await service.newAccount();
  const [early, late] = [await session(account, 'ann-1', 9), await session(account, 'ann-2', 1)];
  const signup = (sessionId: number, hoursAgo: number) =>
    service.call('POST /v1/events', {
      body: {
        ...{ api_key: account.apiKey, event: 'signed_up', properties: { email: 'late@example.com', sessionId } },
        occurredAt: isoTime(service.clock.now - hoursAgo * HOUR),
      },
    });
  await signup(late, 1);
  await signup(early, 9);
  const [lead] = (await service.call('GET /v1/leads', { as: account })).body.leads;
  assert.equal(lead.firstSeenAt, isoTime(service.clock.now - 9 * HOUR));
  assert.equal(lead.lastSeenAt, isoTime(service.clock.now - HOUR));
  assert.deepEqual([lead.firstSessionId, lead.latestSessionId], [early, late]);
});
