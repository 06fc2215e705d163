import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, testService } from '../../../test/harness.ts';
import { createKey } from '../../accounts/index.ts';
import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import { isoTime } from '../../shared/time.ts';
import { isAbsent } from '../absent.ts';
import { IDENTIFIER_NAMES, type IdentifierName, identify, readIdentifier, shortHashOf } from '../identifiers.ts';
import { findSessions } from '../sessions/find-sessions.ts';

const service = await testService();
const { numberOf } = service.sessionIds;
const MINUTE = 60_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

const visit = (account: Account, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  service.call('POST /v1/visits', {
    body: { api_key: account.apiKey, url: 'https://shop.example/', ...body },
    headers: { 'user-agent': CHROME, ...headers },
  });
const event = (account: Account, properties?: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'signed_up', properties, ...more } });
const rows = async (sql: string, ...values: unknown[]) => (await service.db.query(sql, values)).rows;

test('a visit returns its session, both hashes and the visitor, and stores what the landing URL says', async () => {
  const account = await service.newAccount();
  const { status, body } = await visit(account, {
    url: 'https://shop.example/?utm_source=News&utm_medium=email&utm_campaign=May&utm_term=t&utm_content=c&utm_id=7&GCLID=Ab-1',
    referrer: 'https://mail.example/',
    title: 'Shop',
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), [
    'isBot',
    'sessionHash',
    'sessionId',
    'shortSessionHash',
    'success',
    'visitorId',
  ]);
  assert.equal(body.success, true);
  assert.ok(Number.isSafeInteger(body.sessionId));
  assert.match(body.sessionHash, /^[0-9A-Za-z]{22}$/);
  assert.equal(body.shortSessionHash, shortHashOf(body.sessionHash));
  const [session] = await rows('select * from sessions where account_id = $1', account.uuid);
  assert.equal(session.number, numberOf(body.sessionId));
  assert.deepEqual(session.click_ids, { gclid: 'Ab-1' });
  assert.deepEqual(
    [session.source, session.medium, session.campaign, session.term, session.content, session.utm_id],
    ['News', 'email', 'May', 't', 'c', '7'],
  );
  assert.deepEqual(
    [session.device, session.browser, session.os, session.is_bot],
    ['desktop', 'Chrome', 'Linux', false],
  );
  const [stored] = await rows('select * from visits where account_id = $1', account.uuid);
  assert.deepEqual(
    [stored.title, stored.referrer, stored.session_number],
    ['Shop', 'https://mail.example/', numberOf(body.sessionId)],
  );
});

test('without a session hash the service chooses the session by visitor: 30 minutes idle, 24 hours, a new click id or campaign', async () => {
  const start = service.clock.now;
  const cases: [string, { minutes: number; url?: string }[], number][] = [
    ['goes on within 30 minutes', [{ minutes: 30 }], 1],
    ['ends after 30 minutes idle', [{ minutes: 30.1 }], 2],
    ['each visit keeps it awake', [{ minutes: 29 }, { minutes: 58 }, { minutes: 87 }], 1],
    ['ends after 24 hours', Array.from({ length: 50 }, (_, i) => ({ minutes: (i + 1) * 29 })), 2],
    ['a new click id begins one', [{ minutes: 1, url: '/?gclid=a' }], 2],
    [
      'the same click id goes on',
      [
        { minutes: 1, url: '/?gclid=a' },
        { minutes: 2, url: '/x?GCLID=a' },
      ],
      2,
    ],
    [
      'another click id begins one',
      [
        { minutes: 1, url: '/?gclid=a' },
        { minutes: 2, url: '/?gclid=b' },
      ],
      3,
    ],
    ['a new campaign begins one', [{ minutes: 1, url: '/?utm_campaign=may' }], 2],
    [
      'the same campaign goes on',
      [
        { minutes: 1, url: '/?utm_campaign=may' },
        { minutes: 2, url: '/?utm_campaign=may' },
      ],
      2,
    ],
    [
      'a page without either goes on',
      [
        { minutes: 1, url: '/?utm_campaign=may' },
        { minutes: 2, url: '/plain' },
      ],
      2,
    ],
  ];
  for (const [name, visits, sessions] of cases) {
    const account = await service.newAccount();
    const seen = new Set([
      (await visit(account, { visitorId: 'v', occurredAt: isoTime(start - 3 * 1440 * MINUTE) })).body.sessionId,
    ]);
    for (const { minutes, url = '/' } of visits) {
      const occurredAt = isoTime(start - 3 * 1440 * MINUTE + minutes * MINUTE);
      const { body } = await visit(account, { visitorId: 'v', url: `https://shop.example${url}`, occurredAt });
      seen.add(body.sessionId);
    }
    assert.equal(seen.size, sessions, name);
  }
});

test('a visit that arrives late belongs to the session of its own time, and to no later one', async () => {
  const account = await service.newAccount();
  const start = service.clock.now - 3 * 1440 * MINUTE;
  const at = async (minutes: number) =>
    (await visit(account, { visitorId: 'v', occurredAt: isoTime(start + minutes * MINUTE) })).body.sessionId;
  const first = await at(0);
  const second = await at(600);
  assert.notEqual(second, first);
  assert.equal(await at(20), first, 'within the first');
  assert.equal(await at(590), second, 'a little before the second');
  const between = await at(300);
  assert.ok(![first, second].includes(between), 'between the two');
  assert.equal(await at(299), between);
  assert.equal(await at(601), second);
  const batch = [-500, 21, 301, 602].map((minutes) => ({
    visit: { visitorId: 'v', url: 'https://shop.example/', occurredAt: isoTime(start + minutes * MINUTE) },
  }));
  const { status, body } = await service.call('POST /v1/batch', {
    body: { api_key: account.apiKey, items: batch },
    headers: { 'user-agent': CHROME },
  });
  assert.equal(status, 200);
  const [before, ...rest] = body.results.map(({ sessionId }: { sessionId: number }) => sessionId);
  assert.ok(![first, second, between].includes(before));
  assert.deepEqual(rest, [first, between, second]);
});

test('a visit joins the session it names, and one that names nothing starts a session', async () => {
  const account = await service.newAccount();
  const sessionHash = 'abcdefghijklmnopqrstuv';
  const long = isoTime(service.clock.now - 600 * MINUTE);
  const first = await visit(account, { sessionHash, visitorId: 'v', occurredAt: long });
  const again = await visit(account, { sessionHash, visitorId: 'v', url: 'https://shop.example/?gclid=new' });
  assert.equal(again.body.sessionId, first.body.sessionId);
  assert.equal(again.body.sessionHash, sessionHash);
  const other = await visit(account, {});
  assert.notEqual(other.body.sessionId, first.body.sessionId);
  assert.notEqual(other.body.visitorId, 'v');
});

test('visits of one visitor, or of one new hash, that arrive together share one session', async () => {
  const account = await service.newAccount();
  const together = await Promise.all(Array.from({ length: 40 }, () => visit(account, { visitorId: 'same' })));
  assert.equal(new Set(together.map(({ body }) => body.sessionId)).size, 1);
  const named = await Promise.all(
    Array.from({ length: 40 }, () => visit(account, { sessionHash: 'ABCDEFGHIJKLMNOPQRSTUV' })),
  );
  assert.equal(new Set(named.map(({ body }) => body.sessionId)).size, 1);
  assert.equal((await rows('select * from visits where account_id = $1', account.uuid)).length, 80);
  assert.equal((await rows('select * from sessions where account_id = $1', account.uuid)).length, 2);
});

test('every click id of the interface is read in any case of its name, and finds its session', async () => {
  const account = await service.newAccount();
  for (const name of CLICK_ID_NAMES) {
    const { body } = await visit(account, { url: `https://shop.example/?x=1&${name.toUpperCase()}=Value-${name}%2B` });
    const identifier = identify(service.sessionIds, name, `Value-${name}+`);
    assert.ok(identifier);
    assert.deepEqual(
      await findSessions(service.db, [{ accountId: account.uuid, identifier }]),
      [numberOf(body.sessionId)],
      name,
    );
  }
  const { body } = await visit(account, { url: 'https://shop.example/?ScCid=snap' });
  const snap = identify(service.sessionIds, 'sclid', 'snap');
  assert.ok(snap);
  assert.deepEqual(await findSessions(service.db, [{ accountId: account.uuid, identifier: snap }]), [
    numberOf(body.sessionId),
  ]);
});

test('a session is found by hash, number and short hash in its own account only, and the earliest by click id', async () => {
  const [mine, other] = [await service.newAccount(), await service.newAccount()];
  const url = 'https://shop.example/?gclid=shared';
  const late = await visit(mine, { url });
  const early = await visit(mine, {
    api_key: mine.token,
    url,
    occurredAt: isoTime(service.clock.now - 60 * MINUTE),
  });
  const { sessionId, sessionHash, shortSessionHash } = late.body;
  const lookUps: [IdentifierName, string | number, number | undefined][] = [
    ['hash', sessionHash, sessionId],
    ['visitHash', sessionId, sessionId],
    ['hash', String(sessionId), sessionId],
    ['sessionId', sessionId, sessionId],
    ['sessionId', String(sessionId), sessionId],
    ['shortHash', shortSessionHash, sessionId],
    ['shortVisitHash', shortSessionHash.toLowerCase(), sessionId],
    ['gclid', 'shared', early.body.sessionId],
    ['sessionId', sessionHash, sessionId],
    ['gclid', 'SHARED', undefined],
    ['gbraid', 'shared', undefined],
    ['hash', sessionHash.toLowerCase(), sessionHash === sessionHash.toLowerCase() ? sessionId : undefined],
    ['sessionId', -1, undefined],
  ];
  const identifiers = lookUps.flatMap(([name, value]) => identify(service.sessionIds, name, value) ?? []);
  assert.equal(identifiers.length, lookUps.length);
  const found = (account: Account) =>
    findSessions(
      service.db,
      identifiers.map((identifier) => ({ accountId: account.uuid, identifier })),
    );
  assert.deepEqual(
    await found(mine),
    lookUps.map(([, , id]) => id && numberOf(id)),
  );
  assert.deepEqual(
    await found(other),
    lookUps.map(() => undefined),
  );
});

test('an identifier is exactly one member that is not absent', () => {
  const names = fc.constantFrom(...IDENTIFIER_NAMES);
  const empty = fc.constantFrom(null, undefined, '', '  ', '\t\n', '{gclid}', '__HASH__', 'undefined');
  fc.assert(
    fc.property(names, fc.string({ minLength: 1 }), fc.dictionary(names, empty), (name, value, rest) => {
      fc.pre(!isAbsent(value));
      const found = readIdentifier(service.sessionIds, { ...rest, [name]: value });
      assert.ok('digest' in found && found.name === name && found.sent === value);
      const another = IDENTIFIER_NAMES.find((each) => each !== name) ?? 'hash';
      const both = readIdentifier(service.sessionIds, { ...rest, [name]: value, [another]: value });
      assert.ok('code' in both && both.code === 'identifier_conflict');
      const none = readIdentifier(service.sessionIds, rest);
      assert.ok('code' in none && none.code === 'identifier_missing');
      const twice = readIdentifier(service.sessionIds, { [name]: [value, value] });
      assert.ok('code' in twice && twice.code === 'identifier_conflict');
    }),
  );
  for (const [name, value] of [
    ['gclid', 'x'.repeat(2049)],
    ['shortHash', {}],
    ['hash', true],
    ['fbclid', {}],
  ]) {
    const found = readIdentifier(service.sessionIds, { [name as string]: value });
    assert.ok('code' in found && found.code === 'identifier_invalid', `${name}: ${value}`);
  }
});

test('an event is recorded with its properties as sent, and a retry with its id changes nothing', async () => {
  const account = await service.newAccount();
  const properties = {
    plan: 'pro',
    nested: { list: [1, 'zwei', null, { deep: true }] },
    umlaut: 'äöü 🎉',
  };
  const first = await event(account, properties, { id: 'mine-1' });
  assert.equal(first.status, 200);
  assert.deepEqual(Object.keys(first.body).sort(), ['event_id', 'isBot', 'success']);
  const retries = await Promise.all(
    Array.from({ length: 10 }, () => event(account, { ...properties, plan: 'other' }, { id: 'mine-1' })),
  );
  for (const { body } of retries) assert.equal(body.event_id, first.body.event_id);
  const stored = await rows('select * from events where account_id = $1', account.uuid);
  assert.equal(stored.length, 1);
  assert.deepEqual(stored[0].properties, properties);
  const elsewhere = await event(await service.newAccount(), properties, { id: 'mine-1' });
  assert.notEqual(elsewhere.body.event_id, first.body.event_id);
});

test('events with the same new id that arrive together are one event', async () => {
  const account = await service.newAccount();
  const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => event(account, {}, { id: `e-${i % 7}` })));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(new Set(answers.map(({ body }) => body.event_id)).size, 7);
  assert.equal((await rows('select * from events where account_id = $1', account.uuid)).length, 7);
});

test('an event finds its session by any identifier, prolongs it, and its email creates a lead', async () => {
  const account = await service.newAccount();
  const start = service.clock.now - 120 * MINUTE;
  const { body } = await visit(account, {
    visitorId: 'v',
    occurredAt: isoTime(start),
    url: 'https://shop.example/?fbclid=f',
  });
  await event(account, { fbclid: 'f', email: ' Ann@Example.com ' }, { occurredAt: isoTime(start + 20 * MINUTE) });
  const later = await visit(account, { visitorId: 'v', occurredAt: isoTime(start + 45 * MINUTE) });
  assert.equal(later.body.sessionId, body.sessionId, 'the event kept the session awake');
  await event(account, { email: 'ann@example.com' });
  const leads = await rows('select * from leads where account_id = $1', account.uuid);
  assert.equal(leads.length, 1);
  assert.equal(leads[0].email, 'ann@example.com');
  const [session] = await rows('select * from sessions where account_id = $1', account.uuid);
  assert.equal(session.lead_id, leads[0].id);
  const stored = await rows('select * from events where account_id = $1 order by id', account.uuid);
  assert.deepEqual(
    stored.map((each) => each.lead_id),
    [leads[0].id, leads[0].id],
  );
  assert.deepEqual(
    stored.map((each) => each.session_number),
    [numberOf(body.sessionId), null],
  );
});

test('the limits of an event are exact to the byte, key and level', async () => {
  const account = await service.newAccount();
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
  const cases: [Record<string, unknown>, number, string?][] = [
    [nested(5) as Record<string, unknown>, 200],
    [nested(6) as Record<string, unknown>, 400, 'too_deep'],
    [keys(255), 200],
    [keys(256), 400, 'too_many'],
    [sized(32_768), 200],
    [sized(32_769), 400, 'too_large'],
    [{ text: 'ü'.repeat(16_378) }, 200],
    [{ text: 'ü'.repeat(16_379) }, 400, 'too_large'],
  ];
  for (const [properties, status, code] of cases) {
    const answer = await event(account, properties);
    const label = JSON.stringify(properties).slice(0, 60);
    assert.equal(answer.status, status, label);
    if (code) assert.equal(answer.body.errors[0].code, code, label);
  }
  for (const name of ['', 'x'.repeat(256), 5, null])
    assert.equal((await event(account, {}, { event: name })).status, 400);
  assert.equal((await event(account, {}, { event: 'x'.repeat(255) })).status, 200);
  assert.equal((await event(account, undefined)).status, 200);
});

test('a visit needs only its url: unusable values of other members are ignored', async () => {
  const account = await service.newAccount();
  for (const url of [undefined, null, 5, 'nowhere', 'ftp://shop.example', `https://a.example/${'x'.repeat(8192)}`]) {
    const { status, body } = await visit(account, { url });
    assert.equal(status, 400, String(url));
    assert.deepEqual([...new Set(body.errors.map((each: { pointer: string }) => each.pointer))], ['/url']);
  }
  const { status, body } = await visit(account, {
    sessionHash: 'short',
    visitorId: '',
    visitId: {},
    sentAt: 'yesterday',
    occurredAt: 5,
    title: 5,
    referrer: `https://b.example/${'x'.repeat(9000)}`,
    unknown: 1,
  });
  assert.equal(status, 200);
  assert.match(body.sessionHash, /^[0-9A-Za-z]{22}$/);
  const [stored] = await rows('select * from visits where account_id = $1', account.uuid);
  assert.deepEqual([stored.title, stored.client_visit_id, stored.referrer.length], [null, null, 8192]);
});

test('a publishable key and, without an Origin, a secret token are accepted; anything else is 401 before any other fault', async () => {
  const account = await service.newAccount();
  const postback = await createKey(service.control, account.id, 'postback', 'Postback');
  const send = (api_key: unknown, headers: Record<string, string> = {}, more: object = {}) =>
    service.call('POST /v1/events', { body: { api_key, event: 'x', ...more }, headers });
  assert.equal((await send(account.apiKey)).status, 200);
  assert.equal((await send(account.apiKey, { origin: 'https://shop.example' })).status, 200);
  assert.equal((await send(account.token)).status, 200);
  assert.equal((await send(account.token, { origin: 'https://shop.example' })).status, 401);
  for (const key of [undefined, null, 5, '', 'hw_pk_wrong', `Bearer ${account.apiKey}`, postback.token]) {
    assert.equal((await send(key, {}, { event: '', unknown: 1 })).status, 401, String(key));
  }
  const list = await service.call('POST /v1/events', { body: [] });
  assert.equal(list.status, 401);
});

test('a page may send from any origin, also as text/plain; no other route has CORS', async () => {
  const account = await service.newAccount();
  const origin = { origin: 'https://shop.example' };
  for (const url of ['/v1/visits', '/v1/events']) {
    const preflight = await service.call(`OPTIONS ${url}`, {
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    assert.equal(preflight.status, 200);
    assert.equal(preflight.headers['access-control-allow-origin'], '*');
    assert.match(String(preflight.headers['access-control-allow-headers']), /content-type/);
    const body = JSON.stringify({
      api_key: account.apiKey,
      ...(url === '/v1/visits' ? { url: 'https://a.example' } : { event: 'x' }),
    });
    const sent = await service.call(`POST ${url}`, {
      body,
      headers: { ...origin, 'content-type': 'text/plain;charset=UTF-8' },
    });
    assert.equal(sent.status, 200);
    assert.equal(sent.headers['access-control-allow-origin'], '*');
    const refused = await service.call(`POST ${url}`, {
      body: '{',
      headers: { ...origin, 'content-type': 'text/plain' },
    });
    assert.equal(refused.status, 400);
    assert.equal(refused.headers['access-control-allow-origin'], '*');
  }
  const limits = await service.call('GET /v1/limits', { as: account, headers: origin });
  assert.equal(limits.headers['access-control-allow-origin'], undefined);
});

test('bots are recorded and flagged; a server is not flagged', async () => {
  const account = await service.newAccount();
  await visit(account, {}, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
  const [session] = await rows('select * from sessions where account_id = $1', account.uuid);
  assert.equal(session.is_bot, true);
  await service.call('POST /v1/events', {
    body: { api_key: account.token, event: 'paid' },
    headers: { 'user-agent': 'axios/1.7.0' },
  });
  const [stored] = await rows('select * from events where account_id = $1', account.uuid);
  assert.equal(stored.is_bot, false);
});

test("sentAt corrects the sender's clock, and a time more than an hour ahead is replaced by the time of arrival", async () => {
  const account = await service.newAccount();
  const now = service.clock.now;
  const at = async (body: Record<string, unknown>) => {
    await visit(account, body);
    const [row] = await rows(
      'select occurred_at from visits where account_id = $1 order by id desc limit 1',
      account.uuid,
    );
    return row.occurred_at.getTime();
  };
  const skew = 5 * 24 * 60 * MINUTE;
  assert.equal(await at({ occurredAt: isoTime(now - skew - 10_000), sentAt: isoTime(now - skew) }), now - 10_000);
  assert.equal(await at({ occurredAt: isoTime(now + 20_000), sentAt: isoTime(now + 30_000) }), now - 10_000);
  // The request may have been under way for so long.
  assert.equal(await at({ occurredAt: isoTime(now - 20_000), sentAt: isoTime(now - 14_999) }), now - 20_000);
  assert.equal(await at({ occurredAt: isoTime(now - 20_000), sentAt: isoTime(now - 15_000) }), now - 5_000);
  assert.equal(await at({ occurredAt: isoTime(now + 59 * MINUTE) }), now + 59 * MINUTE);
  assert.equal(await at({ occurredAt: isoTime(now + 61 * MINUTE) }), now);
  assert.equal(await at({ occurredAt: isoTime(now - skew) }), now - skew);
});

test('an event that cannot be written does not affect others in the same commit', async () => {
  const account = await service.newAccount();
  await rows(`create function refuse_poison() returns trigger language plpgsql as
    $$ begin if new.event = 'poison' then raise exception 'poisoned'; end if; return new; end $$`);
  await rows('create trigger poison before insert on events for each row execute function refuse_poison()');
  const sent = Array.from({ length: 100 }, (_, i) =>
    event(account, { n: i }, { event: i % 10 === 3 ? 'poison' : 'fine' }),
  );
  const answers = await Promise.all(sent);
  await rows('drop trigger poison on events');
  for (const [i, { status }] of answers.entries()) assert.equal(status, i % 10 === 3 ? 500 : 200);
  const stored = await rows("select properties->'n' as n from events where account_id = $1", account.uuid);
  assert.equal(new Set(stored.map(({ n }) => n)).size, 90);
  assert.equal(stored.length, 90);
});

test('each item of a batch has its own result, visits are recorded first, and a retry records nothing twice', async () => {
  const account = await service.newAccount();
  const sessionHash = '0123456789012345678901';
  const now = service.clock.now;
  const body = {
    api_key: account.apiKey,
    sentAt: isoTime(now - 5 * MINUTE),
    items: [
      {
        event: { event: 'scrolled', id: 'e1', occurredAt: isoTime(now - 6 * MINUTE), properties: { sessionHash } },
      },
      {
        visit: {
          visitId: 'v1',
          url: 'https://shop.example/?ttclid=t',
          sessionHash,
          occurredAt: isoTime(now - 6 * MINUTE),
        },
      },
      { visit: { visitId: 'v2', url: 'nowhere' } },
      { visit: { visitId: 'v3', url: 'https://shop.example/anonymous' } },
      { event: { event: '', properties: { value: 'x' } } },
    ],
  };
  const send = (headers: Record<string, string> = {}) => service.call('POST /v1/batch', { body, headers });
  const first = await send();
  assert.equal(first.status, 200);
  const [event, visited, wrong, anonymous, empty] = first.body.results;
  assert.deepEqual([event.success, visited.success, anonymous.success], [true, true, true]);
  assert.equal(visited.sessionHash, sessionHash);
  assert.deepEqual([wrong.success, empty.success, empty.error], [false, false, 'too_short']);
  assert.match(wrong.reason, /^`\/url` /);
  const repeats = await Promise.all([send(), send(), send()]);
  for (const { body: again } of repeats) assert.deepEqual(again.results, first.body.results);
  const [visits, events, sessions] = await Promise.all(
    ['visits', 'events', 'sessions'].map((table) => rows(`select * from ${table} where account_id = $1`, account.uuid)),
  );
  assert.deepEqual([visits?.length, events?.length, sessions?.length], [2, 1, 2]);
  assert.equal(events?.[0].session_number, numberOf(visited.sessionId));
  assert.equal(events?.[0].occurred_at.getTime(), now - MINUTE);
});

test('a batch is rejected as a whole only if it is malformed', async () => {
  const account = await service.newAccount();
  const send = (items: unknown, more: object = {}) =>
    service.call('POST /v1/batch', { body: { api_key: account.apiKey, items, ...more } });
  const event = { event: { event: 'x' } };
  for (const items of [undefined, [], {}, Array(101).fill(event)]) {
    assert.equal((await send(items)).status, 400, JSON.stringify(items)?.slice(0, 50));
  }
  for (const item of [5, null, [], {}, { ...event, visit: {} }, { other: 1 }]) {
    const { status, body } = await send([item, event]);
    const [failed, recorded] = body.results;
    assert.deepEqual([status, failed.error, recorded.success], [200, 'item_invalid', true], JSON.stringify(item));
  }
  assert.equal((await send([event], { unknown: 1, sentAt: 5 })).status, 200);
  assert.equal((await send(Array(100).fill(event))).status, 200);
  assert.equal((await service.call('POST /v1/batch', { body: { items: [event] } })).status, 401);
});

test('a visit, event or batch with an Idempotency-Key is recorded once', async () => {
  const account = await service.newAccount();
  const bodies: [string, Record<string, unknown>][] = [
    ['/v1/visits', { url: 'https://shop.example/' }],
    ['/v1/events', { event: 'x', properties: { value: 3 } }],
    [
      '/v1/batch',
      { items: [{ visit: { url: 'https://shop.example/' } }, { event: { event: 'x' } }, { event: { event: 'y' } }] },
    ],
  ];
  for (const [url, fields] of bodies) {
    const send = (more: object = {}) =>
      service.call(`POST ${url}`, {
        body: { api_key: account.apiKey, ...fields, ...more },
        headers: { 'idempotency-key': `key of ${url}` },
      });
    const answers = await Promise.all([send(), send(), send()]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
      JSON.stringify(answers[0]?.body),
    );
    assert.deepEqual(answers[1]?.body, answers[0]?.body);
    assert.deepEqual((await send()).body, answers[0]?.body);
    const other =
      url === '/v1/events' ? { event: 'z' } : url === '/v1/visits' ? { title: 'z' } : { sentAt: isoTime(0) };
    assert.equal((await send(other)).body.code, 'idempotency_key_reused');
  }
  assert.equal((await rows('select * from visits where account_id = $1', account.uuid)).length, 2);
  assert.equal((await rows('select * from events where account_id = $1', account.uuid)).length, 3);
});

test('a batch costs as many requests as it has items', async () => {
  const limited = await testService({
    RATE_LIMIT: 'on',
    RATE_LIMIT_INGEST: '100:100',
    RATE_LIMIT_INGEST_ADDRESS: '10:50',
  });
  const account = await limited.newAccount();
  const send = (count: number) =>
    limited.call('POST /v1/batch', {
      body: { api_key: account.apiKey, items: Array(count).fill({ event: { event: 'x' } }) },
    });
  assert.equal((await send(50)).status, 200);
  const refused = await send(1);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  limited.clock.now += 1_000;
  assert.equal((await send(10)).status, 200);
  assert.equal((await send(1)).status, 429);
});
