import type { Deps } from '../shared/deps.ts';

/** Reads from a replica that has everything recorded until now, if there is one, and else, or if that fails, from the primary. */
export async function fromReplica<T>(
  { db, replica }: Pick<Deps, 'db' | 'replica'>,
  signal: AbortSignal,
  readFrom: (source: Pick<Deps['db'], 'connection'>) => Promise<T>,
): Promise<T> {
  if (replica && (await replica.catchUp())) {
    try {
      return await readFrom(replica);
    } catch (error) {
      if (signal.aborted) throw error;
      replica.onFailure(error);
    }
  }
  return readFrom(db);
}
