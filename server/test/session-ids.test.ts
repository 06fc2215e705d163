/** The ids of sessions: not guessable, the same everywhere, and valid in their own account only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseNdjson, runExport } from '../src/exports/test-support.ts';
import { sessionIds } from '../src/shared/session-ids.ts';
import { deliveringService, newWebhook, startReceiver } from '../src/webhooks/test-support.ts';
import type { Account, Answer } from './harness.ts';
import { until } from './until.ts';

const service = await deliveringService();
const { call } = service;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

async function ok(request: string, as: Account, body?: unknown): Promise<Answer['body']> {
  const answer = await call(request, { as, body });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function visit({ apiKey }: Account, url = 'https://shop.example/') {
  const { body } = await call('POST /v1/visits', { body: { api_key: apiKey, url }, headers: BROWSER });
  return body as { sessionId: number; sessionHash: string };
}

const event = ({ apiKey }: Account, properties: object) =>
  call('POST /v1/events', { body: { api_key: apiKey, event: 'signup', properties } });

test('each number has one id, a safe integer, that only the same secret converts back', () => {
  const [one, other] = [sessionIds(Buffer.alloc(32, 1)), sessionIds(Buffer.alloc(32, 2))];
  const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(safe, (number) => {
      const id = one.idOf(number);
      assert.ok(Number.isSafeInteger(id) && id >= 0);
      assert.equal(one.numberOf(id), number);
      assert.equal(one.idOf(one.numberOf(number)), number);
      assert.notEqual(other.numberOf(id), number);
    }),
    { examples: [[0], [1], [2 ** 27 - 1], [2 ** 27], [2 ** 31], [2 ** 32], [Number.MAX_SAFE_INTEGER]] },
  );
  // An id that was given out must resolve forever.
  assert.deepEqual([1, 2, 2 ** 40].map(one.idOf), [72107644058364, 4450817344114326, 3605686916451863]);
});

test('each bit of an id depends on each bit of the number and changes for half of the numbers', () => {
  const { idOf } = sessionIds(Buffer.alloc(32, 3));
  const bit = (id: number, i: number) => Math.floor(id / 2 ** i) % 2;
  const SAMPLES = 1_000;
  for (let input = 0; input < 53; input++) {
    const flips = new Array(53).fill(0);
    for (let n = 0; n < SAMPLES; n++) {
      const number = n * 7919;
      const flipped = bit(number, input) === 1 ? number - 2 ** input : number + 2 ** input;
      const [a, b] = [idOf(number), idOf(flipped)];
      for (let i = 0; i < 53; i++) flips[i] += Math.abs(bit(a, i) - bit(b, i));
    }
    // 6.3 standard deviations from a half; the samples are always the same.
    for (const [i, count] of flips.entries()) assert.ok(Math.abs(count - 500) < 100, `bit ${input} to ${i}: ${count}`);
  }
});

test("an account's consecutive visits have ids without order or regular distance, shared with no other account", async () => {
  const accounts = [await service.newAccount(), await service.newAccount()] as const;
  const ids: number[] = [];
  for (let i = 0; i < 40; i++) ids.push((await visit(accounts[i < 20 ? 0 : 1])).sessionId);
  assert.equal(new Set(ids).size, ids.length);
  const steps = ids.slice(1).map((id, i) => id - (ids[i] as number));
  assert.equal(new Set(steps).size, steps.length);
  assert.ok(steps.some((step) => step < 0) && steps.some((step) => step > 0));
  assert.ok(steps.every((step) => Math.abs(step) > 1_000_000));
});

test('every place shows the same id, and none the number', async () => {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  await newWebhook(service, account, receiver.url);
  const { sessionId, sessionHash } = await visit(account, 'https://shop.example/?gclid=shown');
  // Numbers with few digits could occur by chance.
  const number = service.sessionIds.numberOf(sessionId);
  await event(account, { sessionHash, email: 'jane@shop.example', value: 5 });
  const item = { sessionHash, eventId: 'order-1', value: 9 };
  const dryRun = await ok('POST /v1/analytics/report-conversion/dry-run', account, item);
  const { _id } = await ok('POST /v1/analytics/report-conversion', account, item);
  const [lead] = (await ok('GET /v1/leads', account)).leads;
  await visit(account);
  const [listed, batch, leadRead, conversion, conversions, live, ofSession, ofLead] = await Promise.all([
    ok('GET /v1/sessions', account),
    ok('POST /v1/batch', account, {
      api_key: account.token,
      items: [{ visit: { url: 'https://shop.example/', sessionHash } }],
    }),
    ok(`GET /v1/leads/${lead.id}`, account),
    ok(`GET /v1/conversions/${_id}`, account),
    ok('GET /v1/conversions', account),
    ok('GET /v1/analytics/live', account),
    ok(`GET /v1/analytics/timeline?sessionId=${sessionId}`, account),
    ok(`GET /v1/analytics/timeline?leadId=${lead.id}`, account),
  ]);
  const shown: Record<string, unknown> = {
    dryRun: dryRun.sessionId,
    batch: batch.results[0].sessionId,
    listed: listed.sessions.find(({ hash }: { hash: string }) => hash === sessionHash)?.id,
    read: (await ok(`GET /v1/sessions/${sessionId}`, account)).id,
    leadFirst: lead.firstSessionId,
    leadLatest: lead.latestSessionId,
    leadRead: leadRead.firstSessionId,
    conversion: conversion.sessionId,
    timelineSession: ofSession.session.id,
    timelineLead: ofLead.lead.latestSessionId,
    timelineItemSession: ofLead.items[0].session.id,
  };
  const lists = { conversions: conversions.conversions, ofSession: ofSession.items, ofLead: ofLead.items };
  for (const [list, items] of Object.entries(lists)) {
    assert.ok(items.length >= 2, list);
    items.forEach((each: { sessionId: number }, i: number) => {
      shown[`${list} ${i}`] = each.sessionId;
    });
  }
  const { id: liveId } = live.latest.find(({ type }: { type: string }) => type === 'event');
  shown.live = live.latest.find(({ id }: { id: string }) => id === liveId).sessionId;
  // datasets.test.ts covers every format.
  const datasets = ['sessions', 'visits', 'events', 'conversions', 'leads'] as const;
  const exported = datasets.map(async (dataset) => {
    const fields = dataset === 'leads' ? ['firstSessionId', 'latestSessionId'] : ['sessionId', 'sessionHash'];
    const { file } = await runExport(service, account, { dataset, format: 'ndjson', fields });
    const rows = parseNdjson(file).filter((row) => dataset === 'leads' || row.sessionHash === sessionHash);
    assert.ok(rows.length > 0, dataset);
    for (const field of fields) if (field !== 'sessionHash') shown[`${dataset}.${field}`] = rows[0]?.[field];
  });
  await Promise.all(exported);
  const topics = ['event.recorded', 'lead.created', 'conversion.reported'];
  await until(async () => topics.every((topic) => receiver.received.some(({ body }) => body.type === topic)));
  for (const { body } of receiver.received) {
    for (const member of ['session', 'firstSession', 'latestSession']) {
      if (body.data[member]) shown[`${body.type} ${member}`] = body.data[member].id;
    }
  }
  for (const topic of ['event.recorded session', 'lead.created firstSession', 'conversion.reported session']) {
    assert.ok(topic in shown, topic);
  }
  for (const [place, id] of Object.entries(shown)) assert.equal(id, sessionId, place);

  const { nextPageToken } = await ok('GET /v1/sessions?pageSize=1', account);
  const [, position] = JSON.parse(Buffer.from(nextPageToken, 'base64url').subarray(16).toString());
  assert.notEqual(position, number + 1);
  assert.ok(listed.sessions.some(({ id }: { id: number }) => id === position));
});

test('every place that takes an id finds its session, and nothing with the id of another account', async () => {
  const [mine, other] = [await service.newAccount(), await service.newAccount()];
  const { sessionId } = await visit(mine);
  const foreign = (await visit(other)).sessionId;
  const number = service.sessionIds.numberOf(sessionId);
  const statusOf = (results: { status: string }) => results.status;

  for (const [id, isFound] of [
    [sessionId, true],
    [foreign, false],
    [number, false],
    [sessionId + 1, false],
    [Number.MAX_SAFE_INTEGER, false],
  ] as const) {
    const status = isFound ? 200 : 404;
    assert.equal((await call(`GET /v1/sessions/${id}`, { as: mine })).status, status, `read ${id}`);
    assert.equal((await call(`GET /v1/analytics/timeline?sessionId=${id}`, { as: mine })).status, status);
    const searched = (await ok(`GET /v1/sessions?q=${id}`, mine)).sessions;
    assert.deepEqual(
      searched.map((session: { id: number }) => session.id),
      isFound ? [id] : [],
    );
    for (const sent of [id, String(id)]) {
      const items = [{ sessionId: sent, value: 1 }];
      const expected = isFound ? 'reported' : 'unmatched';
      const path = '/v1/analytics/report-conversion';
      const [dry] = await ok(`POST ${path}/dry-run`, mine, items);
      assert.deepEqual([dry.status, dry.sessionId], [expected, isFound ? id : null]);
      assert.deepEqual((await ok(`POST ${path}`, mine, items)).map(statusOf), [expected]);
      assert.equal(statusOf(await ok(`GET ${path}?sessionId=${sent}&value=2`, mine)), expected);
      await event(mine, { sessionId: sent, email: `lead-${id}@shop.example` });
    }
    const conversions = await ok(`GET /v1/conversions?sessionId=${id}`, mine);
    assert.equal(conversions.conversions.length, isFound ? 4 : 0);
    assert.equal((await ok(`GET /v1/conversions?q=${id}`, mine)).conversions.length, isFound ? 4 : 0);
    const unmatched = (await ok(`GET /v1/conversions/unmatched?q=${id}`, mine)).conversions;
    // The repeated report is the same unmatched report, as a number or as digits.
    assert.equal(unmatched.length, isFound ? 0 : 2);
    for (const { identifier } of unmatched) assert.equal(String(identifier.sessionId), String(id));
  }
  const { items } = await ok(`GET /v1/analytics/timeline?sessionId=${sessionId}`, mine);
  assert.equal(items.filter(({ type }: { type: string }) => type === 'event').length, 2);
  const { leads } = await ok('GET /v1/leads', mine);
  for (const { email, latestSessionId } of leads) {
    assert.equal(latestSessionId, email === `lead-${sessionId}@shop.example` ? sessionId : null, email);
  }
  assert.equal(leads.length, 5);
});

test('what is no id is refused where an id is a filter, and finds nothing elsewhere', async () => {
  const account = await service.newAccount();
  await visit(account);
  for (const text of ['9007199254740992', '-1', '1e3', '007', 'x', '1.5', '99999999999999999999']) {
    assert.equal((await call(`GET /v1/sessions/${text}`, { as: account })).status, 404, text);
    assert.deepEqual((await ok(`GET /v1/sessions?q=${text}`, account)).sessions, [], text);
  }
  for (const text of ['9007199254740992', '-1', 'x', '1.5']) {
    for (const path of ['/v1/conversions', '/v1/analytics/timeline']) {
      assert.equal((await call(`GET ${path}?sessionId=${text}`, { as: account })).status, 400, `${path} ${text}`);
    }
  }
});
