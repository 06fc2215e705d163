/** What is sent, what is not, and why: consent, filters, age, refusals, credentials, replay, erasure. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { until } from '../../test/until.ts';
import { startReceiver } from '../webhooks/test-support.ts';
import { decidedRow } from './delivery/outcomes.ts';
import { plan } from './delivery/plan.ts';
import { findDue, type QueuedRow, recordOutcomes, requeueIdentified } from './delivery/queries.ts';
import { RequestRate } from './delivery/request-rate.ts';
import type { DestinationRow } from './manage/queries.ts';
import { type PlatformId, platformOf } from './platforms/registry.ts';
import {
  CONNECTIONS,
  type Delivery,
  decidedDelivery,
  deliveryOf,
  newDestination,
  report,
  sendingService,
  visit,
} from './test-support.ts';

const service = await sendingService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
const ticking = setInterval(() => service.pass(60_000), 50);
after(() => clearInterval(ticking));

let orders = 0;

/** A visit with a click id, and a conversion of it. Returns what became of the conversion at the only destination. */
async function convert(
  account: Awaited<ReturnType<typeof service.newAccount>>,
  item: Record<string, unknown> = {},
  more: { email?: string; consent?: unknown } = {},
  clickId = 'fbclid',
): Promise<Delivery> {
  const click = `click-${++orders}`;
  await visit(service, account, clickId, click, more);
  const id = await report(service, account, {
    ...{ [clickId]: click, eventId: `order-${orders}`, value: 10, currency: 'EUR' },
    ...item,
  });
  return decidedDelivery(service, account, id);
}

describe('rules', { concurrency: true }, () => {
  test('consent decides what is sent, the latest choice counts, and a TC string is read', async () => {
    const account = await service.newAccount();
    await newDestination(service, account, 'meta', { consent: 'required' });
    const granted = { ad_storage: 'granted', ad_user_data: 'granted' };
    const reasonFor = async (consent: unknown) => (await convert(account, {}, { consent })).reason;
    assert.equal(await reasonFor(granted), null);
    assert.equal(await reasonFor(undefined), 'consent_missing');
    assert.equal(await reasonFor({ ...granted, ad_user_data: 'denied' }), 'consent_denied');
    assert.equal(await reasonFor({ ...granted, ad_storage: 'denied' }), 'consent_denied');
    // Version 2, with consent for purposes 1 to 4 and 7, and then without 7.
    const tcf = (purposes: number[]) => {
      const core = Buffer.alloc(30);
      core[0] = 2 << 2;
      for (const purpose of purposes) {
        const bit = 151 + purpose;
        core[bit >> 3] = (core[bit >> 3] ?? 0) | (1 << (7 - (bit & 7)));
      }
      return core.toString('base64url');
    };
    assert.equal(await reasonFor({ tcf: tcf([1, 2, 3, 4, 7]) }), null);
    assert.equal(await reasonFor({ tcf: tcf([1, 2, 3, 4]) }), 'consent_denied');
    assert.equal(await reasonFor({ tcf: 'nonsense', ad_user_data: 1 }), 'consent_missing');

    const hash = await visit(service, account, 'fbclid', 'changed', { consent: granted });
    const later = { api_key: account.apiKey, url: 'https://shop.example/b', sessionHash: hash };
    await service.call('POST /v1/visits', { body: { ...later, consent: { ad_user_data: 'denied' } } });
    const id = await report(service, account, { hash, value: 3, currency: 'EUR' });
    assert.equal((await decidedDelivery(service, account, id)).reason, 'consent_denied');
    const sent = service.platforms.meta.calls.flatMap(({ body }) =>
      body.data.map((each: Delivery) => each.user_data.fbc),
    );
    assert.ok(!sent.some((fbc: string) => fbc?.endsWith('.changed')));
  });

  test('a conversion that is not sent has the reason', async () => {
    const account = await service.newAccount();
    await newDestination(service, account, 'meta', {
      mapping: [
        { event: 'order', target: 'Purchase' },
        { event: 'lead', target: 'Lead', value: 'fixed', amount: 25, currency: 'USD' },
        { event: 'free', target: 'Purchase', value: 'omit' },
      ],
      filter: { minimumValue: 5, sources: ['facebook'] },
    });
    const reasonFor = async (item: object) => (await convert(account, { event: 'order', ...item })).reason;
    assert.equal(await reasonFor({ event: 'signup' }), 'event_not_mapped');
    assert.equal(await reasonFor({ value: 4 }), 'value_below_minimum');
    assert.equal(await reasonFor({ currency: null }), 'currency_missing');
    assert.equal(await reasonFor({ event: 'free' }), 'value_missing');
    assert.equal(
      await reasonFor({ createdOn: new Date(service.clock.now - 86_400_000).toISOString() }),
      'before_start',
    );
    const lead = await convert(account, { event: 'lead', value: 100 });
    assert.deepEqual([lead.status, lead.value, lead.currency], ['sent', '25', 'USD']);
    const other = await convert(account, { event: 'order' }, {}, 'gclid');
    assert.equal(other.reason, 'source_filtered');
  });

  test('what had no rule, currency or value is sent once the mapping has them', async () => {
    const account = await service.newAccount();
    const rule = { event: 'order', target: 'Purchase' };
    const id = await newDestination(service, account, 'meta', { mapping: [rule] });
    const waiting = [
      await convert(account, { event: 'signup' }),
      await convert(account, { event: 'order', currency: null }),
    ];
    assert.deepEqual(
      waiting.map(({ reason }) => reason),
      ['event_not_mapped', 'currency_missing'],
    );
    const mapping = [
      { ...rule, currency: 'EUR' },
      { event: 'signup', target: 'CompleteRegistration', value: 'omit' },
    ];
    await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: { mapping } });
    for (const { conversionId } of waiting) {
      await until(async () => (await decidedDelivery(service, account, conversionId)).status === 'sent');
    }
  });

  test('what had no click ID, source or email is sent once its session has it', async () => {
    const account = await service.newAccount();
    const microsoft = await newDestination(service, account, 'microsoft');
    await newDestination(service, account, 'reddit', { filter: { sources: ['bing'] } });
    const [hash, start] = ['a'.repeat(22), service.clock.now];
    const visit = async (minutesBefore: number, path: string) => {
      const occurredAt = new Date(start - minutesBefore * 60_000).toISOString();
      const item = { url: `https://shop.example/${path}`, visitorId: 'v-late', sessionHash: hash, occurredAt };
      const body = { api_key: account.token, items: [{ visit: item }] };
      assert.equal((await service.call('POST /v1/batch', { body })).body.results[0].success, true);
    };
    await visit(1, 'cart');
    const id = await report(service, account, { hash, eventId: 'order-late', value: 10, currency: 'EUR' });
    const become = (ofMicrosoft: string, ofReddit: string) =>
      until(async () => {
        const { body } = await service.call(`GET /v1/conversions/${id}/deliveries`, { as: account });
        const of = (isMicrosoft: boolean): Delivery =>
          body.deliveries.find((each: Delivery) => (each.destinationId === microsoft) === isMicrosoft);
        return (
          [of(true), of(false)].map((each) => each?.reason ?? each?.status).join() === `${ofMicrosoft},${ofReddit}`
        );
      });
    await become('no_identifier', 'source_filtered');
    await visit(2, '?msclkid=late&utm_source=bing');
    await become('sent', 'no_identifier');
    const properties = { email: 'late@example.com', sessionHash: hash };
    await service.call('POST /v1/events', { body: { api_key: account.token, event: 'signup', properties } });
    await become('sent', 'sent');
    const { rows } = await service.db.query('select 1 from destination_queue where account_id = $1', [account.uuid]);
    assert.deepEqual(
      [rows, service.platforms.microsoft.ledger.filter((each) => each.id.startsWith('late ')).length],
      [[], 1],
    );
  });

  test('what is queued again while it is being decided is decided once more', async () => {
    const account = await service.newAccount();
    await newDestination(service, account, 'microsoft');
    await service.db.query(
      "update destinations set paused_at = now(), pause_reason = 'credentials' where account_id = $1",
      [account.uuid],
    );
    await visit(service, account, 'gclid', 'raced');
    await report(service, account, { gclid: 'raced', eventId: 'order-raced', value: 10, currency: 'EUR' });
    const queued = async () => {
      const { rows } = await service.db.query(
        `select q.destination_id, q.is_replay, c.session_number as number from destination_queue q
         join conversions c on c.account_id = q.account_id and c.id = q.conversion_id where q.account_id = $1`,
        [account.uuid],
      );
      return rows;
    };
    await until(async () => (await queued()).length === 1);
    const [{ destination_id, number }] = await queued();
    const key = { account_id: account.uuid, destination_id };
    const read = async () => {
      const now = new Date(service.clock.now + 60_000);
      const rows = await findDue(service.db, { ...key, now, limit: 1, with_client: false });
      return rows as [QueuedRow];
    };
    const skip = async ([row]: [QueuedRow]) => {
      const outcomes = [decidedRow(row, 'skipped', 'no_identifier', 'none', null, service.clock.now)];
      await recordOutcomes(service.db, { ...key, outcomes, request_id: null, now: new Date(service.clock.now) });
    };
    const rows = await read();
    const sessions = [{ account_id: account.uuid, number }];
    await requeueIdentified(service.db, { sessions, now: new Date(service.clock.now + 60_000) });
    await skip(rows);
    assert.deepEqual(await queued(), [{ destination_id, is_replay: true, number }]);
    await skip(await read());
    assert.deepEqual(await queued(), []);
  });

  test('Meta gets pages without their query, and limited data use as chosen', async () => {
    const account = await service.newAccount();
    const credentials = { ...CONNECTIONS.meta.credentials, limitedDataUse: 'denied' };
    await newDestination(service, account, 'meta', { credentials });
    const granted = { ad_storage: 'granted', ad_user_data: 'granted' };
    for (const ad_personalization of ['denied', 'granted']) {
      await convert(account, { eventId: `ldu-${ad_personalization}` }, { consent: { ...granted, ad_personalization } });
    }
    const events = service.platforms.meta.calls.flatMap(({ body }) => body.data ?? []);
    const sent = events.filter(({ event_id }: Delivery) => event_id.startsWith('ldu-'));
    assert.deepEqual(
      sent.map((each: Delivery) => [each.event_source_url, each.data_processing_options]),
      [
        ['https://shop.example/', ['LDU']],
        ['https://shop.example/', undefined],
      ],
    );
  });

  test('of a refused batch, the events at fault are rejected and the others are sent', async () => {
    for (const name of ['google', 'meta', 'linkedin', 'snapchat', 'pinterest'] as const) {
      const fake = service.platforms[name];
      const account = await service.newAccount();
      const { clickId } = CONNECTIONS[name];
      // They are sent together, an hour later.
      await newDestination(service, account, name, { sendAfter: 3600 });
      // Other tests move the clock, so they may be sent at any time.
      const bad = [`${name}-batch-2`, `${name}-batch-7`];
      for (const id of bad) fake.bad.add(id);
      const ids = new Map<string, string>();
      for (let i = 0; i < 9; i++) {
        const click = `${name}-batch-${i}`;
        await visit(service, account, clickId, click, { email: `ada${i}@shop.example` });
        const item = { [clickId]: click, eventId: click, value: i + 1, currency: 'EUR' };
        ids.set(click, await report(service, account, item));
      }
      for (const [click, id] of ids) {
        const delivery = await decidedDelivery(service, account, id);
        assert.equal(delivery.status, bad.includes(click) ? 'rejected' : 'sent', `${click}: ${delivery.reason}`);
        if (bad.includes(click)) assert.ok(delivery.response.length > 0);
      }
      const counted = fake.ledger.filter(({ id }) => id.startsWith(`${name}-batch-`)).map(({ id }) => id);
      assert.deepEqual(counted.sort(), [...ids.keys()].filter((click) => !bad.includes(click)).sort());
      assert.equal(new Set(counted).size, counted.length);
    }
  });

  test('changes before it is sent are sent once, and a conversion taken back is not sent', async () => {
    const account = await service.newAccount();
    await newDestination(service, account, 'tiktok', { sendAfter: 7200 });
    await visit(service, account, 'ttclid', 'settled');
    const item = { ttclid: 'settled', eventId: 'settled', currency: 'EUR' };
    const id = await report(service, account, { ...item, value: 10 });
    for (const value of [20, 30]) await report(service, account, { ...item, value });
    const taken = await report(service, account, { ...item, eventId: 'taken', value: 5 });
    await report(service, account, { ...item, eventId: 'taken', value: 0 });
    const sent = await decidedDelivery(service, account, id);
    assert.deepEqual([sent.status, sent.value, sent.version, sent.attempts.length], ['sent', '30', 3, 1]);
    assert.equal((await decidedDelivery(service, account, taken)).reason, 'value_zero');
    const counted = service.platforms.tiktok.ledger.filter(({ id }) => id === 'settled' || id === 'taken');
    assert.deepEqual(
      counted.map(({ value }) => value),
      [30],
    );
  });

  test('a test says so when the platform does not respond', async () => {
    const account = await service.newAccount();
    const receiver = await startReceiver();
    receiver.respond = () => {};
    const body = {
      platform: 'http',
      name: 'Silent',
      consent: 'ignore',
      mode: 'live',
      credentials: { url: receiver.url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      mapping: [{ event: '*', target: 'order' }],
    };
    const created = await service.call('POST /v1/destinations', { as: account, body });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const tested = await service.call(`POST /v1/destinations/${created.body.id}/test`, { as: account });
    assert.deepEqual([tested.status, tested.body.success, tested.body.status], [200, false, null]);
    assert.match(tested.body.detail, /refused the test: timeout/);
  });
});

test('an undone import is taken back where the platform can, and its conversions are not sent any more', async () => {
  const account = await service.newAccount();
  const clickIds = ['gclid', 'msclkid', 'fbclid'];
  for (const name of ['google', 'microsoft', 'meta'] as const) await newDestination(service, account, name);
  const landing = `https://shop.example/?${clickIds.map((name) => `${name}=undone`).join('&')}`;
  const headers = { 'user-agent': 'Mozilla/5.0 (Test)' };
  const { sessionHash } = (
    await service.call('POST /v1/visits', { body: { api_key: account.apiKey, url: landing }, headers })
  ).body;
  const post = async (path: string, body?: unknown) => {
    const response = await service.call(`POST /v1/${path}`, { as: account, ...(body !== undefined && { body }) });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const item = (eventId: string, value: number) => ({ sessionHash, eventId, value, currency: 'EUR' });
  const before = await post('analytics/report-conversion', item('undone-before', 10));
  const { id } = await post('conversions/imports', { name: 'orders.csv' });
  const items = [item('undone-before', 30), item('undone-new', 20)];
  const [restated, created] = await post(`conversions/imports/${id}/reports`, items);
  assert.equal(restated._id, before._id);
  const decided = async (conversionId: string, version: number) => {
    let deliveries: Delivery[] = [];
    await until(async () => {
      ({ deliveries } = (await service.call(`GET /v1/conversions/${conversionId}/deliveries`, { as: account })).body);
      return deliveries.length === 3 && deliveries.every((each) => !each.nextAttemptAt && each.version >= version);
    });
    return Object.fromEntries(deliveries.map((each) => [each.platform, [each.status, each.reason, each.value]]));
  };
  await decided(created._id, 1);
  await decided(before._id, 2);
  await post(`conversions/imports/${id}/undo`);
  assert.deepEqual(await decided(created._id, 2), {
    google: ['adjusted', null, '0'],
    microsoft: ['retracted', null, '20'],
    meta: ['not_adjustable', 'platform_cannot_adjust', '20'],
  });
  const { google, microsoft } = await decided(before._id, 3);
  assert.deepEqual([google?.[2], microsoft?.[2]], ['10', '10']);
  const { ledger } = service.platforms.google;
  const counted = ledger.filter((each) => each.id.startsWith('undone-')).map((each) => [each.id, each.value]);
  assert.deepEqual(Object.fromEntries(counted), { 'undone-before': 10, 'undone-new': 0 });

  // Not sent before the undo: neither it nor a replay of everything sends it.
  const late = await newDestination(service, account, 'tiktok', { consent: 'ignore', startAt: '2020-01-01T00:00:00Z' });
  await post(`destinations/${late}/replay`, { statuses: ['unqueued'], from: '2020-01-01T00:00:00Z' });
  await until(async () => {
    const { body } = await service.call(`GET /v1/destinations/${late}/deliveries`, { as: account });
    return body.deliveries.length === 1;
  });
  await post(`destinations/${late}/replay`, { conversionId: created._id });
  await until(async () => {
    const { body } = await service.call(`GET /v1/destinations/${late}/deliveries?status=skipped`, { as: account });
    return body.deliveries.some((each: Delivery) => each.reason === 'withdrawn');
  });
});

test('credentials that are refused pause the destination and notify; new ones resume it', async () => {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  const hook = { url: receiver.url, events: ['destination.failing'] };
  assert.equal((await service.call('POST /v1/webhooks', { as: account, body: hook })).status, 200);
  const credentials = { pixelId: '123456', accessToken: 'wrong-access-token' };
  const id = await newDestination(service, account, 'reddit', { credentials });
  await visit(service, account, 'rdt_cid', 'paused');
  const conversion = await report(service, account, { rdt_cid: 'paused', value: 1, currency: 'EUR' });
  const read = async () => (await service.call(`GET /v1/destinations/${id}`, { as: account })).body;
  await until(async () => (await read()).status === 'paused');
  assert.match((await read()).error, /Unauthorized/);
  assert.equal((await deliveryOf(service, account, conversion)).status, 'queued');
  await until(() => receiver.received.length > 0);
  const [{ text = '', body } = {}] = receiver.received;
  assert.deepEqual([body.type, body.data.id, body.data.status], ['destination.failing', id, 'paused']);
  assert.ok(!text.includes('wrong-access-token'));
  const { credentials: good } = CONNECTIONS.reddit;
  const change = { credentials: { accessToken: good.accessToken } };
  assert.equal(
    (await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: change })).body.status,
    'active',
  );
  assert.equal((await decidedDelivery(service, account, conversion)).status, 'sent');
});

test('a dry run shows the request with its secrets masked, and sends nothing; a test counts nothing', async () => {
  const account = await service.newAccount();
  const id = await newDestination(service, account, 'snapchat', { startAt: '2100-01-01T00:00:00Z' });
  const skipped = await convert(account, {}, { email: 'Ada@shop.example' }, 'sclid');
  assert.equal(skipped.reason, 'before_start');
  const run = (body: object) => service.call(`POST /v1/destinations/${id}/dry-run`, { as: account, body });
  assert.equal((await run({ conversionId: skipped.conversionId })).body.reason, 'before_start');
  await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: { startAt: '2020-01-01T00:00:00Z' } });
  const before = service.platforms.snapchat.calls.length;
  const { body } = await run({ conversionId: skipped.conversionId });
  assert.equal(body.action, 'send');
  assert.match(body.request.url, /\/v3\/ab-12\/events\?access_token=\*\*\*$/);
  const [event] = body.request.body.data;
  assert.match(event.user_data.em[0], /^[0-9a-f]{64}$/);
  assert.equal(service.platforms.snapchat.calls.length, before);
  const counted = service.platforms.snapchat.ledger.length;
  const tested = await service.call(`POST /v1/destinations/${id}/test`, { as: account });
  assert.deepEqual([tested.status, tested.body.success], [200, true], JSON.stringify(tested.body));
  assert.equal(service.platforms.snapchat.ledger.length, counted);
  const replay = await service.call(`POST /v1/destinations/${id}/replay`, {
    as: account,
    body: { statuses: ['skipped'] },
  });
  assert.equal(replay.status, 200, JSON.stringify(replay.body));
  await until(async () => (await deliveryOf(service, account, skipped.conversionId)).status === 'sent');
});

test('mode validate counts nothing; replayed as live, the conversion is counted', async () => {
  const account = await service.newAccount();
  const id = await newDestination(service, account, 'pinterest', { mode: 'validate' });
  const validated = await convert(account, {}, { email: 'ada@shop.example' }, 'epik');
  assert.deepEqual([validated.status, validated.reason], ['skipped', 'validated']);
  const key = { id: `order-${orders}` };
  assert.ok(!service.platforms.pinterest.ledger.some((each) => each.id === key.id));
  await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: { mode: 'live' } });
  const replay = { conversionId: validated.conversionId };
  await service.call(`POST /v1/destinations/${id}/replay`, { as: account, body: replay });
  await until(async () => (await deliveryOf(service, account, validated.conversionId)).status === 'sent');
  assert.equal(service.platforms.pinterest.ledger.filter((each) => each.id === key.id).length, 1);
});

test('erasing a lead reaches what is stored, and nothing of it is sent any more', async () => {
  const account = await service.newAccount();
  await newDestination(service, account, 'microsoft');
  const click = `click-${orders + 1}`;
  service.platforms.microsoft.bad.add(click);
  const rejected = await convert(account, {}, { email: 'erased@shop.example' }, 'msclkid');
  assert.equal(rejected.status, 'rejected');
  assert.ok(!rejected.response.includes(click), 'click ids are masked');
  const stored = async () => {
    const tables = ['session_signals', 'destination_deliveries', 'destination_queue', 'destination_requests'];
    const found = await Promise.all(
      tables.map((table) => service.db.query(`select t::text from ${table} t where account_id = $1`, [account.uuid])),
    );
    return found.flatMap(({ rows }) => rows.map(({ t }) => t)).join('\n');
  };
  assert.ok(!(await stored()).includes('Mozilla'), 'user agents are encrypted');
  await service.call('POST /v1/leads/erase', { as: account, body: { email: 'erased@shop.example' } });
  await until(async () => (await deliveryOf(service, account, rejected.conversionId)).response === null);
  await until(async () => {
    const { rows } = await service.db.query('select 1 from session_signals where account_id = $1', [account.uuid]);
    return rows.length === 0;
  });
  await report(service, account, { msclkid: click, eventId: rejected.eventId, value: 99, currency: 'EUR' }).catch(
    () => {},
  );
  assert.ok(!service.platforms.microsoft.ledger.some(({ id }) => id.startsWith(`${click} `)));
});

test('the age of a conversion counts from when it occurred, for Google from its click', () => {
  const DAY = 86_400_000;
  const now = Date.now();
  const destination = {
    mapping: [{ event: '*', target: '1', value: 'send', amount: null, currency: null }],
    filter: { events: null, sources: null, minimumValue: null },
    ...{ consent: 'ignore', start_at: new Date(0), send_after: 0 },
  } as unknown as DestinationRow;
  const fate = (id: PlatformId, clickedDaysAgo: number, occurredDaysAgo: number) => {
    const row: QueuedRow = {
      ...{
        conversion_id: '01a204ab-ba02-764d-864d-adf693f5053b',
        queued_version: 1,
        due_at: null,
        is_replay: false,
        tries: 0,
      },
      ...{ intent: null, status: null, sent: null, decided_version: null, version: 1, event: 'order', event_id: 'o-1' },
      ...{
        value: '10',
        currency: 'EUR',
        created_on: new Date(now - occurredDaysAgo * DAY),
        received_at: new Date(now),
      },
      ...{ click_ids: { gclid: 'g', fbclid: 'f', msclkid: 'm' }, landing_url: null, source: null },
      country: null,
      ...{ started_at: new Date(now - clickedDaysAgo * DAY), is_erased: false, is_withdrawn: false, email: null },
      ...{
        ad_storage: null,
        ad_user_data: null,
        ad_personalization: null,
        client: null,
        batch_group: null,
        is_trusted: true,
      },
    };
    const decision = plan(row, destination, platformOf(id), null, now);
    return decision.type === 'decided' ? decision.reason : decision.type;
  };
  assert.equal(fate('meta', 30, 6), 'send');
  assert.equal(fate('meta', 30, 7), 'too_old');
  assert.equal(fate('microsoft', 91, 89), 'send');
  assert.equal(fate('google', 89, 1), 'send');
  assert.equal(fate('google', 91, 1), 'too_old');
});

test('requests to a platform stay within its limits of a minute and of a day', () => {
  let now = 0;
  const rate = new RequestRate({ requestsPerMinute: 600, requestsPerDay: 480 }, () => now);
  const taken = () => Array.from({ length: 100 }, () => rate.take()).filter(Boolean).length;
  assert.equal(taken(), 10, 'a second of the limit of a minute');
  now += 1_000;
  assert.equal(taken(), 10, 'an hour of the limit of a day');
  now += 1_000;
  assert.equal(taken(), 0);
  now += 180_000;
  assert.equal(taken(), 1, 'a request each three minutes');
});
