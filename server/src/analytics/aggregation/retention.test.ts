import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { isoTime } from '../../shared/time.ts';
import { assertExact, environmentOf, randomFrom, SEED, Traffic } from '../test-traffic.ts';
import { aggregateNewRows } from './aggregate-new-rows.ts';
import { updateSegments } from './update-segments.ts';

const service = await testService();
const environment = environmentOf(service);
const DAY = 86_400_000;
for (const worker of service.workers) worker.start();

test('rows deleted by retention are no longer counted, in segments or not; every number still equals the exports', async () => {
  const traffic = new Traffic(environment, await service.newAccount(), randomFrom(SEED + 2));
  const { account } = traffic;
  for (let i = 0; i < 200; i++) await traffic.anything();
  await aggregateNewRows(environment.deps);
  await updateSegments(environment.deps, undefined, 0);
  for (let i = 0; i < 50; i++) await traffic.anything();
  await aggregateNewRows(environment.deps);
  const oldest = async () => {
    const { rows } = await service.db.query(
      'select min(first_at) as at from analytics_segments where account_id = $1',
      [account.uuid],
    );
    return rows[0].at as Date;
  };
  assert.ok((await oldest()).getTime() < service.clock.now - 15 * DAY, 'there is something to delete');
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
    await aggregateNewRows(environment.deps);
    return rows[0].n === 0 && (await old()).visits === 0;
  });
  await assertExact(traffic, 4);
});
