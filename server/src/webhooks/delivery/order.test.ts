/** Endpoints that receive the changes of each resource in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { newUuid } from '../../shared/ids.ts';
import { subscribe, takeOutbox, writeOutbox } from '../../shared/outbox.ts';
import { deliveringService, newWebhook, type Received, startReceiver } from '../test-support.ts';

const service = await deliveringService();

/** Entries of a new collection, each with one change for each of the texts. */
async function changeEntries(account: Account, entries: number, texts: readonly string[]): Promise<string[]> {
  const call = async (route: string, body: unknown) => {
    const answer = await service.call(route, { as: account, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const { id } = await call('POST /v1/cms/collections', {
    name: 'A',
    fields: [{ id: 'title', label: 'Title', type: 'text' }],
  });
  const path = `/v1/cms/collections/${id}/entries`;
  const ids = await Promise.all(
    Array.from({ length: entries }, async () => (await call(`POST ${path}`, { values: {} })).id),
  );
  for (const title of texts) await Promise.all(ids.map((each) => call(`PATCH ${path}/${each}`, { values: { title } })));
  return ids;
}

const EVENTS = { events: ['entry.updated'], ordering: 'resource' };
const titleOf = ({ body }: Received) => `${body.data.values.title}`;

// biome-ignore lint/suspicious/noExplicitAny: as the API returns it
const deliveriesOf = async (account: Account, id: string): Promise<any[]> =>
  (await service.call(`GET /v1/webhooks/${id}/deliveries?pageSize=100`, { as: account })).body.deliveries;

/** Advances the clock to the next retry. */
async function toRetry(account: Account, id: string): Promise<void> {
  const times = (await deliveriesOf(account, id)).flatMap(({ nextAttemptAt, attempts }) =>
    nextAttemptAt === null || attempts.length === 0 ? [] : [Date.parse(nextAttemptAt)],
  );
  service.clock.now = Math.max(service.clock.now, ...times);
}

test('each resource arrives in order, also behind failures, which do not delay other resources', async () => {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  const texts = Array.from({ length: 8 }, (_, i) => `${i}`);
  const failing = new Set<string>();
  /** What was accepted of each entry. */
  const accepted = new Map<string, number[]>();
  receiver.respond = (response, { body }) => {
    const { id, sequence, values } = body.data;
    // Of the first three that get here.
    const isFirst = !failing.has(id) && values.title === '3' && failing.size < 3;
    if (isFirst) failing.add(id);
    else accepted.set(id, [...(accepted.get(id) ?? []), sequence]);
    response.writeHead(isFirst ? 500 : 200).end();
  };
  const webhook = await newWebhook(service, account, receiver.url, EVENTS);
  const ids = await changeEntries(account, 6, texts);
  const complete = () => ids.filter((id) => accepted.get(id)?.length === texts.length);
  await until(() => complete().length === 3 && failing.size === 3);
  for (const id of failing) assert.deepEqual(accepted.get(id)?.length, 3, 'nothing overtakes the failed one');
  await until(async () => {
    await toRetry(account, webhook.id);
    return complete().length === ids.length;
  });
  for (const sequences of accepted.values()) {
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    );
  }
});

test('a delivery that fails for good lets the next one of its resource through, and a replay is in order', async () => {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  receiver.respond = (response, received) => response.writeHead(titleOf(received) === 'bad' ? 500 : 200).end();
  const webhook = await newWebhook(service, account, receiver.url, EVENTS);
  await changeEntries(account, 1, ['bad', 'b', 'c']);
  await until(async () => {
    await toRetry(account, webhook.id);
    return receiver.received.length === 12;
  });
  assert.deepEqual(receiver.received.map(titleOf), [...Array(10).fill('bad'), 'b', 'c']);
  const statusesOf = async () => (await deliveriesOf(account, webhook.id)).map(({ status }) => status);
  await until(async () => !(await statusesOf()).includes('pending'));
  assert.deepEqual(await statusesOf(), ['delivered', 'delivered', 'failed']);
  receiver.respond = (response) => response.end();
  const body = { status: 'delivered', from: '2020-01-01T00:00:00Z' };
  await service.call(`POST /v1/webhooks/${webhook.id}/replay`, { as: account, body });
  await until(() => receiver.received.length === 14);
  assert.deepEqual(receiver.received.slice(12).map(titleOf), ['b', 'c']);
});

test('without an order any more, what waited is sent at once', async () => {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  receiver.respond = (response, received) => response.writeHead(titleOf(received) === 'bad' ? 500 : 200).end();
  const webhook = await newWebhook(service, account, receiver.url, EVENTS);
  await changeEntries(account, 1, ['bad', 'b', 'c']);
  await until(async () => (await deliveriesOf(account, webhook.id)).length === 3);
  await until(() => receiver.received.length === 1);
  const [last] = await deliveriesOf(account, webhook.id);
  assert.deepEqual([last.status, last.nextAttemptAt], ['pending', null]);
  const { status } = await service.call(`PATCH /v1/webhooks/${webhook.id}`, {
    as: account,
    body: { ordering: 'none' },
  });
  assert.equal(status, 200);
  await until(() => receiver.received.length === 3);
  assert.deepEqual(receiver.received.map(titleOf).sort(), ['b', 'bad', 'c']);
});

test('one process at a time takes the changes of an account with an order, and others take those of other accounts', async () => {
  const db = await testDatabase();
  const [ordered, other] = [newUuid(), newUuid()];
  for (const account of [ordered, other]) {
    await subscribe(db, account, newUuid(), ['entry.updated'], account === ordered);
    for (const sequence of [1, 2])
      await writeOutbox(db, account, 'entry.updated', [{ resourceId: account, sequence }], 0);
  }
  const all = { after: '00000000-0000-0000-0000-000000000000', accounts: 8, bytes: 1_000_000 };
  const accounts = (rows: readonly { account_id: string }[]) => rows.map(({ account_id }) => account_id).sort();
  await db.transaction(async (first) => {
    assert.deepEqual(accounts(await takeOutbox(first, { ...all, changes: 1 })), [ordered, other].sort());
    const second = await db.transaction((tx) => takeOutbox(tx, { ...all, changes: 10 }));
    assert.deepEqual(accounts(second), [other]);
  });
  assert.deepEqual(accounts(await takeOutbox(db, { ...all, changes: 10 })), [ordered]);
});
