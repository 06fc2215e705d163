import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { testDatabase } from '../../test/harness.ts';
import { TokenBuckets } from '../shared/http/rate-limit.ts';
import { createLog } from '../shared/log.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { SharedLimits } from './shared-limits.ts';

const control = await testDatabase();
const RATE = { perSecond: 200, burst: 200 };
const SECONDS = 2;
/** By as much time passes at a time, for processes and database alike. */
const STEP_MS = 5;

let now = Date.now();
const exchanging = new Set<Promise<unknown>>();

/** The control database, whose clock is that of the test. */
const timed = {
  query({ text, values }: { text: string; values: unknown[] }) {
    const result = control.query(text.replaceAll('clock_timestamp()', `to_timestamp(${now / 1_000})`), values);
    exchanging.add(result);
    const done = () => exchanging.delete(result);
    result.then(done, done);
    return result;
  },
} as unknown as Pick<ControlDatabase, 'query'>;

/** A process, as far as limits are concerned. */
function join(peers: { count: number }, db: Pick<ControlDatabase, 'query'> = timed) {
  const buckets = new TokenBuckets(RATE, () => now);
  const deps = { control: db as ControlDatabase, secret: Buffer.alloc(32), log: createLog('silent') };
  return { buckets, worker: new SharedLimits(deps, peers, new Map([['ingest', buckets]])) };
}

/** How many requests pass of those that clients send. */
class Clients {
  allowed = 0;
  readonly #processes: readonly { buckets: TokenBuckets }[];
  readonly #key: string;
  readonly #load: (process: number, at: number) => number;
  readonly #cost: number;
  readonly #owed: number[];

  /** @param load requests per second of a process, by the time in seconds */
  constructor(
    processes: readonly { buckets: TokenBuckets }[],
    key: string,
    load: (process: number, at: number) => number,
    cost = 1,
  ) {
    this.#processes = processes;
    this.#key = key;
    this.#load = load;
    this.#cost = cost;
    this.#owed = processes.map(() => 0);
  }

  send(at: number): void {
    for (const [i, { buckets }] of this.#processes.entries()) {
      let requests = (this.#owed[i] ?? 0) + (this.#load(i, at) * STEP_MS) / 1_000;
      for (; requests >= this.#cost; requests -= this.#cost) {
        if (buckets.take(this.#key, this.#cost).allowed) this.allowed += this.#cost;
      }
      this.#owed[i] = requests;
    }
  }
}

test('a limit holds over all processes, however the load is spread and whatever happens to a process', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const peers = { count: 3 };
  const processes = [join(peers), join(peers), join(peers)];
  const mortal = { count: 3 };
  const survivors = [join(mortal), join(mortal), join(mortal)];
  const cutOff = join({ count: 1 }, { query: () => Promise.reject(new Error('no database')) } as never);
  const moving = (i: number, at: number) => (i === Math.floor(at * 2) % 3 ? 900 : 0);
  const scenarios = {
    'even load': new Clients(processes, 'even', () => 400),
    'all load on one process': new Clients(processes, 'one', (i) => (i === 0 ? 800 : 0)),
    'skewed load': new Clients(processes, 'skewed', (i) => [900, 250, 40][i] ?? 0),
    'a flood': new Clients(processes, 'flood', () => 4_000),
    'load that moves from process to process': new Clients(processes, 'moving', moving),
    batches: new Clients(processes, 'batches', () => 800, 50),
    'a process is killed': new Clients(survivors, 'killed', (i, at) => (i === 0 && at > 0.7 ? 0 : 300)),
    'a process without a database': new Clients([cutOff], 'alone', () => 800),
  };
  const below = new Clients(processes, 'below', () => 50);
  for (let passed = 0; passed < SECONDS * 1_000; passed += STEP_MS) {
    if (passed === 1_400) mortal.count = 2;
    for (const clients of [...Object.values(scenarios), below]) clients.send(passed / 1_000);
    now += STEP_MS;
    context.mock.timers.tick(STEP_MS);
    // What the processes exchange takes them no time.
    do {
      await Promise.allSettled(exchanging);
      await turn();
    } while (exchanging.size > 0);
  }
  const limit = RATE.burst + RATE.perSecond * SECONDS;
  const faults = Object.entries(scenarios).flatMap(([name, { allowed }]) =>
    Math.abs(allowed / limit - 1) > 0.2 ? [`${name}: ${allowed} instead of ${limit}`] : [],
  );
  assert.deepEqual(faults, []);
  assert.ok(below.allowed > 150 * SECONDS - 4, `less than the limit is refused: ${below.allowed} pass`);
  const { rows } = await control.query('select count(*)::int as keys from rate_limit_usage');
  assert.equal(rows[0].keys, 8);
  await Promise.all([...processes, ...survivors].map(({ worker }) => worker.stop()));
});
