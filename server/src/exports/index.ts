import { registerJob } from '../jobs/index.ts';
import type { Room } from '../shared/deps.ts';
import { forgottenFilesWorker } from './export-folder.ts';
import { EXPORT, exportRoutes } from './routes.ts';
import { exportHandler } from './run-export.ts';

export const exportsRoom: Room = (app, deps) => {
  registerJob(deps, EXPORT, exportHandler(deps));
  exportRoutes(app, deps);
  return [forgottenFilesWorker(deps)];
};
