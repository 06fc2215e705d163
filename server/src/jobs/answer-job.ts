import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { handlersOf, type JobResult } from './handlers.ts';
import type { JobRow } from './queries.ts';

/** A job as the API shows it. */
export function answerJob(deps: Deps, row: JobRow) {
  const present = handlersOf(deps).get(row.type)?.present;
  const stored = row.result as JobResult | null;
  const result = stored && present && row.expires_at ? present(stored, row.expires_at) : stored;
  const time = (at: Date | null) => at && isoTime(at);
  return {
    id: publicId('job', row.id),
    type: row.type,
    status: row.status,
    progress: row.progress,
    params: row.params,
    result,
    error: row.error,
    createdAt: isoTime(row.created_at),
    startedAt: time(row.started_at),
    finishedAt: time(row.finished_at),
    expiresAt: time(row.expires_at),
  };
}
