import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Answer } from './harness.ts';
import { testService } from './harness.ts';
import { until } from './until.ts';

const service = await testService();
const account = await service.newAccount();
const { db } = service;

const ok = async (request: string, body?: unknown) => {
  const answer = await service.call(request, { as: account, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const { id } = await ok('POST /v1/cms/collections', {
  name: 'Pages',
  fields: [{ id: 'title', label: 'Title', type: 'text' }],
});
const entries = `/v1/cms/collections/${id}/entries`;
const kept = await ok(`POST ${entries}`, { values: { title: 'before' } });
const event = (name: string, key?: string): Promise<Answer> =>
  service.call('POST /v1/events', {
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: { api_key: account.apiKey, event: name },
  });
const visit = (path: string) =>
  service.call('POST /v1/visits', {
    body: { api_key: account.apiKey, url: `https://shop.example/${path}?gclid=${path}` },
  });
assert.equal((await visit('before')).status, 200);
assert.equal((await event('before')).status, 200);
const batch = (name: string) =>
  service.call('POST /v1/batch', {
    body: {
      api_key: account.apiKey,
      items: [{ visit: { url: `https://shop.example/${name}` } }, { event: { event: name } }],
    },
  });
const entry = (title: string) => service.call(`POST ${entries}`, { as: account, body: { values: { title } } });
const change = (title: string) =>
  service.call(`PATCH ${entries}/${kept.id}`, { as: account, body: { values: { title } } });
const list = () => service.call(`GET ${entries}`, { as: account });
const conversion = (eventId: string) =>
  service.call('POST /v1/analytics/report-conversion', {
    as: account,
    body: { gclid: 'before', eventId, value: 1, currency: 'EUR' },
  });

/** Lets the commits of rows named `committing` wait until the gate is open. */
async function closeGate(): Promise<void> {
  await db.query(`create table gate (id int);
    insert into gate values (1);
    create function wait_for_gate() returns trigger language plpgsql as
      $$ begin while exists (select from gate) loop perform pg_sleep(0.02); end loop; return null; end $$;
    create constraint trigger at_commit after insert on events deferrable initially deferred
      for each row when (new.event = 'committing') execute function wait_for_gate();
    create constraint trigger at_commit after insert on conversions deferrable initially deferred
      for each row when (new.event_id = 'committing') execute function wait_for_gate()`);
}

const committing = async () =>
  (await db.query("select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'")).rows
    .length;

async function takeAllConnections(): Promise<() => void> {
  const taken = db.pools.flatMap((pool) => {
    const inUse = pool.totalCount - pool.idleCount;
    return Array.from({ length: pool.options.max - inUse }, () => pool.connect());
  });
  const clients = await Promise.all(taken);
  return () => {
    for (const client of clients.splice(0)) client.release();
  };
}

test('what waits until its time is over is refused and has no effect; what is being committed may have one', async () => {
  await closeGate();
  // What visitors do, and conversions, are not canceled at the end of their request, so they keep their connections.
  const unknown = [event('committing'), conversion('committing')];
  await until(async () => (await committing()) === 2);
  const release = await takeAllConnections();
  after(release);
  const names = ['event', 'event with a key', 'visit', 'batch', 'entry', 'change', 'list', 'conversion'];
  const waiting = [
    event('waiting'),
    event('waiting', 'a key'),
    visit('waiting'),
    batch('waiting'),
    entry('waiting'),
    change('waiting'),
    list(),
    conversion('waiting'),
  ];
  const answers = await Promise.all(waiting);
  const outcome = ({ status, headers, body }: Answer) => `${status} ${body.code} ${headers['retry-after']}`;
  assert.deepEqual(
    answers.map((answer, i) => `${names[i]}: ${outcome(answer)}`),
    names.map((name) => `${name}: 429 overloaded 1`),
  );
  for (const answer of await Promise.all(unknown)) assert.equal(outcome(answer), '500 timed_out 1');

  release();
  await db.query('delete from gate');
  for (const each of [event, visit, batch, entry, conversion]) assert.equal((await each('after')).status, 200);
  await until(() => db.connections.waiting === 0 && db.connections.idle === db.connections.open);
  const count = async (text: string) => (await db.query(`select count(*)::int as n from ${text}`)).rows[0].n;
  assert.deepEqual(
    {
      events: await count("events where event = 'waiting'"),
      visits: await count("visits where url like '%waiting%'"),
      sessions: await count("sessions where landing_url like '%waiting%'"),
      entries: await count("entries where values::text like '%waiting%'"),
      conversions: await count("conversions where event_id = 'waiting'"),
      keys: await count("idempotency_keys where key like '%a key'"),
      committing: await count("events where event = 'committing'"),
      converting: await count("conversions where event_id = 'committing'"),
      later: await count("events where event = 'after'"),
    },
    { events: 0, visits: 0, sessions: 0, entries: 0, conversions: 0, keys: 0, committing: 1, converting: 1, later: 2 },
  );
});

test('a read of few entries that takes long is refused, as the machine is slow', async () => {
  const { rows: columns } = await db.query<{ name: string }>(
    "select quote_ident(attname) as name from pg_attribute where attrelid = 'entries'::regclass and attnum > 0 and not attisdropped",
  );
  const read = columns.map(({ name }) => (name === '"values"' ? 'slowly("values") as "values"' : name));
  await db.query(`create function slowly(it json) returns json language plpgsql stable as
      $$ begin perform pg_sleep(12); return it; end $$;
    alter table entries rename to stored_entries;
    create view entries as select ${read} from stored_entries`);
  const { status, body, headers } = await list();
  assert.deepEqual([status, body.code, headers['retry-after']], [429, 'overloaded', '1']);
});
