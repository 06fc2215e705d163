// Slow: compares every report with a count of all rows, again and again.
import { testExactReports } from './test-exact.ts';

testExactReports(3);
