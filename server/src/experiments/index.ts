/** Experiments: assignment, exposure and results. Its tables: experiment_series, experiment_sums, experiment_visitors, experiments. */
import type { Variations } from '../content/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import type { Pressure } from '../shared/pressure.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { keepEndedResults } from './keep-results.ts';
import { experimentRoutes } from './routes.ts';
import { sumsOfErased, sumsWorker } from './sums-worker.ts';

export { EXPERIMENT_LIMITS } from './limits.ts';
export { findServedVariants } from './served-variants.ts';

/** They can be made again, and what they know of transactions means nothing to another server: no backup contains them. */
export const SUM_TABLES = ['experiment_series', 'experiment_sums', 'experiment_visitors'];

export function experimentsModule(
  deps: Deps,
  variations: Variations,
  pressure: Pressure,
): Module & { personalData: PersonalDataHandler } {
  return {
    routes(app) {
      experimentRoutes(app, deps, variations);
    },
    workers: [sumsWorker(deps, pressure)],
    personalData: {
      ...sumsOfErased(deps),
      beforeRetention: (accountId, before, signal) => keepEndedResults(deps, accountId, before, signal),
    },
  };
}
