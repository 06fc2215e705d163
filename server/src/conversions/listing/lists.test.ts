import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { isoTime } from '../../shared/time.ts';

const MINUTE = 60_000;

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await service.call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const list = (as: Account, query: Record<string, string> = {}, path = '/v1/conversions') =>
  ok(`GET ${path}?${new URLSearchParams(query)}`, as);
const report = (as: Account, body: Record<string, unknown>) => ok('POST /v1/analytics/report-conversion', as, body);

async function visit(as: Account, url: string) {
  return ok('POST /v1/visits', as, { api_key: as.token, url });
}

const idsOf = ({ conversions }: { conversions: { id: string }[] }) => conversions.map(({ id }) => id);

test('conversions are listed newest first in their current state, in pages, with their source', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/?gclid=c1&utm_source=mail&utm_campaign=may');
  const made: string[] = [];
  for (let i = 0; i < 7; i++) {
    const createdOn = isoTime(service.clock.now - (i % 3) * MINUTE);
    made.push(
      (await report(account, { gclid: 'c1', eventId: `o${i}`, value: '10.50', currency: 'eur', createdOn }))._id,
    );
  }
  await report(account, { gclid: 'c1', eventId: 'o0', value: 0 });
  const rows = [];
  for (let pageToken = ''; ; ) {
    const page = await list(account, { pageSize: '2', pageToken });
    rows.push(...page.conversions);
    if (page.nextPageToken === null) break;
    pageToken = page.nextPageToken;
  }
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...made].sort());
  const times = rows.map(({ createdOn }) => createdOn);
  assert.deepEqual(times, [...times].sort().reverse());
  const first = rows.find(({ eventId }) => eventId === 'o0');
  assert.deepEqual(
    [first.value, first.currency, first.restatements, first.source, first.campaign, first.identifier],
    ['0', 'EUR', 1, 'mail', 'may', { gclid: 'c1' }],
  );
});

test('a conversion is found by eventId, id, click id, hash and email, and filtered by each of its members', async () => {
  const account = await service.newAccount();
  const { sessionHash, shortSessionHash, sessionId } = await visit(account, 'https://shop.example/?fbclid=f1');
  const properties = { sessionHash, email: 'ada@shop.example' };
  await ok('POST /v1/events', account, { api_key: account.token, event: 'signup', properties });
  await visit(account, 'https://shop.example/?fbclid=f2');
  const one = (await report(account, { hash: sessionHash, eventId: 'o1', value: 1, currency: 'EUR', event: 'sale' }))
    ._id;
  const other = (await report(account, { fbclid: 'f2', value: 1 }))._id;
  for (const q of ['o1', one, 'f1', sessionHash, shortSessionHash, String(sessionId), 'ada@shop.example', 'ada@']) {
    assert.deepEqual(idsOf(await list(account, { q })), [one], q);
  }
  assert.deepEqual(idsOf(await list(account, { q: 'nothing' })), []);
  for (const [query, expected] of [
    [{}, [one, other]],
    [{ event: 'sale' }, [one]],
    [{ currency: 'eur' }, [one]],
    [{ origin: 'event' }, []],
    [{ sessionId: String(sessionId) }, [one]],
    [{ sessionId: String(sessionId), q: 'f2' }, []],
    [{ to: isoTime(service.clock.now - MINUTE) }, []],
  ] as [Record<string, string>, string[]][]) {
    assert.deepEqual(idsOf(await list(account, query)).sort(), [...expected].sort(), JSON.stringify(query));
  }
});

test('one conversion is returned with all of its reports in the order of their arrival', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/?gclid=c1');
  const { _id } = await report(account, { gclid: 'c1', eventId: 'o', value: 5, currency: 'EUR', extra: { plan: 'a' } });
  await report(account, { gclid: 'c1', eventId: 'o', value: '2.5' });
  const one = await ok(`GET /v1/conversions/${_id}`, account);
  assert.deepEqual([one.value, one.moreReports], ['2.5', false]);
  assert.deepEqual(
    one.reports.map(({ value, currency, extra }: Record<string, unknown>) => [value, currency, extra]),
    [
      ['5', 'EUR', { plan: 'a' }],
      ['2.5', null, null],
    ],
  );
  for (const id of ['cnv_x', '1', 'unmatchedd']) {
    assert.equal((await service.call(`GET /v1/conversions/${id}`, { as: account })).status, 404);
  }
});

test('of a conversion that was reported very often, the latest reports are returned', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/?gclid=c1');
  for (const count of [1_000, 2]) {
    const reports = Array.from({ length: count }, (_, i) => ({ gclid: 'c1', eventId: 'often', value: count + i }));
    await ok('POST /v1/analytics/report-conversion', account, reports);
  }
  const [id] = idsOf(await list(account, {}, '/v1/conversions'));
  const { reports, moreReports, restatements } = await ok(`GET /v1/conversions/${id}`, account);
  const values = reports.map(({ value }: { value: string }) => Number(value));
  assert.deepEqual([values.length, moreReports, restatements], [1_000, true, 1_001]);
  assert.deepEqual([values[0], ...values.slice(-3)], [1_002, 1_999, 2, 3]);
});

test('unmatched reports are listed and found by identifier until their session arrives', async () => {
  const account = await service.newAccount();
  await report(account, { gclid: 'later', eventId: 'o1', value: 3 });
  await report(account, { shortHash: 'ABCDEFGHJKMN' });
  const path = '/v1/conversions/unmatched';
  assert.equal((await list(account, {}, path)).conversions.length, 2);
  const [waiting] = (await list(account, { identifier: 'gclid' }, path)).conversions;
  assert.deepEqual([waiting.eventId, waiting.value, waiting.identifier], ['o1', '3', { gclid: 'later' }]);
  assert.equal(Date.parse(waiting.expiresAt) - Date.parse(waiting.receivedAt), 30 * 24 * 60 * MINUTE);
  for (const q of ['later', 'o1']) assert.deepEqual(idsOf(await list(account, { q }, path)), [waiting.id], q);
  assert.equal((await list(account, { q: 'abcdefghjkmn' }, path)).conversions.length, 1);
  assert.deepEqual(idsOf(await list(account, { q: 'late' }, path)), []);
  assert.deepEqual(idsOf(await list(account, {}, '/v1/conversions')), [], 'they are no conversions');
});

test('conversions are sorted by time and value in both directions over pages, and summed up by currency', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/?gclid=c1&utm_source=mail');
  const values = ['5', '100.25', undefined, '20', '5'];
  for (const [i, value] of values.entries()) {
    const createdOn = isoTime(service.clock.now - i * MINUTE);
    const currency = i === 3 ? 'USD' : 'EUR';
    await report(account, {
      gclid: 'c1',
      eventId: `o${i}`,
      createdOn,
      currency,
      ...(value !== undefined && { value }),
    });
  }
  const all = async (sort: string) => {
    const rows: { eventId: string; value: string | null }[] = [];
    for (let pageToken: string | null = ''; pageToken !== null; ) {
      const page: { conversions: typeof rows; nextPageToken: string | null } = await list(account, {
        ...{ sort, pageSize: '2', pageToken },
      });
      rows.push(...page.conversions);
      pageToken = page.nextPageToken;
    }
    return rows;
  };
  const idsBy = async (sort: string) => (await all(sort)).map(({ eventId }) => eventId);
  assert.deepEqual(await idsBy('createdOn:desc'), ['o0', 'o1', 'o2', 'o3', 'o4']);
  assert.deepEqual(await idsBy('createdOn:asc'), ['o4', 'o3', 'o2', 'o1', 'o0']);
  const byValue = (await all('value:desc')).map(({ value }) => value);
  assert.deepEqual(byValue, ['100.25', '20', '5', '5', null]);
  assert.deepEqual((await idsBy('value:asc')).toReversed(), await idsBy('value:desc'));
  const { totals } = await list(account, { totals: 'true', pageSize: '1' });
  assert.deepEqual(totals, {
    conversions: 5,
    refunds: 0,
    revenue: [
      { currency: 'EUR', value: '110.25' },
      { currency: 'USD', value: '20' },
    ],
  });
  assert.deepEqual((await list(account, { totals: 'true', q: 'o1' })).totals.conversions, 1);
  assert.deepEqual((await list(account, { totals: 'true', source: 'other' })).totals, {
    conversions: 0,
    refunds: 0,
    revenue: [],
  });
});

test('a conversion says whether it was refunded or adjusted, and one that was repeated is neither', async () => {
  const account = await service.newAccount();
  await service.call('POST /v1/visits', {
    body: { api_key: account.apiKey, url: 'https://shop.example/?gclid=states' },
  });
  const report = (eventId: string, value?: number) =>
    service.call('POST /v1/analytics/report-conversion', {
      as: account,
      body: { gclid: 'states', eventId, currency: 'EUR', ...(value !== undefined && { value }) },
    });
  for (const value of [10, 10]) await report('repeated', value);
  for (const value of [10, 8, 8, 9]) await report('adjusted', value);
  for (const value of [10, 0]) await report('refunded', value);
  await report('free', 0);
  for (const value of [undefined, 5]) await report('valued-later', value);
  const body = await list(account, { totals: 'true' });
  const states = Object.fromEntries(
    body.conversions.map((each: Record<string, unknown>) => [each.eventId, [each.adjustments, each.isRefunded]]),
  );
  assert.deepEqual(states, {
    ...{ repeated: [0, false], adjusted: [2, false], refunded: [1, true], free: [0, false] },
    'valued-later': [0, false],
  });
  assert.deepEqual([body.totals.conversions, body.totals.refunds], [5, 1]);
});
