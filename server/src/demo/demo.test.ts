import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { testVault } from '../../test/test-keys.ts';
import { createLog } from '../shared/log.ts';
import { createMetrics } from '../shared/metrics.ts';
import { pageTokens } from '../shared/page-token.ts';
import { sessionIds } from '../shared/session-ids.ts';
import { makeDemo, SIZES } from './index.ts';

const service = await testService();
const { db, control, config, clock } = service;
const secret = Buffer.alloc(32, 7);
const deps = {
  ...{ config, db, control, secret },
  log: createLog('silent'),
  metrics: createMetrics(),
  clock: () => clock.now,
  pageTokens: pageTokens(secret),
  sessionIds: sessionIds(secret),
  vault: testVault(),
  publicUrl: () => 'http://headwater.test',
};

test('a demo account has exactly the numbers of its size, nothing in the future, and the variety of a real shop', async () => {
  const messages: string[] = [];
  const { account } = await makeDemo(deps, 'small', (message) => messages.push(message));
  assert.match(account.name, /small/);
  assert(messages.length > 0);
  const { rows } = await db.query(
    `select (select count(*) from sessions)::int as sessions, (select count(*) from events)::int as events,
       (select count(*) from conversions)::int as conversions, (select count(*) from entries)::int as entries,
       greatest((select max(occurred_at) from events), (select max(occurred_at) from visits),
         (select max(started_at) from sessions), (select max(received_at) from conversion_revisions),
         (select max(created_on) from conversions), (select max(last_seen_at) from leads)) <= $1 as is_past,
       exists (select from lead_sessions group by lead_id having count(*) > 2) as has_returned,
       exists (select from conversions where value = 0) as has_refund,
       exists (select from unmatched_conversions) as has_unmatched,
       (select count(*) from destination_deliveries)::int as deliveries,
       exists (select from destination_deliveries where status = 'sent') as has_sent,
       (select count(*) from destination_queue)::int as queued,
       (select count(*) from ad_costs)::int as ad_costs,
       (select count(*) from published_entries)::int as published,
       (select array_agg(distinct status order by status) from releases) as releases,
       (select count(*) from entry_reviews)::int as reviews, (select count(*) from entry_comments)::int as comments,
       (select count(distinct source) from sessions)::int as sources,
       (select count(*) from sessions where is_bot)::int > 0 as has_bots,
       (select count(*) from analytics_changed_sessions)::int as changed`,
    [new Date(clock.now)],
  );
  const { sessions, events, conversions, entries } = SIZES.small;
  assert.deepEqual(rows, [
    {
      ...{ sessions, events, conversions, entries },
      is_past: true,
      has_returned: true,
      has_refund: true,
      has_unmatched: true,
      deliveries: 3 * SIZES.small.conversions,
      has_sent: true,
      queued: 0,
      ad_costs: 6 * SIZES.small.days,
      published: 13,
      releases: ['completed', 'open', 'scheduled'],
      ...{ reviews: 2, comments: 1 },
      sources: 7,
      has_bots: true,
      changed: 0,
    },
  ]);
});

test('a demo account that does not fit on the disk is refused before anything is written', async () => {
  const embedded = { ...deps, config: { ...config, databaseUrl: undefined } };
  const accounts = async () => (await control.query('select id from accounts')).rows.length;
  const before = await accounts();
  const made = makeDemo(embedded, 'large', assert.fail, async () => ({ total: 80e9, free: 15e9 }));
  await assert.rejects(made, /--size large needs 16 GB of disk space in .*, where 15 GB are free/);
  assert.equal(await accounts(), before);
});
