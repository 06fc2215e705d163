import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from './slowest.ts';

test('a run took what each process had used at its last file, whichever file took the most', () => {
  const used = (file: string, cpu: number, pid: number, ofProcess: number) => ({
    ...{ file, cpu, seconds: cpu },
    process: { pid, cpu: ofProcess },
  });
  const usage = [used('b', 9, 1, 15), used('c', 5, 1, 20), used('d', 4, 2, 4), used('a', 3, 1, 4)];
  assert.equal(totalOf(usage), 24);
});
