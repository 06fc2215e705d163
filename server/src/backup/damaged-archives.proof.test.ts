// Slow: many damaged archives, each of them restored into a database that is migrated for it.
import { testDamagedArchives } from './test-damaged-archives.ts';

testDamagedArchives(12);
