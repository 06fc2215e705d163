import type { Static } from 'typebox';
import type { Collection } from '../content/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { signedUrl } from '../shared/signed-link.ts';
import { isoTime } from '../shared/time.ts';
import { type Import, STAGE_STATUSES } from './contract.ts';
import { suggestFields } from './mapping.ts';
import type { ImportRow } from './queries.ts';
import { resultsPath } from './results.ts';

/** @param job the job of the current stage; undefined if there is none, or it has expired */
export function serializeImport(
  deps: Deps,
  accountId: string,
  collection: Collection,
  row: ImportRow,
  job: Static<typeof Job> | undefined,
): Import {
  const columns = row.columns ?? [];
  const headings = columns.map(({ name }) => name);
  const suggested = suggestFields(collection, headings);
  const status = statusOf(row, job);
  const withResults = <Counts extends object>(stage: keyof typeof STAGE_STATUSES, counts: Counts | null) => {
    if (counts === null) return null;
    const isOver = row.stage !== stage || status === STAGE_STATUSES[stage].done || status === 'stopped';
    const resultsUrl = isOver ? signedUrl(deps, resultsPath(accountId, row.id, stage), row.expires_at) : null;
    return { ...counts, resultsUrl };
  };
  return {
    id: publicId('imp', row.id),
    collectionId: collection.publicId,
    name: row.name,
    bytes: row.bytes,
    status,
    stage: row.stage,
    columns: columns.map((column, i) => ({ ...column, suggestedField: suggested[i] ?? null })),
    mapping: row.mapping,
    dryRun: withResults('dry_run', row.dry_run),
    imported: withResults('import', row.imported),
    undone: withResults('undo', row.undone),
    job: job ?? null,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  };
}

/** A stage that committed its last batch is done, even if its job has not finished yet. */
function statusOf({ stage, is_stage_done }: ImportRow, job: Static<typeof Job> | undefined): Import['status'] {
  if (stage === 'upload') return 'uploaded';
  const { running, done } = STAGE_STATUSES[stage];
  if (is_stage_done) return done;
  // A job that has completed did so after the row was read.
  return job && ['queued', 'running', 'completed'].includes(job.status) ? running : 'stopped';
}
