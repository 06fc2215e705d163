import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { overloaded } from './postgres/database.ts';
import { SharedReads } from './shared-reads.ts';

/** Commits that finish when the test says so. */
function pausedCommits(options: Partial<GroupCommitOptions<number>> = {}) {
  const running: { batch: number[]; finish(): void }[] = [];
  const write = (batch: number[]) =>
    new Promise<number[]>((resolve) => running.push({ batch, finish: () => resolve(batch) }));
  const group = new GroupCommit(write, { maxBatch: 100, maxConcurrent: 2, maxQueued: 1_000, ...options });
  /** The batch with this number, once it has started. */
  const batch = async (i: number) => {
    for (;;) {
      const started = running[i];
      if (started) return started;
      await turn();
    }
  };
  return { group, running, batch };
}

test('an item is written at once when nothing else is; those that arrive meanwhile share the next batch', async () => {
  const { group, running, batch } = pausedCommits({ maxConcurrent: 1 });
  const first = group.submit(1);
  assert.deepEqual((await batch(0)).batch, [1]);
  const others = [2, 3, 4].map((item) => group.submit(item));
  await turn();
  assert.equal(running.length, 1);
  running[0]?.finish();
  assert.equal(await first, 1);
  const next = await batch(1);
  assert.deepEqual(next.batch, [2, 3, 4]);
  next.finish();
  assert.deepEqual(await Promise.all(others), [2, 3, 4]);
});

test('a second batch starts beside a running one when it is large, or when that one takes long', async () => {
  const { group, batch } = pausedCommits();
  const first = group.submit(0);
  await batch(0);
  const many = Array.from({ length: 16 }, (_, i) => group.submit(1 + i));
  const large = await batch(1);
  assert.equal(large.batch.length, 16);
  large.finish();
  await Promise.all(many);
  const late = group.submit(17);
  (await batch(2)).finish();
  assert.equal(await late, 17, 'although the first batch still runs');
  (await batch(0)).finish();
  assert.equal(await first, 0);
});

test('a selector decides who joins a batch; who does not keeps its place', async () => {
  const distinctTens = () => {
    const tens = new Set<number>();
    return (item: number) => {
      const ten = Math.floor(item / 10);
      const isNew = !tens.has(ten);
      tens.add(ten);
      return isNew;
    };
  };
  const idle = Promise.withResolvers<void>();
  const { group, running, batch } = pausedCommits({
    maxConcurrent: 1,
    selector: distinctTens,
    onIdle: idle.resolve,
  });
  const results = [11, 12, 21, 13, 31].map((item) => group.submit(item));
  for (let i = 0; i < 3; i++) (await batch(i)).finish();
  assert.deepEqual(await Promise.all(results), [11, 12, 21, 13, 31]);
  assert.deepEqual(
    running.map(({ batch }) => batch),
    [[11, 21, 31], [12], [13]],
  );
  await idle.promise;
});

test('of a batch that fails only the items that cannot be written fail', async () => {
  const write = async (batch: number[]) => {
    if (batch.includes(3)) throw new Error('three');
    return batch;
  };
  const group = new GroupCommit(write, { maxBatch: 100, maxConcurrent: 1, maxQueued: 1_000 });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => group.submit(item)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a batch that found no free connection fails at once: in halves, its items would wait for one again and again', async () => {
  let writes = 0;
  const write = async (): Promise<never> => {
    writes++;
    throw overloaded();
  };
  const group = new GroupCommit(write, { maxBatch: 100, maxConcurrent: 1, maxQueued: 1_000 });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => group.submit(item)));
  for (const result of results) assert.equal(result.status === 'rejected' && result.reason.code, 'overloaded');
  assert.equal(writes, 1);
});

test('identical reads share the next one, which starts after all of them were requested, and its error', async () => {
  const reads: { requests: number; settle: PromiseWithResolvers<string> }[] = [];
  const shared = new SharedReads<string>();
  const read = (name: string) =>
    shared.share(name, (requests) => {
      const settle = Promise.withResolvers<string>();
      reads.push({ requests, settle });
      return settle.promise;
    });
  const first = read('a');
  await turn();
  const later = [read('a'), read('a')];
  const other = read('b');
  await turn();
  // Those that came during the first read do not get its result, and another read does not wait for it.
  assert.deepEqual(
    reads.map(({ requests }) => requests),
    [1, 1],
  );
  reads[0]?.settle.resolve('before');
  reads[1]?.settle.resolve('other');
  assert.deepEqual(await Promise.all([first, other]), ['before', 'other']);
  await turn();
  assert.equal(reads[2]?.requests, 2);
  reads[2]?.settle.reject(new Error('failed'));
  for (const each of later) await assert.rejects(each, /failed/);
  assert.equal(reads.length, 3);
});
