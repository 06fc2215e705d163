import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitAtDifference } from '../src/content/text-parts.ts';

describe('the difference between two texts', () => {
  it('lies between their common start and end', () => {
    const split = (a: string, b: string) => Object.values(splitAtDifference(a, b));
    assert.deepEqual(split('Summer sale now', 'Winter sale now'), ['', 'Summ', 'er sale now']);
    assert.deepEqual(split('aa', 'aaa'), ['aa', '', '']);
    assert.deepEqual(split('same', 'same'), ['same', '', '']);
    assert.deepEqual(split('😀x', '😁x'), ['', '😀', 'x']);
    assert.deepEqual(split('', 'x'), ['', '', '']);
  });
});
