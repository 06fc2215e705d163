import type { Proof } from './proof.ts';
import { restatements } from './restatements.ts';

/** Every proof by its name in `npm run chaos -- <name>`. */
export const PROOFS = {
  restatements,
} satisfies Record<string, Proof>;
