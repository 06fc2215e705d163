import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitHashing } from './password.ts';

test('a password that waits too long behind others is 429, and the queue goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const running = [limitHashing(() => promise), limitHashing(() => promise)];
  let hasStarted = false;
  const late = limitHashing(async () => {
    hasStarted = true;
  }, 1);
  await assert.rejects(late, { status: 429, code: 'overloaded' });
  const next = limitHashing(async () => 'next');
  resolve('done');
  assert.deepEqual(await Promise.all([...running, next]), ['done', 'done', 'next']);
  assert.equal(hasStarted, false);
});

test('an error of the work is thrown as it is', async () => {
  const error = new Error('x');
  await assert.rejects(
    limitHashing(() => Promise.reject(error)),
    error,
  );
});
