/**
 * kill -9 while payloads are created and sent: everything acknowledged is delivered with one id.
 * Two services on one database: everything is delivered once. `ROUNDS=20 npm test -- server/test/webhook-crash` runs more rounds.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { startReceiver } from '../src/webhooks/test-support.ts';
import { commandJson, newDataDir, type ServiceProcess, startService } from './service-process.ts';
import { until } from './until.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ALLOWED = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };

async function post(service: ServiceProcess, path: string, body: unknown, token = '') {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'x-api-key': `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
  return { status: response.status, body: (await response.json()) as any };
}

test('every acknowledged event is delivered at least once, with one id, when the service is killed repeatedly', {
  timeout: 120_000 + 60_000 * ROUNDS,
}, async (context) => {
  const env = { DATA_DIR: newDataDir(), ...ALLOWED };
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Crash'], env);
  const receiver = await startReceiver();
  // Slow enough that a kill interrupts attempts.
  receiver.respond = (response) => void setTimeout(() => response.end(), 20);
  const acknowledged = new Set<string>();
  for (let round = 0; round <= ROUNDS; round++) {
    const service = await startService(env);
    if (round === 0) {
      const made = await post(service, '/v1/webhooks', { url: receiver.url, events: ['event.recorded'] }, token);
      assert.equal(made.status, 200, JSON.stringify(made.body));
    }
    const isLast = round === ROUNDS;
    const before = acknowledged.size;
    let isDead = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isDead) {
        try {
          const { status, body } = await post(service, '/v1/events', { api_key: apiKey, event: 'x' });
          if (status === 200) acknowledged.add(body.event_id);
        } catch (error) {
          if (!isDead) throw error;
        }
        if (isLast) return;
      }
    });
    if (!isLast) {
      const wanted = receiver.received.length + 100;
      await until(() => acknowledged.size >= before + 200 && receiver.received.length >= wanted);
      isDead = true;
      service.kill('SIGKILL');
      await service.ended;
    }
    await Promise.all(clients);
    if (!isLast) continue;
    const delivered = () => new Set(receiver.received.map(({ body }) => body.data.id));
    // Leases of dead processes expire within a minute.
    await until(() => [...acknowledged].every((id) => delivered().has(id)), 70_000);
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
  }
  const idOf = new Map<string, string>();
  for (const { body, headers } of receiver.received) {
    assert.equal(body.id, headers['webhook-id']);
    assert.equal(idOf.get(body.data.id) ?? body.id, body.id, 'one event has one id');
    idOf.set(body.data.id, body.id);
  }
  assert.equal(new Set(idOf.values()).size, idOf.size, 'and no other event has it');
  context.diagnostic(`${acknowledged.size} acknowledged, ${receiver.received.length} received`);
});

test('two services on one database share the work and deliver nothing twice', { timeout: 120_000 }, async () => {
  const server = JSON.parse(process.env.TEST_POSTGRES ?? '') as { host: string; user: string; port?: number };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = `postgres://${server.user}@localhost/${name}?host=${encodeURIComponent(server.host)}&port=${server.port ?? 5432}`;
  const env = { DATABASE_URL: url, DATA_DIR: newDataDir(), ...ALLOWED };
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Two'], env);
  const services = [await startService(env), await startService({ ...env, DATA_DIR: newDataDir() })];
  const receiver = await startReceiver();
  receiver.respond = (response) => void setTimeout(() => response.end(), 10);
  const [first] = services;
  assert.ok(first);
  assert.equal(
    (await post(first, '/v1/webhooks', { url: receiver.url, events: ['event.recorded'] }, token)).status,
    200,
  );
  const acknowledged = new Set<string>();
  await Promise.all(
    services.flatMap((service) =>
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 100; i++) {
          const { status, body } = await post(service, '/v1/events', { api_key: apiKey, event: 'x' });
          if (status === 200) acknowledged.add(body.event_id);
        }
      }),
    ),
  );
  assert.equal(acknowledged.size, 800);
  // One of them stops meanwhile and releases its deliveries to the other.
  services[1]?.kill('SIGTERM');
  assert.equal((await services[1]?.ended)?.code, 0);
  await until(() => receiver.received.length >= 800);
  first.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);
  const received = receiver.received.map(({ body }) => body.data.id);
  assert.equal(received.length, 800);
  assert.deepEqual(new Set(received), acknowledged);
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
