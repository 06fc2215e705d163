// Slow: processes that are started and killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { startProcess } from '../../files/test-support.ts';
import type { Entry } from '../entries/contract.ts';
import { clock, counts, createEntry, db, inMs, service, setup } from './test-releases.ts';

test('two processes that are killed again and again publish each release exactly once', async () => {
  const { account, path, itemOf, create, published } = await setup();
  const COUNT = 40;
  clock.now = Date.now();
  const entries: Entry[] = [];
  for (let i = 0; i < COUNT; i++) entries.push(await createEntry(account, path, { title: `Entry ${i}` }));
  const schedule = (some: Entry[]) =>
    Promise.all(some.map((entry) => create({ at: inMs(1_000), items: [itemOf(entry)] })));
  await schedule(entries.slice(0, COUNT / 2));
  const left = async () =>
    (
      await db.query("select count(*)::int from releases where account_id = $1 and status = 'scheduled'", [
        account.uuid,
      ])
    ).rows[0].count;
  let kills = 0;
  for (let before = await left(), round = 0; before > 0; before = await left(), round++) {
    const processes = await Promise.all([startProcess(service, { jobs: true }), startProcess(service, { jobs: true })]);
    try {
      // The first rounds end in the middle of the work.
      await until(async () => (await left()) < (round < 2 ? before : 1));
    } finally {
      for (const { child } of processes) child.kill('SIGKILL');
    }
    kills += processes.length;
    // However fast the first two were, there is a second round.
    if (round === 0) await schedule(entries.slice(COUNT / 2));
  }
  assert.ok(kills >= 4, `${kills} kills`);
  const { ended, changes } = await counts(account, path);
  assert.deepEqual([ended.length, Math.max(...ended), changes], [COUNT, 1, COUNT]);
  assert.ok((await Promise.all(entries.map(published))).every((title, i) => title === `Entry ${i}`));
});
