import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  /** May be called repeatedly. */
  release(): void;
}

/**
 * Takes an exclusive lock on a file for the lifetime of this process. Returns undefined if another process holds it.
 *
 * Node has no flock. An exclusive SQLite transaction serves as one: the operating system releases it when its holder dies
 * in any way, so there are no stale locks.
 */
export function tryLock(path: string): Lock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if (/locked|busy/i.test(String(error))) return undefined;
    throw error;
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}
