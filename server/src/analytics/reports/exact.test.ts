// Slow: compares every report with a count of all rows. Its proof goes on for longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLICK_ID_NAMES } from '../../shared/click-ids.ts';
import { PLATFORMS } from '../dimensions.ts';
import { testExactReports } from './test-exact.ts';

test('segments have a bit for each click id', () => {
  assert.deepEqual([...PLATFORMS].sort(), [...CLICK_ID_NAMES].sort());
});

testExactReports(1);
