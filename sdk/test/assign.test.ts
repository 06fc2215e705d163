import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assign } from '@headwater/sdk';
import { assign as assignInService } from '../../server/src/experiments/assign.ts';
import { assign as assignInScript } from '../../tracker/src/variant.ts';

test('the client, the page script and the service assign every visitor alike', () => {
  const variants = [0.1, 0.2, 0.3, 0.4].map((weight, i) => ({ key: `v${i}`, weight }));
  const first = { key: 'first', variants, coverage: 0.5 };
  const counts = new Map<string | null, number>();
  for (const experiment of [
    first,
    { key: 'second-ö', variants, coverage: 1, preceding: [first] },
    { key: 'thirds', variants: [1, 2, 3].map((i) => ({ key: `t${i}`, weight: 1 / 3 })), coverage: 1 },
    { key: 'nobody', variants, coverage: 0 },
    { key: 'held', variants, coverage: 1, holdout: 0.2 },
    { key: 'shipped', variants, coverage: 0.5, holdout: 0.2, shippedVariant: 'v3' },
  ]) {
    for (let i = 0; i < 3_000; i++) {
      const visitorId = `visitor-${i}`;
      const variant = assign(experiment, visitorId);
      assert.equal(assignInService(experiment, visitorId).variant, variant);
      assert.equal(assignInScript(experiment, visitorId) ?? null, variant);
      counts.set(variant, (counts.get(variant) ?? 0) + 1);
      if (experiment.key.startsWith('second') && variant !== null) assert.equal(assign(first, visitorId), null);
      if (experiment.key === 'thirds') assert.notEqual(variant, null);
      if (experiment.key === 'nobody') assert.equal(variant, null);
    }
  }
  assert.equal(counts.size, 8);
  const held = { key: 'shipped', variants, coverage: 1, holdout: 0.2 };
  const ids = Array.from({ length: 3_000 }, (_, i) => `visitor-${i}`);
  const before = ids.filter((id) => assign(held, id) === null);
  assert.ok(Math.abs(before.length - 600) < 80);
  // Who was held out before sees the first variant afterwards, and everybody else what was shipped.
  for (const id of ids) assert.equal(assign({ ...held, shippedVariant: 'v3' }, id), before.includes(id) ? 'v0' : 'v3');
});
