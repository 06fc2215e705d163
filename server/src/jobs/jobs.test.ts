import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';

const service = await testService();

async function insertJob(accountUuid: string) {
  const id = newUuid(service.clock.now);
  await service.db.query(
    `insert into jobs (account_id, id, type, params, status, created_at, due_at)
     values ($1, $2, 'test', '{"deep": {"a": [1, null]}}', 'queued', $3, now())`,
    [accountUuid, id, new Date(service.clock.now)],
  );
  return publicId('job', id);
}

test('a job is only found by its own account', async () => {
  const [mine, theirs] = [await service.newAccount(), await service.newAccount()];
  const id = await insertJob(mine.uuid);
  const answer = await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: mine });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    id,
    type: 'test',
    status: 'queued',
    progress: 0,
    params: { deep: { a: [1, null] } },
    result: null,
    error: null,
    createdAt: new Date(service.clock.now).toISOString(),
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
  });
  const unknown = publicId('job', newUuid());
  for (const [as, asked] of [
    [theirs, id],
    [mine, unknown],
    [mine, 'job_1'],
    [mine, id.replace('job_', 'evt_')],
    [mine, parseId('job', id) ?? ''],
  ] as const) {
    for (const request of [`GET /v1/jobs/get-by-id?id=${asked}`, `POST /v1/jobs/${asked}/cancel`]) {
      const refusal = await service.call(request, { as });
      assert.deepEqual([refusal.status, refusal.body.code], [404, 'not_found'], request);
    }
  }
  assert.equal((await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: mine })).body.status, 'queued');
});

test('a missing, empty or repeated id, or another parameter, is 400 and named', async () => {
  const account = await service.newAccount();
  const id = await insertJob(account.uuid);
  for (const [query, pointer] of [
    ['', '?id'],
    ['?id=', '?id'],
    [`?id=${id}&id=${id}`, '?id'],
    [`?id=${id}&jobId=job_other`, '?id'],
    [`?id=${id}&x=1`, '?x'],
  ] as const) {
    const answer = await service.call(`GET /v1/jobs/get-by-id${query}`, { as: account });
    assert.equal(answer.status, 400, query);
    assert.deepEqual(
      answer.body.errors.map((each: { pointer: string }) => each.pointer),
      [pointer],
    );
  }
});

test('jobId is an alias of id', async () => {
  const account = await service.newAccount();
  const id = await insertJob(account.uuid);
  for (const query of [`jobId=${id}`, `id=${id}&jobId=${id}`]) {
    const answer = await service.call(`GET /v1/jobs/get-by-id?${query}`, { as: account });
    assert.deepEqual([answer.status, answer.body.id], [200, id], query);
  }
});

test('jobs need the secret token, and another method is 405', async () => {
  const account = await service.newAccount();
  const id = await insertJob(account.uuid);
  for (const request of [`GET /v1/jobs/get-by-id?id=${id}`, `POST /v1/jobs/${id}/cancel`]) {
    assert.equal((await service.call(request)).status, 401);
    assert.equal((await service.call(request, { as: account.apiKey })).status, 401);
  }
  const wrong = await service.call(`POST /v1/jobs/get-by-id?id=${id}`, { as: account });
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD']);
});

test('canceling accepts only an empty body', async () => {
  const account = await service.newAccount();
  const cancel = (id: string, body?: unknown) =>
    service.call(`POST /v1/jobs/${id}/cancel`, { as: account, ...(body !== undefined && { body }) });
  const id = await insertJob(account.uuid);
  const refused = await cancel(id, { force: true });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.errors[0].pointer, '/force');
  assert.equal((await cancel(id, {})).body.status, 'cancelled');
  assert.equal((await cancel(await insertJob(account.uuid))).body.status, 'cancelled');
});

test('jobs are listed by their account, newest first, page by page', async () => {
  const [mine, theirs] = [await service.newAccount(), await service.newAccount()];
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    service.clock.now += 1;
    ids.unshift(await insertJob(mine.uuid));
  }
  const seen: string[] = [];
  let token: string | null = '';
  do {
    const page: { jobs: { id: string }[]; nextPageToken: string | null } = (
      await service.call(`GET /v1/jobs?pageSize=2&pageToken=${token}`, { as: mine })
    ).body;
    seen.push(...page.jobs.map(({ id }) => id));
    token = page.nextPageToken;
  } while (token !== null);
  assert.deepEqual(seen, ids);
  assert.deepEqual((await service.call('GET /v1/jobs', { as: theirs })).body, { jobs: [], nextPageToken: null });
  assert.deepEqual((await service.call('GET /v1/jobs?type=export', { as: mine })).body.jobs, []);
  const foreign = await service.call('GET /v1/jobs?pageSize=2', { as: mine });
  const refusal = await service.call(`GET /v1/jobs?type=test&pageToken=${foreign.body.nextPageToken}`, { as: mine });
  assert.deepEqual([refusal.status, refusal.body.code], [400, 'page_token_invalid']);
});

test('an expired job is not listed', async () => {
  const account = await service.newAccount();
  await insertJob(account.uuid);
  await service.db.query('update jobs set expires_at = $2 where account_id = $1', [
    account.uuid,
    new Date(service.clock.now + 10),
  ]);
  const listed = async () => (await service.call('GET /v1/jobs', { as: account })).body.jobs.length;
  assert.equal(await listed(), 1);
  service.clock.now += 20;
  assert.equal(await listed(), 0);
});
