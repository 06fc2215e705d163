// Slow: random orders, with a sending process that is killed and started again.
/**
 * Whatever the order of reports, changes, late matches, erasures, crashes and faults of the platforms: each platform counts a
 * conversion at most once, with the value that the log says it has. `INTERLEAVINGS=200` checks that many orders.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Account } from '../../test/harness.ts';
import type { Counted, Fault } from '../../test/platforms/fake.ts';
import { until } from '../../test/until.ts';
import { FanOut } from '../webhooks/delivery/fan-out.ts';
import { DestinationWorker } from './delivery/worker.ts';
import { platformOf } from './platforms/registry.ts';
import { type Delivery, newDestination, sendingService } from './test-support.ts';

const RUNS = Number(process.env.INTERLEAVINGS ?? 2);
/** One for each way to change a value, and one that recognizes no repetition. */
const PLATFORMS = ['google', 'microsoft', 'meta', 'taboola'] as const;
type Name = (typeof PLATFORMS)[number];
const ORDERS = 5;
const FAULTS: readonly Fault[] = ['lost answer', 'reset', 'throttled', 'failure', 'failure after processing'];
const MINUTE = 60_000;

const service = await sendingService(
  {},
  (worker) => !(worker instanceof DestinationWorker || worker instanceof FanOut),
);

/** Sends in a process of its own, which can be killed. */
class Sender {
  #process: ChildProcess | undefined;

  async start(): Promise<void> {
    const { config, secret, db, clock } = service;
    const urls = Object.entries(service.platforms).map(([name, { url }]) => [
      `DESTINATION_${name.toUpperCase()}_URL`,
      url,
    ]);
    const env = { LOG_LEVEL: 'silent', DATA_DIR: config.dataDir, ...Object.fromEntries(urls) };
    const SENDING = JSON.stringify({ database: db.connection, secret: secret.toString('hex'), now: clock.now, env });
    const options = { env: { ...process.env, SENDING }, execArgv: [] };
    this.#process = fork(new URL('./sending.service.ts', import.meta.url), options);
    await once(this.#process, 'message');
  }

  async kill(): Promise<void> {
    if (this.#process?.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  pass(ms: number): void {
    service.pass(ms);
    this.#process?.send(service.clock.now);
  }
}

const sender = new Sender();
await sender.start();
after(() => sender.kill());

const order = fc.integer({ min: 0, max: ORDERS - 1 });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('report' as const), order, value: fc.integer({ min: 0, max: 4 }) }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('visit' as const), order }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('erase' as const), order }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('kill' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20 * MINUTE }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('fault' as const),
      platform: fc.constantFrom(...PLATFORMS),
      fault: fc.constantFrom(...FAULTS),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What was done to an order so far. */
interface Order {
  id: string;
  hash: string;
  values: number[];
  isVisited: boolean;
  isErased: boolean;
}

let runs = 0;

async function start(): Promise<{ account: Account; orders: Order[] }> {
  const account = await service.newAccount();
  for (const name of PLATFORMS) await newDestination(service, account, name);
  const orders = Array.from({ length: ORDERS }, (_, i) => {
    const id = `run-${runs}-${i}`;
    return { id, hash: id.replaceAll('-', '').padStart(22, '0'), values: [], isVisited: false, isErased: false };
  });
  runs++;
  return { account, orders };
}

async function ok(request: string, as: Account, body: unknown, headers = {}): Promise<void> {
  const response = await service.call(request, { as, body, headers });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}

async function take(step: Step, account: Account, orders: readonly Order[]): Promise<void> {
  if (step.type === 'kill') {
    await sender.kill();
    await sender.start();
  } else if (step.type === 'wait') await sleep(step.ms);
  else if (step.type === 'pass') sender.pass(step.ms);
  else if (step.type === 'fault') service.platforms[step.platform].faults.push(step.fault);
  else {
    const chosen = orders[step.order] as Order;
    const { id, hash: sessionHash } = chosen;
    const email = `${id}@shop.example`;
    if (step.type === 'report') {
      const report = { sessionHash, eventId: id, value: step.value, currency: 'EUR' };
      chosen.values.push(step.value);
      await ok('POST /v1/analytics/report-conversion', account, report);
    } else if (step.type === 'visit') {
      chosen.isVisited = true;
      const url = `https://shop.example/?gclid=${id}&msclkid=${id}&fbclid=${id}&tblci=${id}`;
      const headers = { 'user-agent': 'Mozilla/5.0 (Test)' };
      const api_key = account.apiKey;
      await ok('POST /v1/visits', account, { api_key, url, sessionHash, visitorId: `v-${id}`, visitId: id }, headers);
      await ok('POST /v1/events', account, { api_key, event: 'signup', properties: { email, sessionHash } });
    } else if (chosen.isVisited) {
      chosen.isErased = true;
      await ok('POST /v1/leads/erase', account, { email });
    }
  }
}

/** Lets time pass until nothing is queued any more. */
async function settle({ uuid }: Account, orders: readonly Order[]): Promise<void> {
  for (const name of PLATFORMS) service.platforms[name].faults.length = 0;
  const left = `select (select count(*) from destination_queue where account_id = $1)
    + (select count(*) from outbox where account_id = $1)
    + (select count(*) from jobs where account_id = $1 and status in ('queued', 'running')) as n,
    (select count(*) from unmatched_conversions where account_id = $1) as unmatched`;
  const never = orders.filter(({ isVisited, isErased }) => !isVisited || isErased);
  const unmatched = never.reduce((sum, { values }) => sum + values.length, 0);
  await until(async () => {
    sender.pass(MINUTE);
    await sleep(20);
    const { rows } = await service.db.query(left, [uuid]);
    return Number(rows[0].n) === 0 && Number(rows[0].unmatched) <= unmatched;
  });
}

function check(name: Name, { values, isErased, isVisited, id }: Order, counted: Counted[], delivery: Delivery): void {
  const say = `${name} ${id}: ${JSON.stringify({ values, isErased, counted, delivery })}`;
  const { adjustment } = platformOf(name);
  const last = values.at(-1);
  assert.ok(counted.length <= 1, `counted twice: ${say}`);
  const [only] = counted;
  if (only) assert.ok(values.includes(only.value ?? Number.NaN), `a value that was never reported: ${say}`);
  if (!isVisited || last === undefined) {
    assert.equal(only, undefined, say);
    return;
  }
  if (isErased && delivery === undefined) {
    assert.equal(only, undefined, say);
    return;
  }
  assert.ok(delivery, `no fate: ${say}`);
  const { status, reason } = delivery;
  assert.notEqual(status, 'queued', say);
  assert.notEqual(status, 'rejected', say);
  // Only where nobody can know: a lost answer at a platform that recognizes nothing, or of a person who was erased.
  if (status === 'uncertain') {
    assert.ok(name === 'taboola' || isErased, say);
    return;
  }
  if (status === 'skipped') {
    assert.equal(only, undefined, say);
    assert.ok((reason === 'value_zero' && last === 0) || isErased, say);
    return;
  }
  assert.ok(only, `not counted: ${say}`);
  assert.equal(only.value, Number(delivery.value), `the log has another value: ${say}`);
  if (isErased) return;
  if (only.isRetracted) {
    assert.ok(adjustment === 'restate' && values.includes(0), say);
    if (last !== 0) assert.deepEqual([status, reason], ['not_adjustable', 'already_retracted'], say);
  } else if (adjustment === 'none') {
    if (only.value !== last) assert.equal(status, 'not_adjustable', say);
  } else assert.equal(only.value, last, say);
}

test('any interleaving of reports, changes, late matches, erasures, crashes and faults ends with the expected ledgers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
      const { account, orders } = await start();
      for (const each of steps) await take(each, account, orders);
      await settle(account, orders);
      const { body } = await service.call('GET /v1/conversions?pageSize=100', { as: account });
      for (const each of orders) {
        const conversion = body.conversions.find(({ eventId }: Delivery) => eventId === each.id);
        const path = `GET /v1/conversions/${conversion?.id}/deliveries`;
        const deliveries = conversion ? (await service.call(path, { as: account })).body.deliveries : [];
        for (const name of PLATFORMS) {
          const counted = service.platforms[name].ledger.filter(({ id }) => id.split(' ', 1)[0] === each.id);
          check(
            name,
            each,
            counted,
            deliveries.find(({ platform }: Delivery) => platform === name),
          );
        }
      }
    }),
    { numRuns: RUNS, endOnFailure: RUNS < 50 },
  );
});
