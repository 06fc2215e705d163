import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './machine.ts';

/** Polls until the condition holds. @throws after `withinMs`, which only what measures a recovery sets */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await isSo()); await sleep(10)) {
    if (performance.now() > deadline) throw new Error(`not so after ${withinMs} ms: ${isSo}`);
  }
}

/** Sends a request until the service is not too busy to check its password. A request that is refused for that has done nothing. */
export async function unlessOverloaded<T extends { body: { code?: string } }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await send();
    if (answer.body.code !== 'overloaded') return answer;
  }
}
