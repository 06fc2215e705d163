// Slow: imports of 9,000 rows, whose processes are killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart } from '../../test/furnished-account.ts';
import { until } from '../../test/until.ts';
import { contentService, seedEntries } from '../content/test-support.ts';
import { download } from '../exports/test-support.ts';
import { startProcess } from '../files/test-support.ts';
import type { Import } from './contract.ts';
import { counted } from './test-support.ts';

const service = await contentService();
const { ok, newCollection, listAll, db } = service;
const ROWS = 9_000;

test('an import that is killed repeatedly writes each row once, and its undo reverts each once', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, [
    { id: 'number', label: 'Number', type: 'number', required: true },
    { id: 'title', label: 'Title', type: 'text' },
  ]);
  const known = 1_000;
  const old = Array.from({ length: known }, (_, number) => ({ number, title: 'old' }));
  await seedEntries(db, account.uuid, await service.readCollection(account, path), old);
  const lines = Array.from({ length: ROWS }, (_, i) => (i % 3 === 0 ? `${i},new` : `${i},"a, ""b""\n${i}"`));
  const file = `number,title\r\n${lines.join('\r\n')}\r\n`;
  const { payload, headers } = filePart('file', 'things.csv', Buffer.from(file));
  const sent = await service.call(`POST ${path}/imports`, { as: account, body: payload, headers });
  assert.equal(sent.status, 200);
  const { id } = sent.body;
  const read = (): Promise<Import> => ok(`GET ${path}/imports/${id}`, account);

  let kills = 0;
  /** Runs a stage in processes that are killed shortly after they make progress. */
  async function survive(name: string, body: unknown, done: string): Promise<Import> {
    await ok(`POST ${path}/imports/${id}/${name}`, account, body);
    const progress = async () =>
      JSON.stringify((await db.query('select batches_done, stage, is_stage_done from entry_imports')).rows);
    for (let round = 0; ; round++) {
      const before = await progress();
      const { child } = await startProcess(service, { jobs: true });
      await until(async () => (await progress()) !== before || (await read()).status === done);
      const isOver = (await read()).status === done;
      if (round < 2) await new Promise((resume) => setTimeout(resume, Math.random() * 60));
      else await until(async () => (await read()).status === done);
      child.kill('SIGKILL');
      const state = await read();
      if (isOver || state.status === done) return state;
      kills++;
      // Instead of waiting for the lease to expire.
      await db.query("update jobs set due_at = now() where status = 'running'");
    }
  }

  const mapping = { columns: [{ field: 'number' }, { field: 'title' }], keyField: 'number' };
  const checked = await survive('dry-run', mapping, 'dry_run_completed');
  const expected = { rows: ROWS, created: ROWS - known, updated: known, unchanged: 0, failed: 0 };
  assert.deepEqual(counted(checked.dryRun), expected);
  const imported = await survive('start', undefined, 'imported');
  assert.deepEqual(counted(imported.imported), expected);
  const entries = await listAll(account, path, [['sort', 'number:asc']]);
  assert.deepEqual(
    entries.map(({ values }) => values.number),
    Array.from({ length: ROWS }, (_, i) => i),
  );
  assert.ok(entries.every(({ values, version }, i) => values.title !== 'old' && version === (i < known ? 2 : 1)));
  const results = (await download(service, imported.imported?.resultsUrl ?? '')).toString('utf8').trim().split('\r\n');
  assert.deepEqual(
    results.slice(1).map((line) => Number(line.split(',')[0])),
    Array.from({ length: ROWS }, (_, i) => i + 2),
  );

  const undone = await survive('undo', undefined, 'undone');
  assert.deepEqual(counted(undone.undone), { entries: ROWS, deleted: ROWS - known, restored: known, skipped: 0 });
  const left = await listAll(account, path, []);
  assert.equal(left.length, known);
  assert.ok(left.every(({ values, version }) => values.title === 'old' && version === 3));
  assert.ok(kills >= 2, `killed ${kills} times`);
});
