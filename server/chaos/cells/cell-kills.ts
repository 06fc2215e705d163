import { setTimeout as sleep } from 'node:timers/promises';
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
/** After a recovery, so that its last requests do not count as undisturbed. */
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
    const disturbed: Span[] = [];
    const undisturbed: Span[] = [];
    const recoveries: number[] = [];
    await sleep(2 * UNDISTURBED_MS);
    for (let i = 0; i < kills; i++) {
      const calmAt = Date.now();
      await sleep(UNDISTURBED_MS);
      const killedAt = Date.now();
      undisturbed.push([calmAt, killedAt]);
      await east.kill(i % 2 === 0);
      await sleep(down * 1_000);
      await east.start();
      const startedAt = Date.now();
      while (!(await isServed(at))) await sleep(20);
      disturbed.push([killedAt, Date.now()]);
      recoveries.push(Date.now() - startedAt);
      await sleep(SETTLE_MS);
      if (i % 5 === 4) log(`${i + 1} kills`);
    }
    const { east: dead, west: other } = await stop();
    if (!dead || !other) throw new Error('the load has no result');
    const refusals = dead.responses.ms.filter((_, i) => dead.responses.status[i] !== 200);
    const slowest = Math.max(0, ...refusals);
    const isRefused = Object.keys(dead.refused).every((what) => what === '500');
    const recovery = Math.max(...recoveries);
    const each = [await checkCell(at, 'east', dead), await checkCell(at, 'west', other)];
    return [
      finding(
        'requests of the dead cell are refused with 500 and Retry-After',
        `${kills} kills, ${describeCounts(dead.refused)} of ${dead.responses.ms.length}`,
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
      compare(other.responses, undisturbed, disturbed),
      ...each.flatMap((findings, i) => named(i === 0 ? 'dead cell' : 'other cell', findings)),
    ];
  },
});

const named = (cell: string, findings: Finding[]) =>
  findings.map((each) => ({ ...each, condition: `${cell}: ${each.condition}` }));

/** Whether the account of the cell that is killed is served. */
async function isServed({ services, accounts }: CellInstallation): Promise<boolean> {
  const [service] = services;
  if (!service) return false;
  const { status } = await send(service, 'GET /v1/cms/collections', { token: accounts[0]?.token ?? '' });
  return status === 200;
}

/** The 99th percentile of the other cell, while the first one is dead or recovers and while it is not. */
function compare({ at, ms }: Responses, undisturbed: Span[], disturbed: Span[]): Finding {
  const p99 = (spans: Span[]) => {
    const chosen = ms.filter((_, i) => spans.some(([from, to]) => (at[i] ?? 0) >= from && (at[i] ?? 0) < to));
    return Float64Array.from(chosen).sort()[Math.floor(chosen.length * 0.99)] ?? 0;
  };
  const [before, during] = [p99(undisturbed), p99(disturbed)];
  return finding(
    `p99 of the other cell is within ${Math.round(MAX_RATIO * 100 - 100)} % of undisturbed`,
    `${before.toFixed(1)} ms undisturbed, ${during.toFixed(1)} ms while the cell is dead or recovers`,
    during <= before * MAX_RATIO,
  );
}
