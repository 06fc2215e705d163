import { fuzz } from './fuzz/fuzz.ts';
import type { Proof } from './proof.ts';
import { restatements } from './restatements.ts';

/** Every proof by its name in `npm run chaos -- <name>`. */
export const PROOFS = {
  fuzz,
  restatements,
} satisfies Record<string, Proof>;
