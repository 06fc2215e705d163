import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPid } from '../../test/service-process.ts';
import { defineProof, finding } from '../proof.ts';
import { startEventLoad } from './event-load.ts';
import { type CellInstallation, childrenOf, installCells, portOf } from './installation.ts';

/** Of the clock in /proc. */
const TICKS_PER_SECOND = 100;
const WARM_UP_MS = 5_000;
const MIN_RATIO = 1.8;

export const cellScaling = defineProof({
  title:
    'One cell, and then two cells with the same load each: processor time per request of PostgreSQL and of the service.',
  parameters: { seconds: 40, perSecond: 1_000 },
  async run({ seconds, perSecond }, log) {
    const at = await installCells({ services: 1, perSecond }, ['east', 'west']);
    const measure = async (count: number) => {
      const chosen = at.accounts.slice(0, count);
      const stop = startEventLoad({ ports: at.services.map(portOf), accounts: chosen });
      await sleep(WARM_UP_MS);
      const before = usage(
        at,
        chosen.map(({ name }) => name),
      );
      const startedAt = Date.now();
      await sleep(seconds * 1_000);
      const after = usage(
        at,
        chosen.map(({ name }) => name),
      );
      const endedAt = Date.now();
      const loads = Object.values(await stop());
      const requests = loads
        .flatMap(({ responses }) => responses.at)
        .filter((sentAt) => sentAt >= startedAt && sentAt < endedAt).length;
      const failed = loads.reduce((sum, { refused }) => sum + Object.keys(refused).length, 0);
      const micro = (what: 'cells' | 'service') => ((after[what] - before[what]) / requests) * 1e6;
      const measured = { requests, failed, cells: micro('cells'), service: micro('service') };
      log(`${count} cells: ${JSON.stringify(measured)}`);
      return measured;
    };
    // The code is compiled and the caches are full.
    await measure(2);
    // In turns: the machine may be busier at one time than at another.
    const runs = [await measure(1), await measure(2), await measure(2), await measure(1)];
    const mean = (indexes: number[], what: 'cells' | 'service') =>
      indexes.reduce((sum, i) => sum + (runs[i]?.[what] ?? 0), 0) / indexes.length;
    const [one, two] = [mean([0, 3], 'cells'), mean([1, 2], 'cells')];
    const ratio = (2 * one) / two;
    return [
      finding(
        'no request fails',
        runs.map(({ requests }) => requests).join(', '),
        runs.every(({ failed }) => failed === 0),
      ),
      finding(
        `two cells with a core each take ${MIN_RATIO} times the load of one, by processor time of PostgreSQL per request`,
        `${one.toFixed(0)} µs with one cell, ${two.toFixed(0)} µs with two: ${ratio.toFixed(2)} times`,
        ratio >= MIN_RATIO,
      ),
      finding(
        'the service takes no more per request with two cells, within 10 %',
        `${mean([0, 3], 'service').toFixed(0)} µs with one cell, ${mean([1, 2], 'service').toFixed(0)} µs with two`,
        mean([1, 2], 'service') <= 1.1 * mean([0, 3], 'service'),
      ),
    ];
  },
});

/** Seconds of processor time so far: of the servers of the cells with their processes, and of the service. */
function usage(at: CellInstallation, cells: string[]): { cells: number; service: number } {
  const pids = cells.map((cell) => postgresPid(at.servers.get(cell)?.dataDir ?? ''));
  const trees = pids.map(
    (pid) => secondsOf(pid, true) + childrenOf(pid).reduce((sum, child) => sum + secondsOf(child), 0),
  );
  return {
    cells: trees.reduce((a, b) => a + b, 0),
    service: at.services.reduce((sum, { pid }) => sum + secondsOf(pid), 0),
  };
}

/** @param hasEnded also of its child processes that have ended */
function secondsOf(pid: number, hasEnded = false): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, hasEnded ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    // It has ended.
    return 0;
  }
}
