import fc from 'fast-check';

/** `CHOICES=12345 npm test` chooses other values, and the same again with the same number. */
const FIRST = Number(process.env.CHOICES ?? 0);

let count = FIRST;

/**
 * Lets the tests that choose their values by fast-check choose the same in every run, so that none fails by chance for a change that has nothing to do
 * with it. Proofs choose others in each run, which prints their number.
 */
export function chooseTheSame(): void {
  fc.configureGlobal({
    // Read once for each assertion and sample: the next one chooses others.
    get seed() {
      return Math.imul(++count, 0x9e3779b1);
    },
  });
}

/** A file chooses the same whatever ran before it in its process. */
export function restartChoices(): void {
  count = FIRST;
}
