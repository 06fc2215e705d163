import { Type } from 'typebox';
import { NextPageToken, pageQuery } from '../shared/http/keyset-page.ts';
import { orNull, STRICT, Time } from '../shared/http/schemas.ts';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export const Job = Type.Object(
  {
    id: Type.String(),
    type: Type.String({
      description:
        'What the job does: `export`, `export_entries`, `dry_run_import`, `import_entries`, `undo_import`, `undo_conversion_import`, `reconcile`, `apply_reconciliation`, `change_entries`, `undo_change`, `erase_lead`, `erase_visitor`, `replay_webhook`, `replay_destination`, `clear_destination`, `read_costs`, `clear_cost_source`, `export_warehouse` or `clear-unused-files`',
    }),
    status: Type.Enum([...JOB_STATUSES]),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that is done. It never decreases' }),
    params: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The parameters of the job',
    }),
    result: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'The result of a completed job, otherwise null. An export returns `{url, format, rows, bytes, sha256}`; the `url` needs no token and works until `expiresAt`. If a lead or visitor was erased since, the file is deleted: `{url: null, expired: true, …}`. `erase_lead` and `erase_visitor` return `{erased}`: whether there was one',
    }),
    error: orNull(Type.Object({ code: Type.String({ description: 'Stable, in snake_case' }), detail: Type.String() }), {
      description: 'Why the job failed, otherwise null',
    }),
    createdAt: Time(),
    startedAt: orNull(Time(), { description: 'When the job started; null while it is queued' }),
    finishedAt: orNull(Time(), { description: 'When the job was completed, failed or canceled' }),
    expiresAt: orNull(Time(), {
      description: 'When the finished job and its result are deleted: 7 days after its end',
    }),
  },
  { title: 'Job' },
);

const id = { minLength: 1, description: 'The id of the job, as returned when it was started' };

export const JobQuery = Type.Object(
  {
    id: Type.Optional(Type.String(id)),
    jobId: Type.Optional(Type.String({ ...id, description: 'An alias of `id`' })),
  },
  STRICT,
);

export const JobsQuery = Type.Object(
  { ...pageQuery, type: Type.Optional(Type.String({ minLength: 1, description: 'Only jobs of this type' })) },
  STRICT,
);

export const JobPage = Type.Object({ jobs: Type.Array(Job), nextPageToken: NextPageToken });

export const JobPath = Type.Object({ id: Type.String() });
