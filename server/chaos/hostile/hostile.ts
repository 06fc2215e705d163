import { furnish } from '../../test/furnished-account.ts';
import { type MonitoredService, startMonitored, warmUp } from '../monitored-service.ts';
import { defineProof, type Finding, finding } from '../proof.ts';
import { type Attack, Target } from './attack.ts';
import { BODIES } from './bodies.ts';
import { CONNECTIONS } from './connections.ts';
import { CONTENT } from './content.ts';
import { TRACKING } from './tracking.ts';
import { UPLOADS } from './uploads.ts';

const ATTACKS: readonly Attack[] = [...BODIES, ...CONNECTIONS, ...TRACKING, ...CONTENT, ...UPLOADS];

const MAX_BLOCK_MS = 250;
const MEGABYTE = 1_048_576;
const MAX_GROWTH_MB = 100;
/** How often an attack that exceeds a limit is repeated: on a busy machine a single measurement proves nothing. */
const ATTEMPTS = 3;

interface Measured {
  name: string;
  blockedMs: number;
  /** Over what the service had after garbage collection. */
  growthMb: number;
  statuses: Map<number | 'closed', number>;
}

export const hostile = defineProof({
  title: 'Requests that exhaust careless parsers, one by one, with a monitor of the event loop and the memory',
  // Every n-th attack, for a part of them.
  parameters: { every: 1, offset: 0 },
  run: ({ every, offset }, log) =>
    runAttacks(
      ATTACKS.filter((_, i) => i % every === offset % every),
      log,
    ),
});

export async function runAttacks(attacks: readonly Attack[], log: (line: string) => void): Promise<Finding[]> {
  const service = await startMonitored();
  await warmUp(service);
  const account = await furnish(service, 'victim');
  // The first of each kind also pay for what is compiled and allocated once.
  for (const attack of ATTACKS.slice(0, 5)) await attack.run(new Target(service.port, account));
  const measured: Measured[] = [];
  for (const attack of attacks) {
    const result = await measure(service, attack, () => new Target(service.port, account));
    measured.push(result);
    const { name, blockedMs, growthMb, statuses } = result;
    log(
      `${blockedMs} ms, ${growthMb} MB: ${name} (${[...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')})`,
    );
  }
  const worst = (value: (each: Measured) => number) => measured.reduce((a, b) => (value(a) >= value(b) ? a : b));
  const block = worst((each) => each.blockedMs);
  const growth = worst((each) => each.growthMb);
  const failed = measured.filter(({ statuses }) => [...statuses.keys()].some((status) => !ALLOWED.has(status)));
  const health = await service.call('GET /health');
  return [
    finding(
      `No attack blocks the event loop for ${MAX_BLOCK_MS} ms`,
      `${measured.length} attacks; longest ${block.blockedMs} ms (${block.name})`,
      block.blockedMs < MAX_BLOCK_MS,
    ),
    finding(
      `No attack takes more than ${MAX_GROWTH_MB} MB of memory`,
      `most ${growth.growthMb} MB (${growth.name})`,
      growth.growthMb <= MAX_GROWTH_MB,
    ),
    finding(
      'Every response has a documented status',
      failed.map(({ name, statuses }) => `${name}: ${[...statuses.keys()].join()}`).join('; ') || 'yes',
      failed.length === 0,
    ),
    finding('The service is healthy afterwards', health.status, health.status === 200),
  ];
}

async function measure(service: MonitoredService, attack: Attack, newTarget: () => Target): Promise<Measured> {
  let best: Measured | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await service.read(true);
    await service.read();
    const target = newTarget();
    await attack.run(target);
    const after = await service.read();
    const growthMb = Math.max(0, Math.round((after.peakRss - before.rss) / MEGABYTE));
    const { blockedMs } = after;
    const result = { name: attack.name, blockedMs, growthMb, statuses: target.statuses };
    best = {
      ...result,
      blockedMs: Math.min(blockedMs, best?.blockedMs ?? blockedMs),
      growthMb: Math.min(growthMb, best?.growthMb ?? growthMb),
    };
    if (best.blockedMs < MAX_BLOCK_MS && best.growthMb <= MAX_GROWTH_MB) break;
  }
  if (!best) throw new Error('nothing was measured');
  return best;
}

/** Those of the API, and those of files and of tus (https://tus.io/protocols/resumable-upload). */
const ALLOWED = new Set<number | 'closed'>([
  200,
  400,
  401,
  404,
  405,
  429,
  201,
  204,
  206,
  301,
  302,
  304,
  403,
  409,
  410,
  412,
  413,
  415,
  416,
  'closed',
]);
