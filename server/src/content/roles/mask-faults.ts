import { ApiError, type Fault, invalid } from '../../shared/errors.ts';
import type { Collection } from '../collections/collection.ts';

/** An error of an operation on the whole collection without what a role may not read. */
export function masked({ fields, access }: Collection, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error;
  const hidden = new Set(fields.filter((field) => field.hidden).map(({ id }) => id));
  // Of values that are unique together, the fault names all fields.
  const tuples = (access?.whole.uniqueTuples ?? [])
    .filter((tuple) => tuple.fields.some(({ id }) => hidden.has(id)))
    .map((tuple) => `"${tuple.fields.map(({ label }) => label).join('" with "')}"`);
  const faults: Fault[] = error.errors.map((fault) => {
    const [, before = '', id = ''] =
      /^(.*\/(?:values|increment|append|remove|merge))\/([^/]+)/.exec(fault.pointer) ?? [];
    if (hidden.has(id) && fault.code !== 'unknown_property') return { pointer: before, ...INCOMPLETE };
    if (fault.code === 'value_taken' && tuples.some((labels) => fault.detail.startsWith(labels))) {
      return { pointer: before, ...INCOMPLETE };
    }
    // The entry that has a value, or references another one, may be none that the role reads.
    return WITH_OTHERS.has(fault.code)
      ? { ...fault, detail: fault.detail.replace(/(?:The entry )?ent_\w+/g, 'another entry') }
      : fault;
  });
  const [first] = faults;
  const isSame = faults.every((fault, i) => fault === error.errors[i]);
  if (isSame || !first) return error;
  const isIncomplete = (fault: Fault) => fault.code === INCOMPLETE.code;
  return invalid(faults.filter((fault, i) => !isIncomplete(fault) || faults.findIndex(isIncomplete) === i));
}

const INCOMPLETE = {
  code: 'values_incomplete',
  detail:
    'The entry breaks a rule of a field that your role may not read. Ask somebody with another role to change it.',
};
const WITH_OTHERS: ReadonlySet<string> = new Set(['value_taken', 'entry_referenced', 'entry_ambiguous']);
