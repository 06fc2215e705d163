import type { Deps } from '../shared/deps.ts';
import { answerJob } from './answer-job.ts';
import { listJobs } from './queries.ts';

const DEFAULT_PAGE_SIZE = 50;
const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The jobs of an account that are not forgotten yet, newest first. */
export async function listJobPage(
  deps: Deps,
  accountId: string,
  query: { type?: string; pageSize?: number; pageToken?: string },
) {
  const { type = null, pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
  const scope = [accountId, '/v1/jobs', type];
  const before = pageToken ? (deps.pageTokens.read(scope, pageToken) as string) : END;
  // One more than the page holds tells whether there is a next one.
  const rows = await listJobs(deps.db, accountId, before, type, new Date(deps.clock()), pageSize + 1);
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return {
    jobs: rows.slice(0, pageSize).map((row) => answerJob(deps, row)),
    nextPageToken: last ? deps.pageTokens.write(scope, last.id) : null,
  };
}
