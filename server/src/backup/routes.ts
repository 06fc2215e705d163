import type { Deps, Module } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import { requireOperator } from '../users/index.ts';
import { BackupChecks, findStored, listBackups, repositoryOf } from './check-backup.ts';
import { continuousBackups } from './continuous/continuous-backups.ts';
import { Backup, BackupPath, Backups } from './contract.ts';
import { readBlob } from './repository.ts';
import { scheduledBackups } from './scheduled-backups.ts';

const read = { access: 'user', rate: 'read' } as const;
const write = { access: 'user', rate: 'write', confirm: true } as const;
const about = { tags: ['Operation'], security: [{ session: [] }] };

/** Backups of the whole service, for its operators: they contain every account. */
export function backupModule(deps: Deps): Module {
  const { control } = deps;
  const checks = new BackupChecks(deps);
  const scheduled = scheduledBackups(deps);
  const continuous = continuousBackups(deps);
  return {
    queues: scheduled.queues,
    workers: [...scheduled.workers, ...continuous.workers, { start() {}, stop: () => checks.stop() }],
    routes(app) {
      app.get(
        '/operator/backups',
        {
          config: read,
          schema: {
            ...about,
            operationId: 'listBackups',
            summary: 'List backups',
            description:
              'The newest 100, newest first, with the settings of backups and the times to which the database can be restored.',
            response: withErrors(Backups),
          },
        },
        async ({ signedIn }) => {
          await requireOperator(control, signedIn.userId);
          return listBackups(deps, scheduled.failing(), continuous.failing());
        },
      );

      app.post(
        '/operator/backups/:name/check',
        {
          config: write,
          schema: {
            ...about,
            operationId: 'checkBackup',
            summary: 'Check a backup',
            description: 'Reads the backup and its files in the background; `check` of the backup has the result.',
            params: BackupPath,
            response: withErrors(Backup),
          },
        },
        async ({ signedIn, params }) => {
          await requireOperator(control, signedIn.userId);
          return checks.start(params.name);
        },
      );

      app.get(
        '/operator/backups/:name/archive',
        { config: { ...read, confirm: true, streams: true }, schema: { hide: true, params: BackupPath } },
        async ({ signedIn, params, log }, reply) => {
          await requireOperator(control, signedIn.userId);
          const repository = repositoryOf(deps);
          const { name, bytes } = await findStored(repository, params.name);
          // It contains every account, so each download is recorded.
          log.info({ backup: name, user: signedIn.userId }, 'a backup is downloaded');
          reply.headers({
            'content-type': 'application/octet-stream',
            'content-length': bytes,
            'content-disposition': `attachment; filename="${name}"`,
          });
          return reply.send(await readBlob(repository.storage, `backups/${name}`, bytes));
        },
      );
    },
  };
}
