import { expireResults, registerJob } from '../jobs/index.ts';
import type { Room } from '../shared/deps.ts';
import { holdPersonalData } from '../tracking/index.ts';
import { forgottenFilesWorker } from './export-folder.ts';
import { EXPORT, exportRoutes } from './routes.ts';
import { exportHandler } from './run-export.ts';

export { fileJobHandler, type WrittenFile } from './file-job.ts';
export { HashedFile } from './hashed-file.ts';

export const exportsRoom: Room = (app, deps) => {
  registerJob(deps, EXPORT, exportHandler(deps));
  // Whatever dataset a file has, somebody's data may be in it.
  holdPersonalData(deps, { eraseCopies: (accountId) => expireResults(deps, accountId, EXPORT) });
  exportRoutes(app, deps);
  return [forgottenFilesWorker(deps)];
};
