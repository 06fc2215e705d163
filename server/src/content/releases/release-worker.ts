import { type AlertText, alertOwners } from '../../mail/index.ts';
import type { Author } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, badRequest, type Fault } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { isConnectionError } from '../../shared/postgres/database-errors.ts';
import { backgroundWork, runAs } from '../../shared/postgres/work.ts';
import { MINUTE } from '../../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { accessOfAuthor } from '../../users/index.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';
import { LIMITS } from '../limits.ts';
import { Clearance, ClearanceNeeded } from '../publish-hooks/clearance.ts';
import type { PublishHooks } from '../publish-hooks/publish-hooks.ts';
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

/** How long others leave a release to the process that asks its hooks. */
const ASKING_MS = MINUTE;
/** Releases whose hooks this process asks at the same time: in all, and of one account. */
const MAX_ASKING = 16;
const MAX_ASKING_PER_ACCOUNT = 2;

/**
 * Publishes what is due. The transaction that publishes also ends the release, and holds its row until then: if a process dies, it
 * is published once, by another one.
 */
export class ReleaseWorker implements WorkerLoop {
  readonly #deps: Deps;
  readonly #cache: CollectionCache;
  readonly #hooks: PublishHooks;
  readonly #loop: WorkerLoop;
  #isStopping = false;
  /** Releases that wait for hooks, without keeping those of others waiting. */
  readonly #asking = new Map<string, { accountId: string; done: Promise<void> }>();

  constructor(deps: Deps, cache: CollectionCache, hooks: PublishHooks) {
    this.#deps = deps;
    this.#cache = cache;
    this.#hooks = hooks;
    this.#loop = workerLoop({
      name: 'publish releases',
      log: deps.log,
      everyMs: POLL_MS,
      runAtStart: true,
      run: async (signal) => {
        while (!signal.aborted && (await publishDue(deps, cache, (release) => this.#ask(release))));
      },
    });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop.stop();
    this.#hooks.close();
    await Promise.all([...this.#asking.values()].map(({ done }) => done));
  }

  #ask(release: DueReleaseRow): void {
    const { id, account_id: accountId } = release;
    const ofAccount = [...this.#asking.values()].filter((each) => each.accountId === accountId).length;
    if (this.#asking.has(id) || this.#asking.size >= MAX_ASKING || ofAccount >= MAX_ASKING_PER_ACCOUNT) return;
    const done = runAs(backgroundWork(), () => this.#publish(release)).finally(() => this.#asking.delete(id));
    this.#asking.set(id, { accountId, done });
  }

  #retry({ id }: DueReleaseRow, error: unknown): void {
    this.#deps.log.warn({ err: error, release: id }, 'a release could not be published; retrying');
  }

  async #publish(release: DueReleaseRow): Promise<void> {
    try {
      const run = (clearance: Clearance) =>
        this.#deps.db.transaction(async (tx) => {
          const [locked] = await lockRelease(tx, release);
          if (locked?.version !== release.version || locked.status !== 'scheduled') return;
          await publishLocked(tx, this.#deps, this.#cache, release, clearance);
        });
      await this.#hooks.cleared(run, Number.POSITIVE_INFINITY);
    } catch (error) {
      // A request that ended with the service says nothing about the release, which is still due.
      if (this.#isStopping) return;
      const failed = error instanceof ApiError && error.status === 400 ? error.errors : undefined;
      if (failed) return fail(this.#deps, release, failed).catch((each) => this.#retry(release, each));
      this.#retry(release, error);
    }
  }
}

/**
 * Publishes the next release that is due. Returns false if there is none.
 * @param ask publishes a release once hooks have allowed it
 */
export async function publishDue(
  deps: Deps,
  cache: CollectionCache,
  ask: (release: DueReleaseRow) => void,
): Promise<boolean> {
  const { db, clock, log } = deps;
  let claimed: DueReleaseRow | undefined;
  try {
    return await db.transaction(async (tx) => {
      [claimed] = await lockDueRelease(tx, { now: clock() });
      if (claimed) await publishLocked(tx, deps, cache, claimed, new Clearance());
      return claimed !== undefined;
    });
  } catch (error) {
    if (!claimed || isConnectionError(error)) throw error;
    const { account_id, id, version, attempts } = claimed;
    if (error instanceof ClearanceNeeded) {
      await postponeRelease(db, { account_id, id, version, due_at: clock() + ASKING_MS });
      ask(claimed);
      return true;
    }
    if (error instanceof ApiError && error.status === 400) {
      await fail(deps, claimed, error.errors);
      return true;
    }
    log.error({ err: error, release: claimed.id }, 'a release could not be published');
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

async function publishLocked(
  tx: Tx,
  { control, clock, config, publicUrl }: Deps,
  cache: CollectionCache,
  locked: DueReleaseRow,
  clearance: Clearance,
): Promise<void> {
  const { account_id, id } = locked;
  const [release] = await findReleases(tx, { account_id, ids: [id] });
  if (!release) throw new Error('a locked release disappeared');
  const settings = { publicUrl: publicUrl(), keptVersions: config.entryVersions, clearance };
  const author = authorOf(locked);
  const found = await accessOfAuthor(control, account_id, author);
  if (!found) throw badRequest('access_ended', 'Who scheduled the release no longer has access to the account.');
  await publishRelease(tx, { cache: cache.of(found), author, now: clock(), ...settings }, release);
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
): AlertText {
  const title = name ?? first?.title ?? first?.entryId ?? '';
  const listed = (errors ?? []).slice(0, MAX_LISTED).map(({ pointer, detail }) => {
    const item = items[Number(pointer.split('/')[2])];
    return `- ${item ? `${item.title ?? publicId('ent', item.entry_id)}: ` : ''}${detail}`;
  });
  const others = (errors?.length ?? 0) - MAX_LISTED;
  return (t) => {
    const text = [
      t('"{title}" was scheduled for {at}, but could not be published:', { title, at: at ?? '' }),
      '',
      ...listed,
      ...(others > 0 ? [`- ${t('and {others} more', { others })}`] : []),
      '',
      `${t('Schedule it again:')} ${publicUrl}/${publicId('acc', accountId)}/content/releases`,
    ].join('\n');
    return { subject: t('"{title}" was not published', { title }), text };
  };
}
