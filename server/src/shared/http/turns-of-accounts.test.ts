import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnsOfAccounts } from './turns-of-accounts.ts';

/** Turns on a clock of their own, and what has started. */
function setUp() {
  let now = 0;
  const turns = new TurnsOfAccounts(() => now);
  const started: string[] = [];
  return {
    started,
    wait: (ms: number) => {
      now += ms;
    },
    /** The event loop runs its checks, each so late. */
    check: (times: number, lateMs: number) => {
      for (let i = 0; i < times; i++) {
        now += 20 + lateMs;
        turns.check();
      }
    },
    note: (key: string) => turns.note(key),
    take: (key: string, name = key) => turns.take(key, () => started.push(name)),
  };
}

describe('turns of accounts', () => {
  it('lets all requests of an account start at once while the event loop is not late', () => {
    const { take, note, check, started } = setUp();
    note('quiet');
    for (let i = 0; i < 100; i++) take('loud');
    check(10, 0);
    note('quiet');
    for (let i = 0; i < 100; i++) take('loud');
    assert.equal(started.length, 200);
  });

  it('lets two requests of each account run at the same time when the event loop stays late', () => {
    const { take, note, check, started } = setUp();
    const over = Array.from({ length: 10 }, () => take('loud'));
    check(10, 30);
    note('quiet');
    take('loud', 'eleventh');
    assert.equal(started.includes('eleventh'), false);
    take('quiet');
    take('quiet');
    assert.equal(started.filter((name) => name === 'quiet').length, 2);
    // Those that run go on; when fewer than two are left, the next one starts.
    for (const end of over.slice(0, 8)) end();
    assert.equal(started.includes('eleventh'), false);
    over[8]?.();
    assert.equal(started.includes('eleventh'), true);
  });

  it('limits nobody who is alone, and nobody any more once the others have gone', () => {
    const { take, note, check, wait, started } = setUp();
    for (let i = 0; i < 10; i++) take('loud');
    check(10, 30);
    take('loud', 'alone');
    assert.equal(started.includes('alone'), true);
    note('quiet');
    take('loud', 'waits');
    assert.equal(started.includes('waits'), false);
    wait(1_000);
    check(1, 30);
    assert.equal(started.includes('waits'), true);
  });

  it('starts more and more as soon as the event loop is not late', () => {
    const { take, note, check, started } = setUp();
    for (let i = 0; i < 10; i++) take('loud');
    check(10, 30);
    note('quiet');
    for (let i = 0; i < 10; i++) take('loud', 'later');
    for (let i = 0; i < 20; i++) {
      check(1, 0);
      note('quiet');
    }
    assert.equal(started.filter((name) => name === 'later').length, 10);
  });

  it('starts no request that was given up, and none twice', () => {
    const { take, note, check, started } = setUp();
    const over = Array.from({ length: 3 }, () => take('loud'));
    check(10, 30);
    note('quiet');
    const giveUp = take('loud', 'given up');
    take('loud', 'next');
    giveUp();
    for (const end of over) end();
    assert.deepEqual(started, ['loud', 'loud', 'loud', 'next']);
  });
});
