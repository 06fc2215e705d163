import { ApiError } from '../../shared/errors.ts';

const ATTEMPTS = 3;

/**
 * Repeats a transaction that was refused because another one took a value: a derived slug then gets another ending, and an upsert
 * finds the entry.
 */
export async function retryTaken<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isTaken = error instanceof ApiError && error.errors.every(({ code }) => code === 'value_taken');
      if (!isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}
