// Slow: 4,000 operations. MODEL_OPERATIONS=100000 takes an hour.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService } from '../test-support.ts';
import { runAgainstModel } from './test-query-run.ts';

const service = await contentService();
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? 4_000);
const SEED = Number(process.env.MODEL_SEED ?? 11);

const HOUR_MS = 3_600_000;

test('random operations and queries equal a naive model, of few entries and of many', {
  timeout: HOUR_MS,
}, async () => {
  const few = await runAgainstModel(service, { operations: Math.floor(OPERATIONS * 0.9), size: 60, seed: SEED });
  const many = await runAgainstModel(service, { operations: Math.ceil(OPERATIONS * 0.1), size: 3_000, seed: SEED + 1 });
  console.log(JSON.stringify({ seed: SEED, few, many }));
  assert.ok(Object.keys(few).length === 4);
});
