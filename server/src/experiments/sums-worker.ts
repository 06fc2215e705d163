import type { Deps } from '../shared/deps.ts';
import type { Pressure } from '../shared/pressure.ts';
import { MINUTE } from '../shared/units.ts';
import { patientLoop, type WorkerLoop } from '../shared/worker-loop.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { findExperiment } from './queries.ts';
import {
  addErased,
  findSeriesOf,
  findSharing,
  findStarted,
  hasExposures,
  listErased,
  removeSums,
} from './sum-queries.ts';
import { addSeries, refreshErased, refreshSums } from './sums.ts';

const CHECK_MS = 3_000;
/** How often the exposures of small experiments are counted. */
const COUNT_MS = MINUTE;
/** The results of smaller experiments are computed at each request, which takes a tenth of a second. */
const MOST_WITHOUT_SUMS = 20_000;
/** After a run the worker pauses for this many times its duration, so that it takes at most a fiftieth of one processor. */
const PAUSE_FACTOR = 49;
const MAX_PAUSE_MS = 5 * MINUTE;

/**
 * Brings all sums up to date.
 * @param most experiments with more exposures get sums; undefined: none does
 */
export async function updateSums(
  deps: Pick<Deps, 'db' | 'control' | 'clock'>,
  most?: number,
  signal?: AbortSignal,
): Promise<void> {
  if (most !== undefined) {
    for (const { account_id, id } of await findStarted(deps.db, { has_sums: false })) {
      const [row] = await findExperiment(deps.db, { account_id, id });
      const isLarge = row && (await hasExposures(deps.db, { account_id, key: row.key, more_than: most })).length > 0;
      if (isLarge) await addSeries(deps, row, account_id);
    }
  }
  for (const { account_id, id } of await findStarted(deps.db, { has_sums: true })) {
    for (const { metric } of await findSeriesOf(deps.db, { account_id, experiment_id: id })) {
      if (signal?.aborted) return;
      await refreshSums(deps, { account_id, experiment_id: id, metric });
    }
  }
}

export function sumsWorker(deps: Deps, pressure: Pressure): WorkerLoop {
  let lastCount = Number.NEGATIVE_INFINITY;
  return patientLoop({
    name: 'update the sums of experiments',
    log: deps.log,
    everyMs: CHECK_MS,
    pressure,
    pauseAfter: (ms) => Math.min(ms * PAUSE_FACTOR, MAX_PAUSE_MS),
    run(signal) {
      const start = performance.now();
      const isCounting = start - lastCount >= COUNT_MS;
      if (isCounting) lastCount = start;
      return updateSums(deps, isCounting ? MOST_WITHOUT_SUMS : undefined, signal);
    },
  });
}

/** Erased persons leave the sums with their exposures, and others lose the sales of sessions that they shared. */
export function sumsOfErased(deps: Pick<Deps, 'db' | 'control' | 'clock'>): PersonalDataHandler {
  const { db } = deps;
  return {
    async beforeErasing(account_id, lead, sessions) {
      const found = await findSharing(db, { account_id, lead, sessions: [...sessions] });
      const visitors = found.flatMap(({ visitor }) => visitor ?? []);
      await addErased(db, { account_id, visitors, leads: found.flatMap(({ lead }) => lead ?? []) });
    },
    async eraseLead(account_id, lead) {
      await addErased(db, { account_id, visitors: [], leads: [lead] });
    },
    async anonymizeBefore(account_id) {
      await removeSums(db, { account_id });
    },
    async eraseCopies(account_id) {
      for (const { experiment_id, metric } of await listErased(db, { account_id }))
        await refreshErased(deps, { account_id, experiment_id, metric });
    },
  };
}
