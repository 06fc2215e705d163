import type { Deps } from '../../shared/deps.ts';
import { ApiError } from '../../shared/errors.ts';
import { FIRST_ID, parseId } from '../../shared/ids.ts';
import { type Database, within } from '../../shared/postgres/database.ts';
import type { Tx } from '../../shared/postgres/tx.ts';
import { isoTime } from '../../shared/time.ts';
import type { SchemaView } from '../collections/collection.ts';
import { Clearance } from '../publish-hooks/clearance.ts';
import { publishRelease } from '../releases/publish-release.ts';
import { findReleases, listReleasesByTime, type ReleaseRow } from '../releases/queries.ts';
import { rolledBack } from '../writes/rolled-back.ts';

/** What a preview shows as published: a release, or whatever is scheduled until a time (milliseconds since 1970). */
export type Future = { releaseId: string } | { at: number };

/** How many scheduled releases a preview publishes at most. */
const MOST_RELEASES = 100;

/**
 * Reads public content as it will be: publishes the releases, reads, and rolls back, so that lists, filters, references and URLs are
 * exactly those of then. @throws ApiError 400 with the faults of a release that cannot be published
 */
export async function readFuture<Result>(
  { db, clock, config, publicUrl }: Deps,
  cache: SchemaView,
  accountId: string,
  future: Future,
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  const clearance = new Clearance(true);
  const settings = { publicUrl: publicUrl(), keptVersions: config.entryVersions, clearance };
  const author = { accountId, type: 'command', id: null, address: null } as const;
  const publish = (tx: Tx, release: ReleaseRow, now: number) =>
    publishRelease(tx, { cache, author, now, ...settings }, release);
  return rolledBack((shown) =>
    db.transaction(async (tx) => {
      if ('releaseId' in future) {
        const id = parseId('rel', future.releaseId);
        const [release] = id === undefined ? [] : await findReleases(tx, { account_id: accountId, ids: [id] });
        if (release && release.status !== 'completed') await publish(tx, release, clock());
      } else {
        for (const release of await scheduledUntil(tx, accountId, future.at)) {
          await tx.query('savepoint release');
          try {
            await publish(tx, release, future.at);
          } catch (error) {
            // It will not be published then, either.
            if (!(error instanceof ApiError && error.status === 400)) throw error;
            await tx.query('rollback to savepoint release');
          }
        }
      }
      shown(await read(within(db, tx)));
    }),
  );
}

const scheduledUntil = (tx: Tx, account_id: string, at: number) =>
  listReleasesByTime(tx, {
    account_id,
    status: 'scheduled',
    collection_id: null,
    entry_id: null,
    after_at: '-infinity',
    after_id: FIRST_ID,
    to: isoTime(at + 1),
    limit: MOST_RELEASES,
  });
