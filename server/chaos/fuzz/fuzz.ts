import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createFirstRunLink } from '../../src/users/sign-in/first-run.ts';
import type { ServiceUnderTest } from '../../test/harness.ts';
import { PASSWORD, type TestUser } from '../../test/users.ts';
import { healthFinding, watchHealth } from '../health-watch.ts';
import { startMonitored, warmUp } from '../monitored-service.ts';
import { defineProof, finding } from '../proof.ts';
import { type FuzzPlan, type FuzzResult, LATE } from './fuzz-worker.ts';

const WORKER = join(import.meta.dirname, 'fuzz-worker.ts');

export const fuzz = defineProof({
  title: 'Random requests made from openapi.json, by several accounts and types of keys',
  parameters: { seed: 1, requests: 1_000_000, processes: 2, concurrency: 16, perRound: 60 },
  async run({ seed, requests, processes, concurrency, perRound }, log) {
    const service = await startMonitored({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    await warmUp(service);
    await service.read(true);
    const watch = await watchHealth(service.port);
    const start = performance.now();
    let longest = 0;
    const read = async () => {
      const { blockedMs, rss, openFiles } = await service.read();
      longest = Math.max(longest, blockedMs);
      log(`event loop blocked for ${longest} ms at most, ${Math.round(rss / 1_048_576)} MB, ${openFiles} open files`);
    };
    const timer = setInterval(read, 60_000).unref();
    const { operator, operations: first } = await completeFirstRun(service);
    const plan = { port: service.port, dataDir: service.dataDir, operator, concurrency, perRound };
    const results = await Promise.all(
      Array.from({ length: processes }, (_, i) =>
        runWorker({ ...plan, seed: seed + 1_000_000 * i, requests: Math.ceil(requests / processes) }),
      ),
    );
    clearInterval(timer);
    await read();
    const seconds = (performance.now() - start) / 1_000;
    const health = await watch.stop();
    const faults = results.flatMap((each) => each.faults);
    for (const fault of faults) log(fault);
    if (faults.length > 0) log(service.log().slice(-20_000));
    const sum = (value: (result: FuzzResult) => number) => results.reduce((total, each) => total + value(each), 0);
    const statuses = [...new Set(results.flatMap((each) => Object.keys(each.statuses)))].map((status) => {
      return `${status}: ${sum((each) => each.statuses[status] ?? 0)}`;
    });
    const never = results
      .map((each) => new Set(each.neverSucceeded))
      .reduce((all, each) => all.intersection(each))
      .difference(first);
    log(`operations without a success: ${[...never].join(', ') || 'none'}`);
    const operations = results[0]?.operations ?? 0;
    const succeeded = operations - never.size;
    const total = sum((each) => each.requests);
    return [
      finding(
        'Every response has a documented status and fits its schema; none is 500',
        `${total} requests at ${Math.round(total / seconds)}/s (${statuses.join(', ')}); ${faults.length} faults`,
        faults.every((fault) => fault.includes(LATE)),
      ),
      finding(
        'No request takes more than 2 s each time it is sent',
        `slowest ${Math.round(Math.max(...results.map((each) => each.slowest)))} ms; ${sum((each) => each.late)} replies after 2 s`,
        !faults.some((fault) => fault.includes(LATE)),
      ),
      finding('The event loop is not blocked for 250 ms', `${longest} ms`, longest < 250),
      healthFinding(health),
      // Without successes, the fuzzer would test nothing but refusals.
      finding(
        'At least 95 % of the operations succeed',
        `${succeeded} of ${operations}; never: ${[...never].join(', ') || 'none'}`,
        succeeded >= operations * 0.95,
      ),
    ];
  },
});

/** Creates the user who operates the service, and names the operations that did it. */
async function completeFirstRun({ control, call }: ServiceUnderTest) {
  const token = new URL((await createFirstRunLink(control, 'http://headwater.test', Date.now())) ?? '').hash.slice(1);
  const headers = { origin: 'http://headwater.test', 'sec-fetch-site': 'same-origin' };
  const operations = new Set<string>();
  const send = async (request: string, body: object) => {
    const answer = await call(request, { headers, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    operations.add(request);
    return answer;
  };
  const email = 'operator@users.example';
  await send('POST /auth/first-run/inspect', { token });
  const body = { token, email, name: 'Operator', password: PASSWORD, accountName: 'First' };
  const { headers: sent } = await send('POST /auth/first-run', body);
  const cookie = String([sent['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
  // No account: the routes of operators need none.
  const operator: TestUser = { userId: '', uuid: '', email, sessionId: '', cookie, account: undefined };
  return { operator, operations };
}

async function runWorker(plan: FuzzPlan): Promise<FuzzResult> {
  const child = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(plan);
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`a process of the fuzzer exited with code ${code}`);
    }),
  ]);
  return result as FuzzResult;
}
