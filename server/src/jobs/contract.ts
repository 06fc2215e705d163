import { Type } from 'typebox';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

const Time = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** A job as it is answered. */
export const Job = Type.Object(
  {
    id: Type.String(),
    type: Type.String({
      description:
        'What the job does: `export`, `export_entries`, `rehearse_import`, `import_entries`, `undo_import`, `erase_lead` or `clear-unused-files`',
    }),
    status: Type.Enum([...JOB_STATUSES]),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Never goes back' }),
    params: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description: 'What was asked for' }),
    result: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        "What a completed job made, else null. An export's: `{url, format, rows, bytes, sha256}`; the `url` needs no token and is good until `expiresAt`. Where a lead was erased since, the file is gone: `{url: null, expired: true, …}`. Of `erase_lead`: `{erased}`, whether there was such a lead",
    }),
    error: Type.Union(
      [
        Type.Object({
          code: Type.String({ description: 'Stable, snake_case' }),
          detail: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Why the job failed, else null' },
    ),
    createdAt: Type.String({ format: 'date-time' }),
    startedAt: Time('When it began to run; null while it is queued'),
    finishedAt: Time('When it was completed, failed or was cancelled'),
    expiresAt: Time('When a finished job, and what it made, is forgotten: 7 days after its end'),
  },
  { title: 'Job' },
);

export const JobQuery = Type.Object(
  { id: Type.String({ minLength: 1, description: "The job's id, as it was answered when the job was started" }) },
  { additionalProperties: false },
);

export const JobsQuery = Type.Object(
  {
    type: Type.Optional(Type.String({ minLength: 1, description: 'Jobs of this type alone' })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless sent' })),
    pageToken: Type.Optional(
      Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
    ),
  },
  { additionalProperties: false },
);

export const JobPage = Type.Object({
  jobs: Type.Array(Job),
  nextPageToken: Type.Union([Type.String(), Type.Null()], { description: 'null when there is no further page' }),
});

export const JobPath = Type.Object({ id: Type.String() });
