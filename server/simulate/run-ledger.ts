/**
 * `npm run simulate -- ledger [--increments=100000] [--times=200] [--kills=10] [--seed=1] [--minutes=60]`: sums of reports against an independent ledger, under
 * kills, restatements, refunds, undo, erasures and late matches, and reports as known at past times against what was answered then.
 */
import { parseArgs } from 'node:util';
import { cleanUpNow } from '../test/at-end.ts';
import { proveLedger } from './ledger.ts';
import { startLedgerService } from './ledger-service.ts';

const option = (value: string) => ({ type: 'string' as const, default: value });
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    increments: option('100000'),
    times: option('200'),
    kills: option('10'),
    seed: option('1'),
    minutes: option('Infinity'),
  },
});
const startedAt = performance.now();
const { differences, ...counts } = await proveLedger(await startLedgerService(), {
  ...{ increments: Number(values.increments), times: Number(values.times), kills: Number(values.kills) },
  ...{ seed: Number(values.seed), minutes: Number(values.minutes) },
  ...{ batch: Math.min(500, Math.ceil(Number(values.increments) / 200)) },
});
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', '),
);
console.log(`${differences.length} differences in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
for (const each of differences.slice(0, 20)) console.log(each);
await cleanUpNow();
process.exitCode = differences.length > 0 ? 1 : 0;
