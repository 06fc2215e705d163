import { after } from 'node:test';

type CleanUp = () => unknown;

const registered: CleanUp[] = [];

/** Runs `cleanUp` at the end of the test or, in `npm run chaos`, of the proof: the latest first. */
export function atEnd(cleanUp: CleanUp): void {
  registered.push(cleanUp);
  if (process.env.NODE_TEST_CONTEXT !== undefined) after(() => registered.pop()?.());
}

/** Outside of a test: runs what was registered. */
export async function cleanUpNow(): Promise<void> {
  while (registered.length > 0) await registered.pop()?.();
}
