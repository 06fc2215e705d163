import { GroupCommit } from './group-commit.ts';

const BATCHES = { maxBatch: 1_000, maxConcurrent: 4, maxQueued: 20_000 };

type Outcome<Result> = { result: Result } | { error: unknown };

/**
 * Identical reads that are requested while one of them runs share the next one. It starts after all of them were requested, so each
 * sees what was committed before its request.
 */
export class SharedReads<Result> {
  readonly #groups = new Map<string, GroupCommit<undefined, Outcome<Result>>>();

  /**
   * @param name what distinguishes the read from others
   * @param read is told how many requests share it
   * @throws ApiError 429 `overloaded`, and as `read`
   */
  async share(name: string, read: (requests: number) => Promise<Result>): Promise<Result> {
    let group = this.#groups.get(name);
    if (group === undefined) {
      const readOnce = async (requests: undefined[]): Promise<Outcome<Result>[]> => {
        const outcome = await read(requests.length).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        );
        return requests.map(() => outcome);
      };
      group = new GroupCommit(readOnce, { ...BATCHES, onIdle: () => this.#groups.delete(name) });
      this.#groups.set(name, group);
    }
    const outcome = await group.submit(undefined);
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }
}
