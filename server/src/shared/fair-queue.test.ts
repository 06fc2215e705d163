import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

const LIMITS = { slots: 2, slotsPerKey: 2, queuedPerKey: 100 };

/** Tasks that run until they are finished by name. */
function controlledTasks(queue: FairQueue) {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const add = (name: string, options: Parameters<FairQueue['run']>[1] = {}) =>
    queue.run(name.slice(0, 1), options, () => {
      started.push(name);
      return new Promise<void>((resolve) => finish.set(name, resolve));
    });
  const end = async (name: string) => {
    finish.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, add, end };
}

test('keys take turns, whatever the backlog of one', async () => {
  const { started, add, end } = controlledTasks(new FairQueue(LIMITS));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']) void add(name);
  await end('');
  assert.deepEqual(started, ['a1', 'a2']);
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name);
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('one key never occupies every slot', async () => {
  const { started, add, end } = controlledTasks(new FairQueue({ ...LIMITS, slots: 3 }));
  for (const name of ['a1', 'a2', 'a3', 'b1']) void add(name);
  await end('');
  assert.deepEqual(started, ['a1', 'a2', 'b1']);
});

test('a task beyond the queue of its key is refused with 429, and other keys are not affected', async () => {
  const { started, add, end } = controlledTasks(new FairQueue({ slots: 2, slotsPerKey: 1, queuedPerKey: 2 }));
  for (const name of ['a1', 'a2', 'a3']) void add(name);
  await assert.rejects(add('a4'), { status: 429, code: 'overloaded' });
  void add('b1');
  await end('');
  assert.deepEqual(started, ['a1', 'b1']);
});

test('an aborted task leaves the queue without being started', async () => {
  const queue = new FairQueue({ ...LIMITS, slots: 1 });
  const { started, add, end } = controlledTasks(queue);
  void add('a1');
  const abort = new AbortController();
  const aborted = add('a2', { signal: abort.signal });
  void add('a3');
  abort.abort(new Error('nobody waits'));
  await assert.rejects(aborted, /nobody waits/);
  assert.equal(queue.size, 2);
  await end('a1');
  assert.deepEqual(started, ['a1', 'a3']);
  await end('a3');
  assert.equal(queue.size, 0);
});

test('running tasks stay within the budget, and an expensive one is not overtaken for ever', async () => {
  const { started, add, end } = controlledTasks(new FairQueue({ ...LIMITS, slots: 3, slotsPerKey: 3, budget: 10 }));
  void add('a1', { cost: 6 });
  void add('b1', { cost: 8 });
  void add('c1', { cost: 3 });
  await end('');
  assert.deepEqual(started, ['a1']);
  await end('a1');
  assert.deepEqual(started, ['a1', 'b1']);
  await end('b1');
  void add('d1', { cost: 50 });
  await end('c1');
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'd1'], 'a task over the budget runs alone');
});

test('a task that fails frees its slot', async () => {
  const queue = new FairQueue({ ...LIMITS, slots: 1 });
  await assert.rejects(
    queue.run('a', {}, () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await queue.run('a', {}, async () => 'ran'), 'ran');
  assert.equal(queue.size, 0);
});

test('a key with many tasks delays another one by one task at most', async () => {
  const queue = new FairQueue({ slots: 1, slotsPerKey: 1, queuedPerKey: 10 });
  const done: string[] = [];
  const run = (key: string) => queue.run(key, {}, async () => done.push(key));
  await Promise.all([run('many'), run('many'), run('many'), run('other')]);
  assert.deepEqual(done, ['many', 'other', 'many', 'many']);
});
