import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { ReportsThread } from './run-reports.ts';

const service = await testService();
const { uuid: accountId } = await service.newAccount();
const query = {
  accountId,
  filters: {},
  include: { bots: false, internal: false },
  by: [],
  periods: [{ period: { from: 0, to: 3_600_000 }, starts: [0] }],
};

test('a report that nobody waits for any more when its turn comes is left out, the others are made', async () => {
  const reports = new ReportsThread(service.db);
  const asked = { second: 0 };
  const isGivenUp = () => {
    asked.second++;
    return true;
  };
  const [first, second, third] = await Promise.allSettled([
    reports.count(query, () => false),
    reports.count(query, isGivenUp),
    reports.count(query, () => false),
  ]);
  assert.equal(first.status, 'fulfilled');
  assert.equal(second.status === 'rejected' && second.reason.code, 'request_aborted');
  assert.equal(third.status, 'fulfilled');
  assert.equal(asked.second, 1);
  await reports.stop();
});

test('a report that fails, and a stop, end what is waited for', async () => {
  const reports = new ReportsThread(service.db);
  await assert.rejects(
    reports.count({ ...query, accountId: 'none' }, () => false),
    /uuid/,
  );
  await reports.count(query, () => false);
  const last = reports.count(query, () => false);
  const behind = reports.count(query, () => false);
  const both = Promise.allSettled([last, behind]);
  await reports.stop();
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
