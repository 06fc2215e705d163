import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { overloaded } from './postgres/database-errors.ts';
import { currentWork, RequestWork, runAs, Work } from './postgres/work.ts';
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

/** What became of each: its result, or the code of its error. */
const outcomes = async (submitted: Promise<number>[]) =>
  (await Promise.allSettled(submitted)).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code));

test('what a refused request has in the queue is not written, and takes no place in a batch', async () => {
  const refused = new Set<number>();
  let idle = Promise.withResolvers<void>();
  const { group, running, batch } = pausedCommits({
    maxBatch: 3,
    maxConcurrent: 1,
    requestOf: (item) => ({
      get isRefused() {
        return refused.has(item);
      },
    }),
    workOf: () => new Work('ingest', () => ''),
    onIdle: () => idle.resolve(),
  });
  const submitted = outcomes([1, 2, 3, 4, 5, 6].map((item) => group.submit(item)));
  const first = await batch(0);
  // Those of the first batch have started.
  for (const item of [1, 4, 5, 6]) refused.add(item);
  assert.throws(() => group.submit(1), { code: 'overloaded' });
  const seventh = group.submit(7);
  first.finish();
  (await batch(1)).finish();
  await idle.promise;
  assert.deepEqual(
    running.map(({ batch }) => batch),
    [[1, 2, 3], [7]],
  );
  assert.deepEqual(await submitted, [1, 2, 3, 'overloaded', 'overloaded', 'overloaded']);
  assert.equal(await seventh, 7);

  idle = Promise.withResolvers<void>();
  const last = group.submit(8);
  const blocked = await batch(2);
  const ninth = outcomes([group.submit(9)]);
  refused.add(9);
  blocked.finish();
  assert.deepEqual([await last, ...(await ninth)], [8, 'overloaded'], 'also if nothing else is left');
  await idle.promise;
});

test('a batch that is about to commit what was refused meanwhile is written again without that', async () => {
  const requests = [1, 2, 3, 4].map(() => new RequestWork('requests', () => 'a'));
  const written: number[][] = [];
  const isWriting = Promise.withResolvers<void>();
  const isRefused = Promise.withResolvers<void>();
  const write = async (items: number[]) => {
    written.push(items);
    isWriting.resolve();
    await isRefused.promise;
    currentWork()?.beforeCommit(['insert into t values (1)']);
    return items;
  };
  const group = new GroupCommit(write, { maxBatch: 100, maxConcurrent: 1, maxQueued: 1_000 });
  const submitted = requests.map((request, i) => runAs(request, () => group.submit(i)));
  await isWriting.promise;
  assert.deepEqual(
    requests.map(({ mayHaveEffect }) => mayHaveEffect),
    [false, false, false, false],
  );
  requests[1]?.refuse();
  isRefused.resolve();
  assert.deepEqual(await outcomes(submitted), [0, 'overloaded', 2, 3]);
  assert.deepEqual(written, [
    [0, 1, 2, 3],
    [0, 2, 3],
  ]);
  assert.deepEqual(
    requests.map(({ mayHaveEffect }) => mayHaveEffect),
    [true, false, true, true],
  );
});

test('identical reads share the next one, which starts after all of them were requested, and its error', async () => {
  const reads = { a: [] as Read[], b: [] as Read[] };
  const shared = new SharedReads<string>();
  const read = (name: 'a' | 'b') =>
    shared.share(name, (requests) => {
      const settle = Promise.withResolvers<string>();
      reads[name].push({ requests, settle });
      return settle.promise;
    });
  const started = async (name: 'a' | 'b', count: number) => {
    while (reads[name].length < count) await turn();
  };
  const first = read('a');
  await started('a', 1);
  // The next read starts when the first one ends, or takes long.
  const later = [read('a'), read('a')];
  const other = read('b');
  await started('b', 1);
  reads.a[0]?.settle.resolve('before');
  reads.b[0]?.settle.resolve('other');
  assert.deepEqual(await Promise.all([first, other]), ['before', 'other']);
  await started('a', 2);
  reads.a[1]?.settle.reject(new Error('failed'));
  for (const each of later) await assert.rejects(each, /failed/);
  // Those that came during the first read do not get its result, and another read does not wait for it.
  const requests = (list: Read[]) => list.map((each) => each.requests);
  assert.deepEqual([requests(reads.a), requests(reads.b)], [[1, 2], [1]]);
});

interface Read {
  requests: number;
  settle: PromiseWithResolvers<string>;
}
