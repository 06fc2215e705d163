import { type Static, Type } from 'typebox';
import { orNull, Time } from '../shared/http/schemas.ts';

const Check = Type.Object({
  startedAt: Time(),
  finishedAt: orNull(Time({ description: 'null: it is running' })),
  isValid: orNull(Type.Boolean({ description: 'Whether the backup is complete and undamaged; null: it is running' })),
  damaged: Type.Array(Type.String(), { description: 'Tables and files that are missing or damaged, at most 100' }),
});
export type Check = Static<typeof Check>;

export const Failing = Type.Object(
  {
    since: Time({ description: 'Of the first of the failures that no success has ended' }),
    error: Type.String({ description: 'Of the latest' }),
    nextAttemptAt: Time({ description: 'Tried again after 5 and 15 seconds, then 1 and 5 minutes' }),
  },
  { title: 'FailingBackup' },
);
export type Failing = Static<typeof Failing>;

export const Backup = Type.Object(
  {
    name: Type.String(),
    createdAt: Time(),
    bytes: Type.Integer({ description: 'Of the archive with the database; files are stored beside it, each once' }),
    isEncrypted: Type.Boolean(),
    check: orNull(Check),
  },
  { title: 'Backup' },
);
export type Backup = Static<typeof Backup>;

export const Backups = Type.Object(
  {
    location: orNull(Type.String({ description: '`BACKUP_URL` without its parameters; null: no backups are made' })),
    everyHours: Type.Integer(),
    keep: Type.Integer(),
    backups: Type.Array(Backup, { description: 'The newest 100, newest first' }),
    failing: orNull(Failing, {
      description:
        'Why no backup is made by the process that responds; null: the last attempt succeeded, or is running',
    }),
    continuous: orNull(
      Type.Object({
        everySeconds: Type.Integer(),
        days: Type.Integer(),
        ranges: Type.Array(Type.Object({ from: Time(), until: Time() }), {
          description: 'The times to which the database can be restored, oldest first',
        }),
        failing: orNull(Failing, {
          description: 'Why the database is not copied; null: the last attempt succeeded, or is running',
        }),
      }),
    ),
  },
  { title: 'Backups' },
);
export type Backups = Static<typeof Backups>;

export const BackupPath = Type.Object({ name: Type.String({ maxLength: 100 }) });
