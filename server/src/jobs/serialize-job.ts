import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { DOWNLOADS, signedUrl } from '../shared/signed-link.ts';
import { isoTime } from '../shared/time.ts';
import { findJobs, type JobRow } from './queries.ts';

/** A job as the API returns it. */
export function serializeJob(deps: Deps, row: JobRow) {
  const time = (at: Date | null) => at && isoTime(at);
  return {
    id: publicId('job', row.id),
    type: row.type,
    status: row.status,
    progress: row.progress,
    params: row.params,
    result: resultOf(deps, row),
    error: row.error,
    createdAt: isoTime(row.created_at),
    startedAt: time(row.started_at),
    finishedAt: time(row.finished_at),
    expiresAt: time(row.expires_at),
  };
}

function resultOf(deps: Deps, { result, expires_at: expiresAt }: JobRow) {
  if (result?.file === undefined || expiresAt === null) return result;
  const { file, ...rest } = result;
  return { url: rest.expired === true ? null : signedUrl(deps, `${DOWNLOADS}/${file}`, expiresAt), ...rest };
}

/** Jobs by their UUID, as the API returns them. Deleted ones are missing. */
export async function serializeJobs(deps: Deps, tx: Tx, jobs: readonly { accountId: string; id: string }[]) {
  const found = await findJobs(tx, { jobs: jobs.map(({ accountId, id }) => ({ account_id: accountId, id })) });
  return new Map(found.map((row) => [row.id, serializeJob(deps, row)]));
}
