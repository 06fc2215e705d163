// Slow: each damaged archive is restored into a database, which is migrated for it.
import { testDamagedArchives } from './test-damaged-archives.ts';

testDamagedArchives(3);
