/** Every number of every report is compared with a count of all rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';
import { updateSegments } from '../aggregation/update-segments.ts';
import { channelOf, type Row } from '../test-recount.ts';
import { assertExact, environmentOf, randomFrom, SEED, Traffic } from '../test-traffic.ts';

const service = await testService();
const environment = environmentOf(service);
const { deps } = environment;
const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('no job runner');
runner.start();

const RULES = [
  {
    ...{ name: 'Brand', match: 'all' },
    conditions: [
      { field: 'source', operator: 'is', values: ['GOOGLE'] },
      {
        match: 'any',
        conditions: [
          { field: 'campaign', operator: 'startsWith', values: ['Ma'] },
          { field: 'platform', operator: 'is', values: ['gclid', 'alart'] },
        ],
      },
    ],
  },
  {
    ...{ name: 'Email', match: 'any' },
    conditions: [
      { field: 'source', operator: 'matches', values: ['n*ter', 'x'] },
      { field: 'term', operator: 'contains', values: ['BLUE'] },
    ],
  },
  {
    ...{ name: 'Deep', match: 'all' },
    conditions: [
      { field: 'landingPath', operator: 'isNot', values: ['/b/c', '/'] },
      { field: 'medium', operator: 'is', values: [null, 'email'] },
      { field: 'platform', operator: 'isNot', values: [null] },
      { field: 'referrerHost', operator: 'containsNot', values: ['bing'] },
    ],
  },
];

/** The same by hand. */
const OWN = {
  channelOf(row: Row) {
    if (row.source === 'google' && (row.campaign === 'may' || row.gclid || row.alart)) return 'Brand';
    if (row.source === 'news letter' || row.term === 'light blue') return 'Email';
    const isDeep = new URL(row.landingUrl).pathname.startsWith('/a');
    const isClick = row.gclid || row.fbclid || row.alart;
    if (isDeep && isClick && (row.medium === null || row.medium === 'Email') && row.referrer === null) return 'Deep';
    return channelOf(row);
  },
};

/** @param rounds of 150 requests, after each of which all is compared and somebody erased */
export function testExactReports(rounds: number): void {
  test('every number equals a recount of the exports, whatever was received, in any order, whenever it was aggregated', async () => {
    const traffic = new Traffic(environment, await service.newAccount(), randomFrom(SEED));
    const other = new Traffic(environment, await service.newAccount(), randomFrom(SEED + 1));
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < 150; i++) {
        service.clock.now += 60_000;
        await traffic.anything();
        if (i % 5 === 0) await other.anything();
      }
      await aggregateNewRows(deps);
      await assertExact(traffic, 4);
      await assertExact(other, 1);
      await traffic.erase();
      await aggregateNewRows(deps);
      await assertExact(traffic, 2);
    }
    // Own channels apply to what was recorded and aggregated before.
    const put = await service.call('PUT /v1/analytics/channel-rules', { as: traffic.account, body: { rules: RULES } });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    await assertExact(traffic, 3, OWN);
    // Everything in segments, then the erased sessions when they are due.
    await updateSegments(deps, undefined, 0);
    await assertExact(traffic, 2, OWN);
    service.clock.now += 2 * 3_600_000;
    await aggregateNewRows(deps);
    await assertExact(traffic, 2, OWN);
  });
}
