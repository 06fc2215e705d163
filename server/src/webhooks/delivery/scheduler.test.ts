/** Which deliveries a process attempts, without I/O. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Allowance } from './allowance.ts';
import { Scheduler } from './scheduler.ts';

interface Item {
  account_id: string;
  endpoint_id: string;
  n: number;
}

/** A scheduler whose attempts end when the test says so. */
function controlled(startsPerTurn?: number) {
  const open: { item: Item; end(isSuccess: boolean): void }[] = [];
  let lows = 0;
  const attempt = (item: Item) => new Promise<boolean>((end) => open.push({ item, end }));
  const scheduler = new Scheduler<Item>({ attempt, onLow: () => lows++ }, startsPerTurn);
  const add = (account_id: string, endpoint_id: string, count: number) =>
    scheduler.add(
      account_id,
      endpoint_id,
      Array.from({ length: count }, (_, n) => ({ account_id, endpoint_id, n })),
      false,
    );
  const inFlight = (account: string) => open.filter(({ item }) => item.account_id === account).length;
  const end = async (count: number, isSuccess: boolean) => {
    for (const attempt of open.splice(0, count)) attempt.end(isSuccess);
    await turn();
  };
  return { scheduler, open, add, inFlight, end, lows: () => lows };
}

test('an account whose endpoints all hang gets at most half of a process; others start at once', async () => {
  const { scheduler, add, inFlight } = controlled();
  for (let i = 0; i < 100; i++) add('hostile', `hung-${i}`, 64);
  assert.equal(inFlight('hostile'), 500);
  for (let i = 0; i < 3; i++) add('other', `good-${i}`, 8);
  assert.equal(inFlight('other'), 24);
  assert.equal(scheduler.inFlight, 524);
});

test('in a full process, free slots go to accounts in turn, however many endpoints each has', async () => {
  const { scheduler, add, inFlight, end } = controlled();
  for (let i = 0; i < 100; i++) add('a', `a-${i}`, 25);
  for (let i = 0; i < 100; i++) add('b', `b-${i}`, 25);
  assert.equal(scheduler.inFlight, 1_000);
  add('late', 'late', 8);
  assert.equal(inFlight('late'), 0);
  await end(24, true);
  assert.equal(scheduler.inFlight, 1_000);
  assert.equal(inFlight('late'), 8, 'although a and b have thousands queued');
});

test('an endpoint that fails soon has a single attempt in flight; one that succeeds has up to 64', async () => {
  const { add, open, end } = controlled();
  add('a', 'failing', 40);
  for (let i = 0; i < 4; i++) await end(open.length, false);
  assert.equal(open.length, 1);
  while (open.length > 0) await end(open.length, true);
  add('a', 'healthy', 400);
  for (let i = 0; i < 100; i++) await end(1, true);
  assert.equal(open.length, 64);
});

test('queues are bounded by process and account, and capacity is reserved before a delivery is written', async () => {
  const { scheduler, add, end, open } = controlled();
  for (let i = 0; i < 100; i++) add('hostile', `hung-${i}`, 64);
  assert.equal(scheduler.reserve('hostile', 'new'), false);
  assert.equal(scheduler.reserve('other', 'good'), !scheduler.isFull);
  while (open.length > 0) await end(open.length, true);
  const item = { account_id: 'other', endpoint_id: 'good', n: 0 };
  let reserved = 0;
  while (scheduler.reserve('other', 'good')) reserved++;
  assert.ok(reserved >= 127 && reserved <= 128, `${reserved}`);
  for (let i = 0; i < reserved; i++) scheduler.cancel(item);
  assert.ok(scheduler.reserve('other', 'good'));
  scheduler.addReserved(item);
  assert.equal(open.length, 1);
});

test('idle endpoints are forgotten, active ones are not', async () => {
  const { scheduler, add, open } = controlled();
  add('a', 'active', 1);
  add('b', 'idle', 12);
  while (open.length > 1) {
    open.splice(1, 1)[0]?.end(true);
    await turn();
  }
  assert.equal(scheduler.capacities().length, 2);
  scheduler.prune(performance.now() + 3_600_000);
  assert.deepEqual(
    scheduler.capacities().map(({ endpoint_id }) => endpoint_id),
    ['active'],
  );
});

test('after a stop, nothing more is attempted', () => {
  const { scheduler, add, open } = controlled();
  add('a', 'x', 20);
  assert.equal(open.length, 8);
  assert.equal(scheduler.stop().length, 12);
  add('a', 'y', 5);
  assert.equal(open.length, 8);
  assert.equal(scheduler.reserve('a', 'z'), false);
});

test('few attempts start in one turn of the event loop, and all of them in the next ones', async () => {
  const { add, open, inFlight } = controlled(3);
  add('a', 'x', 8);
  add('b', 'y', 2);
  assert.equal(open.length, 3);
  const started: number[] = [];
  while (open.length < 10 && started.length < 5) {
    await turn();
    started.push(open.length);
  }
  assert.deepEqual(started, [6, 9, 10]);
  assert.deepEqual([inFlight('a'), inFlight('b')], [8, 2]);
});

test('an allowance makes up for lost time up to its limit, and waits for what was too much', () => {
  // A whole number, as differences of others are not exact.
  const start = Math.ceil(performance.now()) + 1_000;
  const allowance = new Allowance(1_250, 500);
  assert.equal(allowance.left(start), 500);
  allowance.take(500);
  assert.equal(allowance.timeUntil(125, start), 100);
  assert.equal(allowance.left(start + 200), 250);
  allowance.take(1_000);
  assert.equal(allowance.timeUntil(125, start + 200), 700);
  assert.equal(allowance.timeUntil(125, start + 900), 0);
});
