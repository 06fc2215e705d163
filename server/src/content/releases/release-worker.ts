import { alertOwners } from '../../mail/index.ts';
import type { Author } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, type Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { isConnectionError } from '../../shared/postgres/database.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { LIMITS } from '../limits.ts';
import type { Release } from './contract.ts';
import { finish, publishRelease } from './publish-release.ts';
import {
  type DueReleaseRow,
  findReleases,
  listItems,
  lockDueRelease,
  lockRelease,
  postponeRelease,
  type TitledItemRow,
} from './queries.ts';

/** One probe of an index that has only what is scheduled. */
const POLL_MS = 1_000;
/** After an error of the service: a second, two, four … for half an hour in total. */
const MAX_ATTEMPTS = 11;

/**
 * Publishes what is due. The transaction that publishes also ends the release, and holds its row until then: if a process dies, it
 * is published once, by another one.
 */
export function releaseWorker(deps: Deps, cache: CollectionCache): WorkerLoop {
  return workerLoop({
    name: 'publish releases',
    log: deps.log,
    everyMs: POLL_MS,
    runAtStart: true,
    async run(signal) {
      while (!signal.aborted && (await publishDue(deps, cache)));
    },
  });
}

/** Publishes the next release that is due. Returns false if there is none. */
export async function publishDue(deps: Deps, cache: CollectionCache): Promise<boolean> {
  const { db, clock, config, publicUrl, log } = deps;
  let claimed: DueReleaseRow | undefined;
  try {
    return await db.transaction(async (tx) => {
      const now = clock();
      [claimed] = await lockDueRelease(tx, { now });
      if (!claimed) return false;
      const { account_id, id } = claimed;
      const [release] = await findReleases(tx, { account_id, ids: [id] });
      if (!release) throw new Error('a locked release disappeared');
      const settings = { publicUrl: publicUrl(), keptVersions: config.entryVersions };
      await publishRelease(tx, { cache, author: authorOf(claimed), now, ...settings }, release);
      return true;
    });
  } catch (error) {
    if (!claimed || isConnectionError(error)) throw error;
    if (error instanceof ApiError && error.status === 400) {
      await fail(deps, claimed, error.errors);
      return true;
    }
    log.error({ err: error, release: claimed.id }, 'a release could not be published');
    const { account_id, id, version, attempts } = claimed;
    // Also the last time: if it cannot even be ended, it must not keep the worker from all others.
    await postponeRelease(db, {
      account_id,
      id,
      version,
      due_at: clock() + 1_000 * 2 ** Math.min(attempts, MAX_ATTEMPTS),
    });
    if (attempts + 1 >= MAX_ATTEMPTS) {
      const detail = 'The release could not be published because of an internal error. The log contains the cause.';
      await fail(deps, claimed, [{ pointer: '', code: 'internal_error', detail }]);
    }
    return true;
  }
}

/** Unless the release was changed since. */
async function fail(deps: Deps, { account_id, id, version }: DueReleaseRow, faults: Fault[]): Promise<void> {
  const failed = await deps.db.transaction(async (tx) => {
    const [release] = await lockRelease(tx, { account_id, id });
    if (release?.version !== version || release.status !== 'scheduled') return undefined;
    return finish(tx, { author: authorOf(release), now: deps.clock() }, release, 'failed', faults);
  });
  if (!failed) return;
  const items = await listItems(deps.db, { account_id, id, after: -1, limit: LIMITS.releaseItems });
  await alertOwners(deps, account_id, failureAlert(deps.publicUrl(), account_id, failed, items));
}

const authorOf = ({ account_id, author_type, author_id }: DueReleaseRow): Author => ({
  accountId: account_id,
  type: author_type ?? 'command',
  id: author_id,
  address: null,
});

const MAX_LISTED = 20;

function failureAlert(
  publicUrl: string,
  accountId: string,
  { name, item: first, errors, at }: Release,
  items: readonly TitledItemRow[],
) {
  const title = name ?? first?.title ?? first?.entryId ?? '';
  const listed = (errors ?? []).slice(0, MAX_LISTED).map(({ pointer, detail }) => {
    const item = items[Number(pointer.split('/')[2])];
    return `- ${item ? `${item.title ?? publicId('ent', item.entry_id)}: ` : ''}${detail}`;
  });
  const text = [
    `"${title}" was scheduled for ${at}, but could not be published:`,
    '',
    ...listed,
    ...((errors?.length ?? 0) > MAX_LISTED ? [`- and ${(errors?.length ?? 0) - MAX_LISTED} more`] : []),
    '',
    `Schedule it again: ${publicUrl}/${publicId('acc', accountId)}/content/releases`,
  ].join('\n');
  return { subject: `"${title}" was not published`, text };
}
