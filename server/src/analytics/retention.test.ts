import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { isoTime } from '../shared/time.ts';
import { countWhatArrived } from './keep-counting.ts';
import { packSessions } from './pack-sessions.ts';
import { assertExact, randomFrom, SEED, surroundingsOf, Traffic } from './test-traffic.ts';

const service = await testService();
const around = surroundingsOf(service);
const DAY = 86_400_000;
for (const worker of service.workers) worker.start();

test('what retention deletes is counted no more, packed or not; every number is still that of the exports', async () => {
  const traffic = new Traffic(around, await service.newAccount(), randomFrom(SEED + 2));
  const { account } = traffic;
  for (let i = 0; i < 200; i++) await traffic.anything();
  await countWhatArrived(around.deps);
  await packSessions(around.deps, undefined, 0);
  for (let i = 0; i < 50; i++) await traffic.anything();
  await countWhatArrived(around.deps);
  const eldest = async () => {
    const { rows } = await service.db.query(
      'select min(first_at) as at from analytics_segments where account_id = $1',
      [account.uuid],
    );
    return rows[0].at as Date;
  };
  assert.ok((await eldest()).getTime() < service.clock.now - 15 * DAY, 'there is something to forget');
  const from = isoTime(service.clock.now - 60 * DAY).slice(0, 10);
  const to = isoTime(service.clock.now - 12 * DAY).slice(0, 10);
  const old = async () =>
    (await service.call(`GET /v1/analytics/overview?from=${from}&to=${to}&include=bots`, { as: account })).body.current;
  assert.ok((await old()).visits > 0);
  await service.call('PATCH /v1/tracking/settings', { as: account, body: { retentionDays: 10 } });
  await until(async () => {
    const { rows } = await service.db.query(
      'select count(*) as n from analytics_deletions where account_id = $1 and before is not null',
      [account.uuid],
    );
    await countWhatArrived(around.deps);
    return rows[0].n === 0 && (await old()).visits === 0;
  });
  await assertExact(traffic, 4);
});
