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
/** A round takes 5 ms, and an exchange of the processes little more. */
const LONG_MS = 60;

/** How long the machine kept a round or an exchange waiting at most, since the last attempt. */
let longestMs = 0;
const waited = (since: number) => {
  longestMs = Math.max(longestMs, performance.now() - since);
};

const timed = {
  async query(statement: never, values: never) {
    const since = performance.now();
    const result = await control.query(statement, values);
    waited(since);
    return result;
  },
} as Pick<ControlDatabase, 'query'>;

/** A process, as far as limits are concerned. */
function join(peers: { count: number }, db: Pick<ControlDatabase, 'query'> = timed) {
  const buckets = new TokenBuckets(RATE, systemClock);
  const deps = { control: db as ControlDatabase, secret: Buffer.alloc(32), log: createLog('silent') };
  return { buckets, worker: new SharedLimits(deps, peers, new Map([['ingest', buckets]])) };
}

/** How many requests pass, and in how many seconds. @param load requests per second of a process, by the time in seconds */
async function passed(
  processes: { buckets: TokenBuckets }[],
  key: string,
  load: (process: number, at: number) => number,
  cost = 1,
): Promise<{ allowed: number; seconds: number }> {
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
    const since = performance.now();
    await sleep(5);
    waited(since);
  }
  return { allowed, seconds: before };
}

/** What is wrong with the numbers of requests that pass. */
async function faultsOf(attempt: number): Promise<string[]> {
  longestMs = 0;
  const peers = { count: 3 };
  const processes = [join(peers), join(peers), join(peers)];
  const mortal = { count: 3 };
  const survivors = [join(mortal), join(mortal), join(mortal)];
  const cutOff = join({ count: 1 }, { query: () => Promise.reject(new Error('no database')) } as never);
  const moving = (i: number, at: number) => (i === Math.floor(at * 2) % 3 ? 900 : 0);
  const of = (key: string) => `${key} ${attempt}`;
  const scenarios = {
    'even load': passed(processes, of('even'), () => 400),
    'all load on one process': passed(processes, of('one'), (i) => (i === 0 ? 800 : 0)),
    'skewed load': passed(processes, of('skewed'), (i) => [900, 250, 40][i] ?? 0),
    'a flood': passed(processes, of('flood'), () => 4_000),
    'load that moves from process to process': passed(processes, of('moving'), moving),
    batches: passed(processes, of('batches'), () => 800, 50),
    'a process is killed': passed(survivors, of('killed'), (i, at) => (i === 0 && at > 0.7 ? 0 : 300)),
    'a process without a database': passed([cutOff], of('alone'), () => 800),
  };
  const below = passed(processes, of('below'), () => 50);
  setTimeout(() => {
    mortal.count = 2;
  }, 1_400);
  const faults: string[] = [];
  for (const [name, result] of Object.entries(scenarios)) {
    const { allowed, seconds } = await result;
    const limit = RATE.burst + RATE.perSecond * seconds;
    if (Math.abs(allowed / limit - 1) > 0.2) faults.push(`${name}: ${allowed} instead of ${limit}`);
  }
  const { allowed, seconds } = await below;
  if (allowed <= 150 * seconds - 4) faults.push(`less than the limit is refused: ${allowed} of ${150 * seconds} pass`);
  await Promise.all([...processes, ...survivors].map(({ worker }) => worker.stop()));
  return faults;
}

test('a limit holds over all processes, however the load is spread and whatever happens to a process', async () => {
  for (let attempt = 1; ; attempt++) {
    const faults = await faultsOf(attempt);
    const { rows } = await control.query('select count(*)::int as keys from rate_limit_usage');
    assert.equal(rows[0].keys, 8 * attempt);
    if (faults.length === 0) return;
    // Processes that stood still, or could not exchange what they used, say nothing.
    assert.ok(
      longestMs > LONG_MS && attempt < 20,
      `${faults.join('; ')}, without a wait over ${Math.round(longestMs)} ms`,
    );
  }
});
