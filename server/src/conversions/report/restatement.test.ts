import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, testService } from '../../../test/harness.ts';
import { LateMatcher } from '../matching/late-matcher.ts';
import { readReport } from './read-report.ts';
import { reportConversions } from './report-conversions.ts';

const service = await testService();
const { call, db, clock } = service;
const lateMatch = new LateMatcher({ ...service, clock: () => clock.now, log: service.app.log });

interface Item {
  eventId?: string;
  gclid: string;
  event?: string;
  value?: number | string | null;
  currency?: string;
  createdOn?: string;
  extra?: object;
}

interface Result {
  _id?: string;
  status: string;
}

async function report(account: Account, items: Item[]): Promise<Result[]> {
  const answer = await call('POST /v1/analytics/report-conversion', { as: account, body: items });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function visit(account: Account, gclid: string): Promise<number> {
  const url = `https://shop.test/?gclid=${gclid}`;
  const answer = await call('POST /v1/visits', { body: { api_key: account.token, url } });
  return service.sessionIds.numberOf(answer.body.sessionId);
}

async function rowsOf(table: string, account: Account) {
  const { rows } = await db.query(`select * from ${table} where account_id = $1 order by ${ORDER[table]}`, [
    account.uuid,
  ]);
  return rows;
}

const ORDER: Record<string, string> = {
  conversions: 'id',
  conversion_revisions: 'arrival',
  unmatched_conversions: 'arrival',
};

async function conversionOf(account: Account, eventId: string) {
  const rows = (await rowsOf('conversions', account)).filter((row) => row.event_id === eventId);
  assert.equal(rows.length, 1);
  return rows[0];
}

test('a report with the same eventId replaces what it contains and keeps the rest, the id and the first session', async () => {
  const account = await service.newAccount();
  const first = await visit(account, 'a');
  await visit(account, 'b');
  clock.now += 1000;
  const arrived = clock.now;
  const [made] = await report(account, [
    {
      gclid: 'a',
      eventId: 'o',
      event: 'order',
      value: '10.50',
      currency: 'EUR',
      createdOn: '2026-01-01',
      extra: { a: 1 },
    },
  ]);
  const before = await conversionOf(account, 'o');
  clock.now += 60_000;
  const restatements: [Partial<Item>, Record<string, unknown>][] = [
    [{}, {}],
    [{ value: null }, {}],
    [{ value: 0 }, { value: '0' }],
    [
      { value: -3, currency: 'usd' },
      { value: '-3', currency: 'USD' },
    ],
    [{ createdOn: '2020-01-01' }, { created_on: new Date('2020-01-01'), sent_created_on: new Date('2020-01-01') }],
    [{ extra: { b: 2 } }, { extra: { b: 2 } }],
    [{ event: 'refund' }, { event: 'refund', sent_event: 'refund' }],
    [{ event: 'conversion' }, { event: 'conversion', sent_event: 'conversion' }],
    [{ createdOn: 'whenever' }, { created_on: new Date(clock.now), sent_created_on: new Date(clock.now) }],
  ];
  const expected = { ...before };
  for (const [item, change] of restatements) {
    assert.equal((await report(account, [{ gclid: 'b', eventId: 'o', ...item }]))[0]?._id, made?._id);
    Object.assign(expected, change, { updated_at: new Date(clock.now), version: expected.version + 1 });
    assert.deepEqual(await conversionOf(account, 'o'), expected);
  }
  assert.equal(expected.session_number, first);
  assert.deepEqual(expected.identifier, { gclid: 'a' });
  assert.deepEqual(expected.received_at, new Date(arrived));
  const revisions = await rowsOf('conversion_revisions', account);
  assert.deepEqual(
    revisions.map(({ value }) => value),
    ['10.50', null, null, '0', '-3', null, null, null, null, null],
  );
  assert.deepEqual(revisions[1].identifier, { gclid: 'b' });
});

test('a later report wins even with an earlier createdOn', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [{ gclid: 'a', eventId: 'o', value: 1, createdOn: '2026-06-01' }]);
  await report(account, [{ gclid: 'a', eventId: 'o', value: 2, createdOn: '2020-06-01' }]);
  assert.equal((await conversionOf(account, 'o')).value, '2');
});

test('reports without an eventId, or of two accounts, never restate each other', async () => {
  const [one, two] = [await service.newAccount(), await service.newAccount()];
  for (const account of [one, two]) await visit(account, 'a');
  const results = await report(one, [
    { gclid: 'a' },
    { gclid: 'a' },
    { gclid: 'a', eventId: '' },
    { gclid: 'a', eventId: 'o', value: 1 },
  ]);
  const [other] = await report(two, [{ gclid: 'a', eventId: 'o', value: 2 }]);
  assert.equal(new Set([...results, other].map((result) => result?._id)).size, 5);
  assert.equal((await conversionOf(one, 'o')).value, '1');
  assert.equal((await conversionOf(two, 'o')).value, '2');
});

test('a report whose identifier matches nothing changes no conversion, even if its eventId exists', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [{ gclid: 'a', eventId: 'o', value: 1 }]);
  const before = await conversionOf(account, 'o');
  const [result] = await report(account, [{ gclid: 'nobody', eventId: 'o', value: 2 }]);
  assert.equal(result?.status, 'unmatched');
  assert.deepEqual(await conversionOf(account, 'o'), before);
});

const EVENT_IDS = ['e1', 'e2', 'e3'];
const CLICKS = ['early', 'late1', 'late2'];

const item: fc.Arbitrary<Item> = fc.record(
  {
    gclid: fc.constantFrom(...CLICKS),
    eventId: fc.constantFrom(...EVENT_IDS),
    event: fc.constantFrom('order', 'conversion'),
    value: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: -5, max: 5 }), fc.constant('1.50')),
    currency: fc.constantFrom('eur', 'USD'),
    createdOn: fc.constantFrom('2026-01-01', '2020-01-01', 'whenever'),
    extra: fc.constantFrom({ a: 1 }, { b: 2 }),
  },
  { requiredKeys: ['gclid'] },
);

/** Batches that are sent at the same moment, or a session that begins. */
type Step = Item[][] | { begins: string };

function steps(callers: number): fc.Arbitrary<Step[]> {
  const batches = fc.array(fc.array(item, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: callers });
  return fc.array(
    fc.oneof({ weight: 4, arbitrary: batches }, fc.record({ begins: fc.constantFrom('late1', 'late2') })),
    {
      maxLength: 8,
    },
  );
}

/** Whether two unmatched reports without an eventId are the same; an unreadable createdOn counts as none. */
function sameReport(one: Item, other: Item): boolean {
  const content = ({ gclid, event, value = null, currency, createdOn, extra }: Item) =>
    JSON.stringify([
      gclid,
      event,
      value,
      currency?.toUpperCase(),
      createdOn === 'whenever' ? undefined : createdOn,
      extra,
    ]);
  return one.eventId === undefined && other.eventId === undefined && content(one) === content(other);
}

/** What a conversion is made of, by the words of the contract: of each member the latest report that named it. */
interface Modelled {
  session: number;
  event: string;
  value: string | null;
  currency: string | null;
  extra: unknown;
  createdOn: string | null;
}

test('any reports, in any batches, with sessions that start late, have the same result as a simple replay in order', async () => {
  await fc.assert(
    fc.asyncProperty(steps(1), async (sequence) => {
      const account = await service.newAccount();
      const sessions = new Map([['early', await visit(account, 'early')]]);
      const matched: { item: Item; order: number; at: number }[] = [];
      const waiting: { item: Item; order: number; at: number }[] = [];
      const firstSession = new Map<string, number>();
      const ids = new Map<string, string>();
      let order = 0;

      const match = (report: (typeof matched)[number]) => {
        matched.push(report);
        const session = sessions.get(report.item.gclid) ?? -1;
        const key = report.item.eventId ?? `#${report.order}`;
        if (!firstSession.has(key)) firstSession.set(key, session);
      };

      for (const step of sequence) {
        clock.now += 1000;
        if ('begins' in step) {
          const session = await visit(account, step.begins);
          if (!sessions.has(step.begins)) sessions.set(step.begins, session);
          await lateMatch.sweep();
          const found = waiting.filter(({ item }) => sessions.has(item.gclid));
          for (const report of found) {
            waiting.splice(waiting.indexOf(report), 1);
            match(report);
          }
          continue;
        }
        for (const batch of step) {
          const results = await report(account, batch);
          for (const [i, item] of batch.entries()) {
            const known = sessions.has(item.gclid);
            const entry = { item, order: order++, at: clock.now };
            assert.equal(results[i]?.status, known ? 'reported' : 'unmatched');
            if (!known) {
              // Identical reports without an eventId are one.
              const isRepeated = waiting.some((other) => sameReport(other.item, item));
              if (!isRepeated) waiting.push(entry);
            } else {
              match(entry);
              if (item.eventId === undefined) continue;
              assert.equal(results[i]?._id, ids.get(item.eventId) ?? results[i]?._id);
              ids.set(item.eventId, results[i]?._id ?? '');
            }
          }
        }
      }

      const model = new Map<string, Modelled>();
      for (const { item, order, at } of matched.sort((a, b) => a.order - b.order)) {
        const key = item.eventId ?? `#${order}`;
        const before = model.get(key);
        const dated =
          item.createdOn === 'whenever'
            ? new Date(at).toISOString()
            : item.createdOn && `${item.createdOn}T00:00:00.000Z`;
        model.set(key, {
          session: firstSession.get(key) ?? -1,
          event: item.event ?? before?.event ?? 'conversion',
          value: item.value === undefined || item.value === null ? (before?.value ?? null) : String(item.value),
          currency: item.currency?.toUpperCase() ?? before?.currency ?? null,
          extra: item.extra ?? before?.extra ?? null,
          createdOn: dated ?? before?.createdOn ?? null,
        });
      }
      const stored = (await rowsOf('conversions', account)).map((row): [string | null, Modelled] => [
        row.event_id,
        {
          session: row.session_number,
          event: row.event,
          value: row.value,
          currency: row.currency,
          extra: row.extra,
          createdOn: row.sent_created_on?.toISOString() ?? null,
        },
      ]);
      const sorted = (all: [string | null, Modelled][]) => all.map((each) => JSON.stringify(each)).sort();
      assert.deepEqual(
        sorted(stored),
        sorted([...model].map(([key, conversion]) => [key.startsWith('#') ? null : key, conversion])),
      );
      assert.equal((await rowsOf('conversion_revisions', account)).length, matched.length);
      assert.equal((await rowsOf('unmatched_conversions', account)).length, waiting.length);
    }),
    { numRuns: 60 },
  );
});

/** Asserts that every conversion is what its revisions come to, in their order of arrival. */
async function assertFolded(account: Account): Promise<void> {
  const revisions = await rowsOf('conversion_revisions', account);
  for (const row of await rowsOf('conversions', account)) {
    const own = revisions.filter(({ conversion_id }) => conversion_id === row.id);
    const latest = (member: string) => own.findLast((revision) => revision[member] !== null)?.[member] ?? null;
    assert.deepEqual(
      [row.sent_event, row.value, row.currency, row.extra, row.sent_created_on],
      ['event', 'value', 'currency', 'extra', 'created_on'].map(latest),
    );
  }
}

test('concurrent reports, and sessions that start meanwhile, leave every conversion consistent with its reports', async () => {
  await fc.assert(
    fc.asyncProperty(steps(3), async (sequence) => {
      const account = await service.newAccount();
      await visit(account, 'early');
      let sent = 0;
      for (const step of sequence) {
        if ('begins' in step) {
          await visit(account, step.begins);
          await Promise.all([lateMatch.sweep(), lateMatch.sweep()]);
          continue;
        }
        // Different in each, because identical unmatched reports without an eventId are one.
        const batches = step.map((batch) => batch.map((item) => ({ ...item, extra: { sent: ++sent } })));
        const answers = await Promise.all([...batches.map((batch) => report(account, batch)), lateMatch.sweep()]);
        assert.equal(answers.length, step.length + 1);
      }
      await lateMatch.sweep();
      await assertFolded(account);
      const stored = await rowsOf('conversions', account);
      const named = stored.flatMap(({ event_id }) => event_id ?? []);
      assert.equal(new Set(named).size, named.length);
      const kept = (await rowsOf('conversion_revisions', account)).length;
      assert.equal(kept + (await rowsOf('unmatched_conversions', account)).length, sent);
    }),
    { numRuns: 40 },
  );
});

/** Reports in a transaction that is not tried again, so that a deadlock would be seen. */
async function reportOnce(account: Account, items: Item[]): Promise<Result[]> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    const read = items.map((item) => readReport(service.sessionIds, item, clock.now));
    const { results } = await reportConversions(
      client,
      { accountId: account.uuid, secret: service.secret },
      read,
      clock.now,
    );
    await client.query('commit');
    return results;
  } finally {
    client.release(true);
  }
}

test('batches of the same eventIds in different orders neither deadlock nor lose a restatement', async () => {
  const account = await service.newAccount();
  await visit(account, 'early');
  const eventIds = Array.from({ length: 150 }, (_, i) => `order-${i}`);
  const callers = 4;
  const rounds = 5;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let round = 0; round < rounds; round++) {
        const order = (caller + round) % 2 === 0 ? eventIds : eventIds.toReversed();
        const results = await reportOnce(
          account,
          order.map((eventId, i) => ({
            gclid: i % 7 === caller ? 'late' : 'early',
            eventId,
            value: caller * 100 + round,
          })),
        );
        assert.ok(results.every(({ status }, i) => status === (i % 7 === caller ? 'unmatched' : 'reported')));
      }
    }),
  );
  await visit(account, 'late');
  await Promise.all([lateMatch.sweep(), lateMatch.sweep()]);
  assert.equal((await rowsOf('conversions', account)).length, eventIds.length);
  const revisions = await rowsOf('conversion_revisions', account);
  assert.equal(revisions.length, eventIds.length * callers * rounds);
  await assertFolded(account);
  // Each caller's own reports stand in the order in which it sent them.
  const seen = new Map<string, number>();
  for (const { conversion_id, value } of revisions) {
    const key = `${conversion_id} ${Math.floor(Number(value) / 100)}`;
    assert.ok((seen.get(key) ?? -1) < Number(value));
    seen.set(key, Number(value));
  }
});
