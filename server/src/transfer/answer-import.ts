import type { Static } from 'typebox';
import type { Collection } from '../content/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Deps } from '../shared/deps.ts';
import { publicId } from '../shared/ids.ts';
import { signedUrl } from '../shared/signed-link.ts';
import { isoTime } from '../shared/time.ts';
import type { Import } from './contract.ts';
import type { ImportRow } from './queries.ts';
import { proposeColumns } from './read-plan.ts';
import { resultsPath } from './results.ts';

const UNDER_WAY = { rehearsal: 'rehearsing', import: 'importing', undo: 'undoing' } as const;
const DONE = { rehearsal: 'rehearsed', import: 'imported', undo: 'undone' } as const;

/** An import as the API shows it. @param job that has its step; undefined: there is none, or it was forgotten */
export function answerImport(
  deps: Deps,
  accountId: string,
  collection: Collection,
  row: ImportRow,
  job: Static<typeof Job> | undefined,
): Import {
  const columns = row.columns ?? [];
  const proposed = proposeColumns(
    collection,
    columns.map(({ name }) => name),
  );
  const status = statusOf(row, job);
  const withResults = <Counts extends object>(step: keyof typeof DONE, counts: Counts | null) => {
    if (counts === null) return null;
    const isOver = row.step !== step || status === DONE[step] || status === 'stopped';
    const resultsUrl = isOver ? signedUrl(deps, resultsPath(accountId, row.id, step), row.expires_at) : null;
    return { ...counts, resultsUrl };
  };
  return {
    id: publicId('imp', row.id),
    collectionId: collection.publicId,
    name: row.name,
    bytes: row.bytes,
    status,
    step: row.step,
    columns: columns.map((column, i) => ({ ...column, proposed: proposed[i] ?? null })),
    plan: row.plan,
    rehearsal: withResults('rehearsal', row.rehearsal),
    imported: withResults('import', row.imported),
    undone: withResults('undo', row.undone),
    job: job ?? null,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  };
}

/** What was written down with the rows is believed, and only of a step that is not done its job is asked. */
function statusOf({ step, is_done }: ImportRow, job: Static<typeof Job> | undefined): Import['status'] {
  if (step === 'upload') return 'uploaded';
  if (is_done) return DONE[step];
  return job?.status === 'queued' || job?.status === 'running' ? UNDER_WAY[step] : 'stopped';
}
