class DryRun extends Error {}

/** The result of a transaction that is rolled back. */
export async function rolledBack<Result>(run: (check: (result: Result) => never) => Promise<void>): Promise<Result> {
  const results: Result[] = [];
  try {
    await run((result) => {
      results.push(result);
      throw new DryRun();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  const [result] = results;
  if (result === undefined) throw new Error('a dry run has a result');
  return result;
}
