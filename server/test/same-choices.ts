import fc from 'fast-check';

let count = 0;

/**
 * Lets the tests that choose their values by fast-check choose the same in every run, so that none fails by chance for a change that has nothing to do
 * with it. Proofs, and `CHOICES=new npm test`, choose others each time; a failure prints its seed.
 */
export function chooseTheSame(): void {
  if (process.env.CHOICES === 'new') return;
  fc.configureGlobal({
    // Read once for each assertion and sample: the next one chooses others.
    get seed() {
      return Math.imul(++count, 0x9e3779b1);
    },
  });
}

/** A file chooses the same whatever ran before it in its process. */
export function restartChoices(): void {
  count = 0;
}
