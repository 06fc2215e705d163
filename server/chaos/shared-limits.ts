import { setTimeout as sleep } from 'node:timers/promises';
import { commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import { send } from './http-client.ts';
import { defineProof, type Finding, finding } from './proof.ts';
import { startDatabase } from './support.ts';

const TICK_MS = 10;
const MAX_ERROR = 0.2;

interface Load {
  name: string;
  /** Of each process, as a multiple of the limit. */
  loads: number[];
  killsFirst?: boolean;
}

const LOADS: Load[] = [
  { name: 'even load on three processes', loads: [0.7, 0.7, 0.7] },
  { name: 'all load on one of three', loads: [2, 0, 0] },
  { name: 'skewed load', loads: [1.5, 0.4, 0.1] },
  { name: 'ten times the limit', loads: [3.3, 3.3, 3.3] },
  { name: 'one of three is killed halfway', loads: [0.7, 0.7, 0.7], killsFirst: true },
];

export const sharedLimits = defineProof({
  title:
    'Three processes get more requests of a key than its rate limit allows, evenly, on one of them, and while one is killed.',
  parameters: { limit: 200, seconds: 10 },
  async run({ limit, seconds }, log) {
    const { url } = await startDatabase();
    const env = { DATABASE_URL: url, RATE_LIMIT: 'on', RATE_LIMIT_READ: `${limit}:${limit}` };
    const processes: ServiceProcess[] = [];
    for (let i = 0; i < 3; i++) processes.push(await startService({ ...env, DATA_DIR: newDataDir() }));
    // The processes have heard of each other.
    await sleep(1_500);
    const findings: Finding[] = [];
    for (const load of LOADS) {
      const { token } = await commandJson(['accounts', 'create', load.name], env);
      const passed = await run(processes, token, load, limit, seconds);
      const allowed = limit + limit * seconds;
      const error = passed / allowed - 1;
      log(`${load.name}: ${passed} of ${allowed}`);
      findings.push(
        finding(
          `${load.name}: as many requests pass as the limit allows, to ${MAX_ERROR * 100} %`,
          `${passed} of ${allowed} (${error < 0 ? '' : '+'}${(error * 100).toFixed(1)} %)`,
          Math.abs(error) <= MAX_ERROR,
        ),
      );
    }
    return findings;
  },
});

/** How many requests pass. */
async function run(
  processes: readonly ServiceProcess[],
  token: string,
  { loads, killsFirst }: Load,
  limit: number,
  seconds: number,
): Promise<number> {
  const headers = { 'x-api-key': `Bearer ${token}` };
  const pending: Promise<void>[] = [];
  const owed = loads.map(() => 0);
  let passed = 0;
  let isKilled = false;
  const startedAt = performance.now();
  for (let [at, before] = [0, 0]; at < seconds; at = (performance.now() - startedAt) / 1_000) {
    if (killsFirst && at > seconds / 2 && !isKilled) {
      isKilled = true;
      processes[0]?.kill('SIGKILL');
    }
    for (const [i, { url }] of processes.entries()) {
      let requests = (owed[i] ?? 0) + (loads[i] ?? 0) * limit * (at - before);
      for (; requests >= 1; requests--) {
        if (isKilled && i === 0) continue;
        const port = Number(new URL(url).port);
        const sent = send(port, { method: 'GET', path: '/v1/limits', headers }).then(({ status }) => {
          if (status === 200) passed++;
        });
        // Those on their way to a process that is killed are lost.
        pending.push(sent.catch(() => {}));
      }
      owed[i] = requests;
    }
    before = at;
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  return passed;
}
