import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/harness.ts';
import { TokenBuckets } from '../shared/http/rate-limit.ts';
import { createLog } from '../shared/log.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { systemClock } from '../shared/time.ts';
import { SharedLimits } from './shared-limits.ts';

const control = await testDatabase();
const RATE = { perSecond: 200, burst: 200 };
const SECONDS = 2;
const LIMIT = RATE.burst + RATE.perSecond * SECONDS;

/** A process, as far as limits are concerned. */
function join(peers: { count: number }, db: Pick<ControlDatabase, 'query'> = control) {
  const buckets = new TokenBuckets(RATE, systemClock);
  const deps = { control: db as ControlDatabase, secret: Buffer.alloc(32), log: createLog('silent') };
  return { buckets, worker: new SharedLimits(deps, peers, new Map([['ingest', buckets]])) };
}

/** How many requests pass. @param load requests per second of a process, by the time in seconds */
async function passed(
  processes: { buckets: TokenBuckets }[],
  key: string,
  load: (process: number, at: number) => number,
  cost = 1,
): Promise<number> {
  const startedAt = performance.now();
  const owed = processes.map(() => 0);
  let [allowed, before] = [0, 0];
  for (let at = 0; at < SECONDS; at = (performance.now() - startedAt) / 1_000) {
    for (const [i, { buckets }] of processes.entries()) {
      let requests = (owed[i] ?? 0) + load(i, at) * (at - before);
      for (; requests >= cost; requests -= cost) if (buckets.take(key, cost).allowed) allowed += cost;
      owed[i] = requests;
    }
    before = at;
    await sleep(5);
  }
  return allowed;
}

test('a limit holds over all processes, however the load is spread and whatever happens to a process', async () => {
  const peers = { count: 3 };
  const processes = [join(peers), join(peers), join(peers)];
  const mortal = { count: 3 };
  const survivors = [join(mortal), join(mortal), join(mortal)];
  const cutOff = join({ count: 1 }, { query: () => Promise.reject(new Error('no database')) } as never);
  const moving = (i: number, at: number) => (i === Math.floor(at * 2) % 3 ? 900 : 0);
  const scenarios = {
    'even load': passed(processes, 'even', () => 400),
    'all load on one process': passed(processes, 'one', (i) => (i === 0 ? 800 : 0)),
    'skewed load': passed(processes, 'skewed', (i) => [900, 250, 40][i] ?? 0),
    'a flood': passed(processes, 'flood', () => 4_000),
    'load that moves from process to process': passed(processes, 'moving', moving),
    batches: passed(processes, 'batches', () => 800, 50),
    'a process is killed': passed(survivors, 'killed', (i, at) => (i === 0 && at > 0.7 ? 0 : 300)),
    'a process without a database': passed([cutOff], 'alone', () => 800),
  };
  const below = passed(processes, 'below', () => 50);
  setTimeout(() => {
    mortal.count = 2;
  }, 1_400);
  for (const [name, result] of Object.entries(scenarios)) {
    const error = (await result) / LIMIT - 1;
    assert.ok(Math.abs(error) <= 0.2, `${name}: ${await result} instead of ${LIMIT}`);
  }
  assert.ok((await below) > 148 * SECONDS, 'less than the limit is never refused');
  await Promise.all([...processes, ...survivors].map(({ worker }) => worker.stop()));
  const { rows } = await control.query('select count(*)::int as keys from rate_limit_usage');
  assert.equal(rows[0].keys, 8);
});
