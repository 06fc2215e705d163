import { Type } from 'typebox';
import { Job, serializeJobs } from '../../jobs/index.ts';
import { exampleTime, sequence } from './common.ts';
import type { LoadDrafts, TopicDefinitions } from './topic.ts';

const JobData = Type.Object({ ...Job.properties, sequence }, { title: 'WebhookJob' });

const load: LoadDrafts = async (deps, tx, changes) => {
  const jobs = await serializeJobs(deps, tx, changes);
  return changes.flatMap((change) => {
    const data = jobs.get(change.id);
    return data ? { change, data } : [];
  });
};

const family = { data: JobData, load };

const example = {
  id: 'job_01kaf9m8t0s7h4k1q9w6b3d8yc',
  type: 'export',
  params: { dataset: 'conversions', format: 'csv' },
  createdAt: '2026-11-20T07:59:57.000Z',
  startedAt: '2026-11-20T07:59:57.120Z',
  finishedAt: exampleTime,
  expiresAt: '2026-11-27T08:00:00.000Z',
};

export const jobTopics = {
  'job.completed': {
    ...family,
    summary: 'A job was completed',
    example: {
      ...example,
      status: 'completed',
      progress: 1,
      result: {
        url: 'https://headwater.example/downloads/exports/…',
        format: 'csv',
        rows: 1204,
        bytes: 310482,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
      error: null,
      sequence: 1,
    },
  },
  'job.failed': {
    ...family,
    summary: 'A job failed',
    example: {
      ...example,
      status: 'failed',
      progress: 0.4,
      result: null,
      error: { code: 'internal_error', detail: 'The job failed unexpectedly. The log has the cause under its id.' },
      sequence: 1,
    },
  },
} satisfies TopicDefinitions;
