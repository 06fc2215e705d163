import type { Fault } from '../../shared/errors.ts';
import { patternFaults } from '../field-types/pattern.ts';
import type { Validation } from '../field-types/validation.ts';

/** A field or a block, as it is stored or sent. */
interface Declared {
  id?: string | undefined;
  validation?: Validation | null | undefined;
  fields?: readonly Declared[] | null | undefined;
  blocks?: readonly Declared[] | null | undefined;
}

/**
 * The faults of the patterns that a request adds to the fields of a collection, which are to be compiled only without one: what
 * they cost together is bounded.
 */
export function checkPatterns(existing: readonly Declared[], sent: readonly Declared[]): Fault[] {
  const known = new Set(patternsOf(existing, '').map(({ pattern }) => pattern));
  const requested = patternsOf(sent, '/fields');
  const added = requested.filter(({ pattern }) => !known.has(pattern));
  if (added.length === 0) return [];
  const changed = new Set(sent.filter(({ validation }) => validation !== undefined).map(({ id }) => id));
  const kept = patternsOf(
    existing.filter(({ id }) => !changed.has(id)),
    '',
  );
  const found = patternFaults(
    [...kept, ...requested].map(({ pattern }) => pattern),
    added.map(({ pattern }) => pattern),
  );
  return added.flatMap(({ pointer }, i) => {
    const fault = found[i];
    return fault ? { pointer, ...fault } : [];
  });
}

function patternsOf(fields: readonly Declared[], at: string): { pointer: string; pattern: string }[] {
  return fields.flatMap(({ validation, fields: nested, blocks }, i) => {
    const own = validation?.pattern;
    return [
      ...(own === undefined ? [] : [{ pointer: `${at}/${i}/validation/pattern`, pattern: own }]),
      ...patternsOf(nested ?? [], `${at}/${i}/fields`),
      ...patternsOf(blocks ?? [], `${at}/${i}/blocks`),
    ];
  });
}
