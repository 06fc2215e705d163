/**
 * Imports of entries from files, with dry run and undo. Its tables: entry_import_batches, entry_import_parts,
 * entry_imports.
 */
import { collectionByKey } from '../content/index.ts';
import type { Storage } from '../files/index.ts';
import type { JobHandlers } from '../jobs/index.ts';
import type { Deps, Module } from '../shared/deps.ts';
import { HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { EXPORT_ENTRIES, entriesExportHandler } from './export/start-export.ts';
import { deleteImport, lockExpiredImports } from './queries.ts';
import { resultsRoute } from './results.ts';
import { importRoutes, importUploadRoute } from './routes.ts';
import { STAGE_JOBS, stageHandler } from './run/stage-jobs.ts';

/** Imports entries from CSV files, and exports them to files. */
export function importsModule(deps: Deps, storage: Storage): Module & { jobs: JobHandlers } {
  return {
    routes(app) {
      app.addHook('preHandler', collectionByKey(deps));
      importRoutes(app, deps);
      importUploadRoute(app, deps);
      resultsRoute(app, deps);
    },
    workers: [
      workerLoop({
        name: 'delete expired imports',
        log: deps.log,
        everyMs: HOUR,
        run: () => deleteExpiredImports(deps),
      }),
    ],
    jobs: {
      [EXPORT_ENTRIES]: entriesExportHandler(deps, storage),
      [STAGE_JOBS.dry_run]: stageHandler(deps, 'dry_run'),
      [STAGE_JOBS.import]: stageHandler(deps, 'import'),
      [STAGE_JOBS.undo]: stageHandler(deps, 'undo'),
    },
  };
}

/** Deletes imports that have expired, or whose collection was permanently deleted, with their files and results. */
export async function deleteExpiredImports({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const deleteSome = () =>
    db.transaction(async (tx) => {
      const expired = await lockExpiredImports(tx, { now: new Date(clock()) });
      for (const each of expired) await deleteImport(tx, each);
      return expired.length;
    });
  while ((await deleteSome()) > 0);
}
