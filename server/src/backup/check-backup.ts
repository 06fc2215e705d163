import type { Deps } from '../shared/deps.ts';
import { badRequest, notFound } from '../shared/errors.ts';
import { runInThread } from '../shared/run-in-thread.ts';
import { isoTime } from '../shared/time.ts';
import { HOUR } from '../shared/units.ts';
import type { CheckPlan } from './check-thread.ts';
import { listRanges } from './continuous/chain.ts';
import type { Backup, Backups, Check, Failing } from './contract.ts';
import { checkKey, openRepository, putJson, type Repository, readJson, type StoredBackup } from './repository.ts';

const SCRIPT = new URL('./check-thread.ts', import.meta.url);
const THREAD = { name: 'check backup', heapMb: 256 };
const MAX_LISTED = 100;
const MAX_DAMAGED = 100;
/** A check whose process ended never finishes; then another may be started. */
const CHECK_TIMEOUT_MS = 6 * HOUR;

/** The backups at BACKUP_URL. @throws ApiError 404 if no backups are made */
export function repositoryOf({ config }: Deps): Repository {
  if (config.backup.url === undefined) throw notFound('backup');
  return openRepository(config.backup.url, config.dataDir);
}

/** @throws ApiError 404 */
export async function findStored(repository: Repository, name: string): Promise<StoredBackup> {
  const found = (await repository.list()).find((each) => each.name === name);
  if (!found) throw notFound('backup');
  return found;
}

/** @param failing why no backup is made, and why the database is not copied for continuous backups */
export async function listBackups(deps: Deps, failing: Failing | null, failingCopy: Failing | null): Promise<Backups> {
  const { url, everyHours, keep, continuous } = deps.config.backup;
  const settings = { everyHours, keep, location: url?.split('?', 1)[0] ?? null, failing };
  if (url === undefined) return { ...settings, backups: [], continuous: null };
  const repository = repositoryOf(deps);
  const backups = (await repository.list()).slice(0, MAX_LISTED);
  const ranges = continuous ? await listRanges(repository.storage) : [];
  return {
    ...settings,
    backups: await Promise.all(backups.map((backup) => serializeBackup(repository, backup))),
    continuous: continuous
      ? {
          ...continuous,
          ranges: ranges.map(({ from, until }) => ({ from: isoTime(from), until: isoTime(until) })),
          failing: failingCopy,
        }
      : null,
  };
}

async function serializeBackup(repository: Repository, backup: StoredBackup): Promise<Backup> {
  const { name, createdAt, bytes, isEncrypted } = backup;
  const check = (await readJson<Check>(repository.storage, checkKey(name))) ?? null;
  return { name, createdAt: isoTime(createdAt), bytes, isEncrypted, check };
}

/** Checks backups in threads. The result is stored beside the backup, so that every process and later one knows it. */
export class BackupChecks {
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Starts to check a backup, unless that is running already.
   * @throws ApiError 404; 400 `backup_encrypted`
   */
  async start(name: string): Promise<Backup> {
    const { clock } = this.#deps;
    const repository = repositoryOf(this.#deps);
    const stored = await findStored(repository, name);
    if (stored.isEncrypted) {
      const detail =
        'The service has no key to read encrypted backups. Use `headwater backup verify --identity <file>`.';
      throw badRequest('backup_encrypted', detail);
    }
    const known = await serializeBackup(repository, stored);
    const isRunning = known.check?.finishedAt === null;
    if (isRunning && clock() - Date.parse(known.check?.startedAt ?? '') < CHECK_TIMEOUT_MS) return known;
    const startedAt = isoTime(new Date(clock()));
    const check: Check = { startedAt, finishedAt: null, isValid: null, damaged: [] };
    await putJson(repository, checkKey(name), check);
    // One after another: each reads everything.
    this.#running = this.#running.then(() => this.#check(repository, name, startedAt));
    return { ...known, check };
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    await this.#running;
  }

  async #check(repository: Repository, name: string, startedAt: string): Promise<void> {
    const { config, clock, log } = this.#deps;
    const { signal } = this.#stopping;
    const plan: CheckPlan = { location: config.backup.url ?? '', name, dataDir: config.dataDir };
    let result: { isValid: boolean; damaged: string[] };
    try {
      result = await runInThread<typeof result>(SCRIPT, plan, THREAD, signal, () => {});
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, backup: name }, 'a backup could not be read');
      result = { isValid: false, damaged: [(error as Error).message] };
    }
    const finishedAt = isoTime(new Date(clock()));
    const check: Check = {
      startedAt,
      finishedAt,
      isValid: result.isValid,
      damaged: result.damaged.slice(0, MAX_DAMAGED),
    };
    await putJson(repository, checkKey(name), check).catch((error: unknown) =>
      log.warn({ err: error }, 'the result of a check cannot be stored'),
    );
  }
}
