import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admission, type Admitted } from './admission.ts';
import { backgroundWork, Work } from './work.ts';

let now = 0;
const work = (account: string) => new Work('requests', () => account);
const late = () => new Error('late');
const ended = () => new Error('ended');
const wait = (admission: Admission, of: Work, ms = 60_000) => admission.wait(of, ms, late, ended);

/** How many connections an account gets that asks for all of them. */
function takeAll(admission: Admission, of: () => Work): Admitted[] {
  const taken: Admitted[] = [];
  for (let next = admission.enter(of()); next !== undefined; next = admission.enter(of())) taken.push(next);
  return taken;
}

test('one account has at most half of the connections, two have a third each, and more always leave one', () => {
  const admission = new Admission(12);
  const [a, b] = [takeAll(admission, () => work('a')), takeAll(admission, () => work('b'))];
  assert.deepEqual([a.length, b.length], [6, 3]);
  for (const each of a.splice(4)) admission.leave(each);
  assert.deepEqual([a.length, takeAll(admission, () => work('b')).length], [4, 1]);
  for (const [name, most] of [
    ['c', 2],
    ['d', 1],
    ['e', 1],
  ] as const) {
    assert.equal(takeAll(admission, () => work(name)).length, most, name);
  }
});

test('while others are active, an account has no more connections than there are processors', async () => {
  now = 5_000;
  const admission = new Admission(12, () => now, 2);
  const [a, b] = [takeAll(admission, () => work('a')), takeAll(admission, () => work('b'))];
  assert.deepEqual([a.length, b.length], [4, 2]);
  for (const each of a.splice(3)) admission.leave(each);
  const waiting = wait(admission, work('a'));
  assert.equal(admission.waiting, 1);
  now += 1_000;
  admission.leave(a.pop() as Admitted);
  await waiting;
  assert.equal(takeAll(admission, () => work('a')).length, 1, 'alone again');
});

test('an account that uses connections for long has fewer: one less than processors beside others, two for each alone', () => {
  now = 10_000;
  const admission = new Admission(24, () => now, 2);
  const use = (all: Admitted[], ms: number) => {
    now += ms;
    for (const each of all) admission.leave(each);
    return all.length;
  };
  const take = (name: string) => takeAll(admission, () => work(name));
  assert.equal(use(take('a'), 101), 4, 'alone, before anything is known');
  for (let i = 0; i < 20; i++) use(take('a'), 10);
  assert.equal(use(take('a'), 101), 12, 'alone, after short uses');
  assert.equal(use(take('a'), 10), 4, 'alone, after long ones');
  use(take('b'), 10);
  assert.equal(use(take('a'), 101), 2, 'beside others, after short uses');
  use(take('b'), 10);
  assert.equal(use(take('a'), 10), 1, 'beside others, after long ones');
  use(take('b'), 10);
  assert.equal(use(take('a'), 10), 2);
});

test('a small pool serves an account that has no connection, too', () => {
  for (const [slots, most] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
  ] as const) {
    const admission = new Admission(slots);
    assert.equal(takeAll(admission, () => work('a')).length, most);
    assert.equal(takeAll(admission, () => work('b')).length, slots === 1 ? 0 : 1);
  }
});

test('of the accounts that wait, the one that used least comes first, and what was used is forgotten', async () => {
  now = 1_000;
  const admission = new Admission(1, () => now);
  const use = (account: string, ms: number) => {
    const admitted = admission.enter(work(account)) as Admitted;
    now += ms;
    admission.leave(admitted);
  };
  use('often', 900);
  use('rarely', 100);
  const order: string[] = [];
  const queue = async (account: string, ms: number) => {
    const admitted = await wait(admission, work(account));
    order.push(account);
    now += ms;
    admission.leave(admitted);
  };
  const held = admission.enter(work('other')) as Admitted;
  const all = [queue('often', 1), queue('often', 1), queue('rarely', 2_000), queue('rarely', 1), queue('new', 1)];
  admission.leave(held);
  await Promise.all(all);
  assert.deepEqual(order, ['new', 'rarely', 'often', 'often', 'rarely']);
  now += 600_000;
  use('new', 1);
  const again = admission.enter(work('other')) as Admitted;
  const later = [queue('new', 1), queue('rarely', 1)];
  admission.leave(again);
  await Promise.all(later);
  assert.equal(order.at(-2), 'rarely');
});

test('a request that waits too long is refused, and one that has ended waits no more', async () => {
  const admission = new Admission(1);
  const held = admission.enter(work('a')) as Admitted;
  await assert.rejects(wait(admission, work('b'), 10), /late/);
  const gone = work('c');
  const waiting = assert.rejects(wait(admission, gone), /ended/);
  gone.end();
  await waiting;
  assert.equal(admission.waiting, 0);
  admission.leave(held);
  assert.ok(admission.enter(work('d')), 'neither of them has the connection');
});

test('reports and background work have a part of the connections, whatever the number of accounts', () => {
  const admission = new Admission(12);
  let accounts = 0;
  assert.equal(takeAll(admission, () => new Work('reports', () => `r${accounts++}`)).length, 4);
  assert.equal(takeAll(admission, () => backgroundWork(`b${accounts++}`)).length, 6);
  assert.ok(admission.enter(work('a')));
});

test('statements of a request wait for its others, for as long as these are served', async () => {
  const admission = new Admission(2);
  const request = work('a');
  const first = admission.enter(request) as Admitted;
  request.connect();
  const waiting = [wait(admission, request, 10), wait(admission, request, 10)];
  await assert.rejects(wait(admission, work('a'), 50), /late/);
  admission.leave(first);
  request.disconnect(false);
  const second = (await waiting[0]) as Admitted;
  request.connect();
  admission.leave(second);
  await waiting[1];
});

test('in a transaction, work gets another connection without a turn, as it would wait for itself', () => {
  const admission = new Admission(2);
  const nested = work('a');
  assert.ok(admission.enter(nested));
  nested.connect(true);
  assert.ok(admission.enter(nested));
  assert.ok(admission.enter(nested));
  assert.equal(admission.enter(work('b')), undefined);
});
