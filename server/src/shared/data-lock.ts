import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  /** Again is harmless. */
  release(): void;
}

/**
 * Takes an exclusive lock on a file for the life of this process, or undefined where another process holds it.
 *
 * Node has no flock. An exclusive SQLite transaction is one: the operating system drops it when its holder dies, however
 * it dies, so no stale lock can be left and none needs judging.
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
