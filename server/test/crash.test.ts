/**
 * kill -9 of the service, its database, or both under load: everything acknowledged exists afterwards, once.
 * `ROUNDS=20 npm test -- server/test/crash` runs more rounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { parseId } from '../src/shared/ids.ts';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';
import { commandJson, newDataDir, postgresPid, type ServiceProcess, startService } from './service-process.ts';
import { until } from './until.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CLIENTS = 12;
/** Responses before the kill of a round. */
const ACKNOWLEDGED_FIRST = 150;
const VICTIMS = ['service', 'database', 'both'] as const;

const dataDir = newDataDir();

/** What each client got acknowledged, and the last request of its order, whose outcome is unknown. */
const events = new Set<string>();
const entries = new Set<string>();
const orders = new Map<string, { acknowledged: number; since: number[] }>();

test('kill -9 loses and duplicates nothing that was acknowledged', {
  timeout: 60_000 * (1 + ROUNDS),
}, async (context) => {
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Crash'], { DATA_DIR: dataDir });
  const made = await during(undefined, async (service) => {
    const body = { name: 'Posts', fields: [{ id: 'title', label: 'Title', type: 'text' }] };
    const collection = await post(service, '/v1/cms/collections', body, token);
    const visit = await post(
      service,
      '/v1/visits',
      { api_key: apiKey, url: 'https://shop.example/?gclid=crash' },
      token,
    );
    assert.deepEqual([collection.status, visit.status], [200, 200]);
    return collection.body.id as string;
  });

  for (let round = 0; round < ROUNDS; round++) {
    const victims = VICTIMS[round % VICTIMS.length] ?? 'both';
    await during(victims, async (service, isDead) => {
      let answered = 0;
      let failed = 0;
      let isOver = false;
      const act = async (client: number, n: number) => {
        const name = `${round}-${client}-${n}`;
        const order = `order-${client}`;
        if (n % 3 === 0) {
          const properties = { email: `${client}@shop.example`, value: 1 };
          const { status, body } = await post(
            service,
            '/v1/events',
            { api_key: apiKey, event: 'x', id: name, properties },
            token,
          );
          if (status === 200) events.add(body.event_id);
          return status;
        }
        if (n % 3 === 1) {
          const path = `/v1/cms/collections/${made}/entries`;
          const { status, body } = await post(service, path, { values: { title: name } }, token);
          if (status === 200) entries.add(body.id);
          return status;
        }
        const value = round * 1_000_000 + n;
        const known = orders.get(order) ?? { acknowledged: 0, since: [] };
        orders.set(order, { ...known, since: [...known.since, value] });
        const report = { gclid: 'crash', eventId: order, value, currency: 'EUR' };
        const { status, body } = await post(service, '/v1/analytics/report-conversion', report, token);
        if (status === 200) {
          assert.equal(body.status, 'reported');
          orders.set(order, { acknowledged: value, since: [] });
        }
        return status;
      };
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 1; !isOver; n++) {
          try {
            const status = await act(client, n);
            assert.ok([200, 429, 500].includes(status), `status ${status}`);
            if (status === 200) answered++;
            else failed++;
          } catch (error) {
            // Aborted with the service; as long as it runs, every request gets a response.
            if (!isDead()) throw error;
            return;
          }
        }
      });
      const all = Promise.all(clients);
      await Promise.race([all, until(() => answered >= ACKNOWLEDGED_FIRST, 60_000)]);
      kill(victims, service);
      if (victims === 'database') {
        const before = answered;
        await Promise.race([all, until(() => answered >= before + ACKNOWLEDGED_FIRST, 60_000)]);
        isOver = true;
      }
      await all;
      context.diagnostic(`round ${round}, ${victims}: ${answered} acknowledged, ${failed} refused`);
    });
  }
  await during(undefined, check);
});

/** Starts a service, runs `work` on it, and stops it unless it was killed. */
async function during<T>(
  victims: (typeof VICTIMS)[number] | undefined,
  work: (service: ServiceProcess, isDead: () => boolean) => Promise<T>,
): Promise<T> {
  const service = await startService({ DATA_DIR: dataDir });
  let isDead = false;
  const kill = service.kill;
  service.kill = (signal) => {
    isDead = true;
    kill(signal);
  };
  const result = await work(service, () => isDead);
  if (!isDead) {
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  } else {
    assert.notEqual(victims, undefined);
    await service.ended;
  }
  return result;
}

function kill(victims: (typeof VICTIMS)[number], service: ServiceProcess): void {
  if (victims !== 'service') process.kill(postgresPid(dataDir), 'SIGKILL');
  if (victims !== 'database') service.kill('SIGKILL');
}

async function check(): Promise<void> {
  const client = new pg.Client(embeddedConnection(dataDir));
  await client.connect();
  const column = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat() as string[];

  const storedEvents = new Set(await column('select id from events'));
  const lostEvents = [...events].filter((id) => !storedEvents.has(parseId('evt', id) ?? ''));
  const storedEntries = new Set(await column('select id from entries'));
  const lostEntries = [...entries].filter((id) => !storedEntries.has(parseId('ent', id) ?? ''));
  assert.deepEqual([lostEvents, lostEntries], [[], []]);
  assert.ok(events.size > 0 && entries.size > 0 && orders.size === CLIENTS);

  const doubled = 'select client_event_id from events group by 1 having count(*) > 1';
  assert.deepEqual(await column(doubled), []);
  const { rows } = await client.query("select event_id, value::float8 from conversions where event_id like 'order-%'");
  assert.equal(rows.length, CLIENTS, 'one conversion for each order');
  for (const { event_id, value } of rows) {
    const { acknowledged = 0, since = [] } = orders.get(event_id) ?? {};
    const possible = [acknowledged, ...since];
    assert.ok(possible.includes(value), `${event_id} is ${value}, of ${possible}`);
  }
  await client.end();
}

async function post(service: ServiceProcess, path: string, body: unknown, token: string) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
  return { status: response.status, body: (await response.json()) as any };
}
