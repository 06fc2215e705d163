import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../test/service-process.ts';
import { defineProof, type Finding, finding } from '../proof.ts';
import { send } from '../support.ts';
import { type Responses, startEventLoad } from './event-load.ts';
import {
  type CellInstallation,
  type CellServer,
  checkCell,
  describeCounts,
  installCells,
  portOf,
} from './installation.ts';

/** Between two kills, in which latencies are those of an undisturbed service: as long as a disturbance. */
const UNDISTURBED_MS = 6_000;
/** After a recovery, in which what was refused is repeated. */
const SETTLE_MS = 1_000;
const MAX_REFUSAL_MS = 1_000;
const MAX_RECOVERY_MS = 2_000;
const MAX_RATIO = 1.2;

type Span = readonly [from: number, to: number];

export const cellKills = defineProof({
  title: 'kill -9 of the PostgreSQL of one of two cells, again and again, while both ingest at a steady rate.',
  parameters: { kills: 20, perSecond: 300, down: 4 },
  async run({ kills, perSecond, down }, log) {
    const at = await installCells({ services: 1, perSecond }, ['east', 'west']);
    const east = at.servers.get('east') as CellServer;
    const stop = startEventLoad({ ports: at.services.map(portOf), accounts: at.accounts });
    const dead: Span[] = [];
    const recovering: Span[] = [];
    const undisturbed: Span[] = [];
    const [service] = at.services as [ServiceProcess];
    const busy = { undisturbed: 0, dead: 0 };
    const recoveries: number[] = [];
    await sleep(2 * UNDISTURBED_MS);
    for (let i = 0; i < kills; i++) {
      const calmAt = Date.now();
      const before = processorMs(service);
      await sleep(UNDISTURBED_MS);
      const killedAt = Date.now();
      const atKill = processorMs(service);
      undisturbed.push([calmAt, killedAt]);
      await east.kill(i % 2 === 0);
      await sleep(down * 1_000);
      // From here on its recovery takes processor and disk, which is not the service's work.
      const startingAt = Date.now();
      dead.push([killedAt, startingAt]);
      busy.undisturbed += atKill - before;
      busy.dead += processorMs(service) - atKill;
      await east.start();
      const startedAt = Date.now();
      while (!(await isServed(at))) await sleep(20);
      recoveries.push(Date.now() - startedAt);
      await sleep(SETTLE_MS);
      recovering.push([startingAt, Date.now()]);
      if (i % 5 === 4) log(`${i + 1} kills`);
    }
    const { east: killed, west: other } = await stop();
    if (!killed || !other) throw new Error('the load has no result');
    const refusals = killed.responses.ms.filter((_, i) => killed.responses.status[i] !== 200);
    const slowest = Math.max(0, ...refusals);
    const isRefused = Object.keys(killed.refused).every((what) => what === '500');
    const recovery = Math.max(...recoveries);
    const each = [await checkCell(at, 'east', killed), await checkCell(at, 'west', other)];
    return [
      finding(
        'requests of the dead cell are refused with 500 and Retry-After',
        `${kills} kills, ${describeCounts(killed.refused)} of ${killed.responses.ms.length}`,
        isRefused && refusals.length > 0,
      ),
      finding(`within ${MAX_REFUSAL_MS} ms`, `slowest ${Math.round(slowest)} ms`, slowest <= MAX_REFUSAL_MS),
      finding(
        `served again within ${MAX_RECOVERY_MS} ms of the start of its server`,
        `after ${recovery} ms at most`,
        recovery <= MAX_RECOVERY_MS,
      ),
      finding(
        'no request of the other cell fails',
        `${other.responses.ms.length} requests, ${describeCounts(other.refused)}`,
        Object.keys(other.refused).length === 0,
      ),
      compare(other.responses, undisturbed, dead, recovering),
      finding(
        'the service takes no more processor time while a cell is dead',
        `${share(busy.undisturbed, undisturbed)} % of a core undisturbed, ${share(busy.dead, dead)} % while it is dead`,
        share(busy.dead, dead) <= share(busy.undisturbed, undisturbed) * MAX_RATIO,
      ),
      ...each.flatMap((findings, i) => named(i === 0 ? 'dead cell' : 'other cell', findings)),
    ];
  },
});

/** The processor time of a process. The kernel counts in hundredths of a second. */
function processorMs({ pid }: ServiceProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const share = (busyMs: number, spans: Span[]) =>
  Math.round((100 * busyMs) / spans.reduce((sum, [from, to]) => sum + to - from, 0));

const named = (cell: string, findings: Finding[]) =>
  findings.map((each) => ({ ...each, condition: `${cell}: ${each.condition}` }));

/** Whether the account of the cell that is killed is served. */
async function isServed({ services, accounts }: CellInstallation): Promise<boolean> {
  const [service] = services;
  if (!service) return false;
  const { status } = await send(service, 'GET /v1/cms/collections', { token: accounts[0]?.token ?? '' });
  return status === 200;
}

/** The 99th percentile of the other cell while the first one is dead, while it comes back, and while it is undisturbed. */
function compare({ at, ms }: Responses, ...spans: [undisturbed: Span[], dead: Span[], recovering: Span[]]): Finding {
  const p99 = (chosen: Span[]) => {
    const sample = ms.filter((_, i) => chosen.some(([from, to]) => (at[i] ?? 0) >= from && (at[i] ?? 0) < to));
    return Float64Array.from(sample).sort()[Math.floor(sample.length * 0.99)] ?? 0;
  };
  const [undisturbed, dead, recovering] = spans.map(p99) as [number, number, number];
  return finding(
    `p99 of the other cell is within ${Math.round(MAX_RATIO * 100 - 100)} % of undisturbed while one is dead`,
    `${undisturbed.toFixed(1)} ms undisturbed, ${dead.toFixed(1)} ms while it is dead, ${recovering.toFixed(1)} ms while it recovers and in the second after`,
    dead <= undisturbed * MAX_RATIO,
  );
}
