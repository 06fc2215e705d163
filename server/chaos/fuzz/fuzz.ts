import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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
    const plan = { port: service.port, dataDir: service.dataDir, concurrency, perRound };
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
    const [first] = results;
    const never = first?.neverSucceeded.filter((name) => results.every((each) => each.neverSucceeded.includes(name)));
    log(`operations without a success: ${never?.join(', ') || 'none'}`);
    const operations = first?.operations ?? 0;
    const succeeded = operations - (never?.length ?? 0);
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
      // Without successes, the fuzzer would test nothing but refusals. Some need a secret that is known to nobody.
      finding(
        'At least 60 % of the operations succeed',
        `${succeeded} of ${operations}`,
        succeeded >= operations * 0.6,
      ),
    ];
  },
});

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
