// Slow: thousands of increments under kills, restatements and erasures, compared with an independent ledger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveLedger } from './ledger.ts';
import { startLedgerService } from './ledger-service.ts';

// `npm run simulate -- ledger` takes any number of increments.
test('sums equal an independent ledger to the cent, and later say what they said then', {
  timeout: 600_000,
}, async () => {
  const options = { increments: 4_000, times: 20, kills: 2, batch: 40, seed: 1 };
  const { differences, ...counts } = await proveLedger(await startLedgerService(), options);
  assert.deepEqual(differences, []);
  const { kills, erasures, undone, lateMatches, answers } = counts;
  assert.ok(
    kills > 0 && erasures > 0 && undone > 0 && lateMatches > 0 && answers > options.times,
    JSON.stringify(counts),
  );
});
