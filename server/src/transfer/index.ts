import { registerJob } from '../jobs/index.ts';
import type { Deps, Room } from '../shared/deps.ts';
import { periodically } from '../shared/periodic.ts';
import { deleteImport, lockForgotten } from './queries.ts';
import { resultsRoute } from './results.ts';
import { importUploadRoute, transferRoutes } from './routes.ts';
import { EXPORT_ENTRIES, entriesExportHandler } from './start-export.ts';
import { STEP_JOBS, stepHandler } from './step-jobs.ts';

const HOUR_MS = 3_600_000;

/** Entries as files: out by an export, in by an import. */
export const transferRoom: Room = (app, deps) => {
  registerJob(deps, EXPORT_ENTRIES, entriesExportHandler(deps));
  for (const step of ['rehearsal', 'import', 'undo'] as const)
    registerJob(deps, STEP_JOBS[step], stepHandler(deps, step));
  transferRoutes(app, deps);
  importUploadRoute(app, deps);
  resultsRoute(app, deps);
  return [periodically(HOUR_MS, 'to forget old imports', deps.log, () => forgetImports(deps))];
};

/** Forgets imports that have expired, or have no collection any more: their files and what undoing them needed. */
export async function forgetImports({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const forgetSome = () =>
    db.transaction(async (tx) => {
      const forgotten = await lockForgotten(tx, new Date(clock()));
      for (const { account_id, id } of forgotten) await deleteImport(tx, account_id, id);
      return forgotten.length;
    });
  while ((await forgetSome()) > 0);
}
