/** Prints the results of `npm test` and `npm run test:proofs` together, and fails if one of them failed or did not run. */
import { join } from 'node:path';
import { printResults, readResults } from './results.ts';
import { printSlowest } from './slowest.ts';

const results = readResults(join(import.meta.dirname, '../../test-results'));
const slowest = results.flatMap(({ usage }) => usage).sort((a, b) => b.cpu - a.cpu);
console.log('The slowest files, in seconds of processor time and by the clock:');
printSlowest(slowest);
const hasPassed = printResults(results);
if (!hasPassed || results.length < 2) process.exitCode = 1;
