// Slow: 50 visitors for 15 s. `SOAK_SECONDS=60 npm run test:proofs -- tracker` runs for a minute.
import { test } from 'node:test';
import { soak } from './soak.ts';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 15);

test(`50 visitors for ${SECONDS} s while the service is killed: everything acknowledged is exported, once`, () =>
  soak(50, SECONDS));
