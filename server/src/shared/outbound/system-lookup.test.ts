import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ResolvedAddress, systemLookup } from './system-lookup.ts';

test('thousands of hosts whose lookups hang occupy one thread and a bounded queue', async () => {
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const look = systemLookup((host) => {
    started.push(host);
    return new Promise<ResolvedAddress[]>((resolve) => {
      finish.push(() => resolve([{ address: '192.0.2.1', family: 4 }]));
    });
  });
  const results = Array.from({ length: 5_000 }, (_, i) =>
    look(`host-${i}.example`).then(
      () => 'found',
      (error) => error.code,
    ),
  );
  assert.equal(look('host-0.example'), look('host-0.example'), 'a host is looked up once');
  for (let i = 0; i < 17; i++) {
    await new Promise(setImmediate);
    assert.deepEqual(
      started,
      Array.from({ length: i + 1 }, (_, n) => `host-${n}.example`),
    );
    finish[i]?.();
    await results[i];
  }
  const outcomes = await Promise.all(results);
  assert.equal(outcomes.filter((each) => each === 'found').length, 17);
  assert.equal(outcomes.filter((each) => each === 'EAI_AGAIN').length, 4_983);
});

test('a host can be looked up again after it was not found', async () => {
  let isKnown = false;
  const look = systemLookup(async () => {
    if (!isKnown) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
    return [{ address: '192.0.2.1', family: 4 }];
  });
  await assert.rejects(look('a.example'), { code: 'ENOTFOUND' });
  isKnown = true;
  assert.deepEqual(await look('a.example'), [{ address: '192.0.2.1', family: 4 }]);
});
