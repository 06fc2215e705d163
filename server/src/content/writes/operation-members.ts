import type { Fault } from '../../shared/errors.ts';
import { valueOperations } from './contract.ts';
import type { Operation } from './operation.ts';
import type { OperationName } from './operation-names.ts';

const CHANGES = Object.keys(valueOperations) as (keyof typeof valueOperations)[];

/** What operations have besides `op`, `collection` and `ref`. */
const MEMBERS = ['id', 'by', 'values', ...CHANGES, 'version'] as const;
type Member = (typeof MEMBERS)[number];

const TAKES: Record<OperationName, readonly Member[]> = {
  create: ['values'],
  update: MEMBERS,
  upsert: ['by', 'values', 'version'],
  restore: MEMBERS,
  delete: ['id', 'by', 'version'],
  publish: ['id', 'by', 'version'],
  unpublish: ['id', 'by', 'version'],
};

/** The members that an operation lacks, and those that would have no effect. */
export function memberFaults(operation: Operation): Fault[] {
  const { op, id, by, pointer } = operation;
  const takes = TAKES[op];
  const faults = MEMBERS.filter((name) => operation[name] !== undefined && !takes.includes(name)).map((name) => {
    const hint = op === 'upsert' && name === 'id' ? ' It finds the entry by "by".' : '';
    return {
      pointer: `${pointer}/${name}`,
      code: 'not_allowed',
      detail: `The operation ${op} takes no ${name}.${hint}`,
    };
  });
  if (op === 'upsert' && by === undefined) {
    const detail = 'The operation upsert needs "by": a unique field and its value, such as {"sku": "4711"}.';
    faults.push({ pointer: `${pointer}/by`, code: 'required', detail });
  }
  if (!takes.includes('id')) return faults;
  if (id === undefined && by === undefined) {
    const detail = `The operation ${op} needs "id", or "by" with a unique field and its value.`;
    faults.push({ pointer: `${pointer}/id`, code: 'required', detail });
  }
  if (id !== undefined && by !== undefined) {
    faults.push({ pointer: `${pointer}/by`, code: 'not_allowed', detail: 'Name the entry by "id" or by "by".' });
  }
  return faults;
}
