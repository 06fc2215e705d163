/** Files of rows of any dataset, made by jobs. */
import type { Storage } from '../files/index.ts';
import { expireResults, type JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import type { PersonalDataHandler } from '../tracking/index.ts';
import { downloadRoute } from './download.ts';
import { orphansWorker } from './export-files.ts';
import { EXPORT, exportRoutes } from './routes.ts';
import { exportHandler } from './run-export.ts';

export { Bom } from './contract.ts';
export { DAY_DATASETS, type DayDatasetName } from './datasets/by-day.ts';
export { downloadHeaders } from './download.ts';
export { fileJobHandler, type WrittenFile } from './file-job.ts';
export { HashedFile } from './hashed-file.ts';
export { EXPORT_LIMITS } from './limits.ts';
export { BOM_NOT_ALLOWED } from './read-request.ts';
export { startExportJob } from './routes.ts';
export { runDays } from './run-days.ts';
export type { DayFile } from './write-days.ts';

export function exportsModule(
  deps: Deps,
  storage: Storage,
): Module & { jobs: JobHandlers; personalData: PersonalDataHandler } {
  const handler = exportHandler(deps, storage);
  return {
    routes(app) {
      exportRoutes(app, deps);
      downloadRoute(app, deps, storage);
    },
    workers: [orphansWorker(deps, storage)],
    jobs: { [EXPORT]: handler },
    // An export of any dataset may contain personal data.
    personalData: { eraseCopies: (accountId) => expireResults(deps, accountId, EXPORT, handler) },
  };
}
