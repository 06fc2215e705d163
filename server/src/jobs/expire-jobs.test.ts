import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { newUuid } from '../shared/ids.ts';
import { expireResults } from './expire-jobs.ts';
import type { JobResult } from './handler.ts';

const service = await testService();

test('completed jobs of an account and type lose their results once; running ones start again; others do not change', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const discarded: unknown[] = [];
  const handler = { discard: async ({ file }: JobResult) => void discarded.push(file) };
  const insert = async (accountId: string, type: string, status: string, result: unknown) => {
    const id = newUuid();
    const open = status === 'running' || status === 'queued';
    await service.db.query(
      `insert into jobs (account_id, id, type, params, status, result, attempt, due_at, started_at, created_at)
       values ($1, $2, $3, '{}', $4, $5, 3, case when $6 then now() + interval '1 minute' end, now(), now())`,
      [accountId, id, type, status, result === null ? null : JSON.stringify(result), open],
    );
    return id;
  };
  const done = await insert(account.uuid, 'export', 'completed', { file: 'a', rows: 2 });
  const running = await insert(account.uuid, 'export', 'running', null);
  await insert(account.uuid, 'export', 'failed', null);
  await insert(account.uuid, 'another', 'running', null);
  await insert(account.uuid, 'another', 'completed', { file: 'b' });
  await insert(other.uuid, 'export', 'completed', { file: 'c' });
  await insert(other.uuid, 'export', 'running', null);
  const state = async () =>
    new Map(
      (await service.db.query('select id, status, attempt, result, due_at <= now() as due from jobs')).rows.map(
        ({ id, ...row }) => [id, row],
      ),
    );
  const before = await state();
  await expireResults(service, account.uuid, 'export', handler);
  await expireResults(service, account.uuid, 'export', handler);
  assert.deepEqual(discarded, ['a']);
  const expected = new Map(before)
    .set(done, { ...before.get(done), result: { file: 'a', rows: 2, expired: true } })
    .set(running, { ...before.get(running), status: 'queued', due: true });
  assert.deepEqual(await state(), expected);
});
