import { fuzz } from './fuzz/fuzz.ts';
import { hostile } from './hostile/hostile.ts';
import type { Proof } from './proof.ts';
import { restatements } from './restatements.ts';
import { soak } from './soak.ts';

/** Every proof by its name in `npm run chaos -- <name>`. */
export const PROOFS = {
  fuzz,
  hostile,
  restatements,
  soak,
} satisfies Record<string, Proof>;
