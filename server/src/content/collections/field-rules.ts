import type { Fault } from '../../shared/errors.ts';
import { checkComputed } from '../entries/computed-values.ts';
import { checkWhere } from '../field-types/visible-when.ts';
import { isActive, type NestedField } from './field.ts';

/** Checks the rules of fields of a collection or component that name the fields beside them. */
export function checkFieldRules(fields: readonly NestedField[], faults: Fault[]): void {
  const fault = (pointer: string, code: string, detail: string) => void faults.push({ pointer, code, detail });
  checkConditions(fields, '/fields', fault);
  checkComputed(fields, '/fields', fault);
}

type AddFault = (pointer: string, code: string, detail: string) => void;

function checkConditions(fields: readonly NestedField[], at: string, fault: AddFault): void {
  for (const [i, field] of fields.entries()) {
    if (!isActive(field)) continue;
    const pointer = `${at}/${i}`;
    const others = fields.filter((each) => each !== field);
    if (field.visibleWhen) checkWhere(field.visibleWhen, others, `${pointer}/visibleWhen`, fault);
    if (field.fields) checkConditions(field.fields, `${pointer}/fields`, fault);
    for (const [j, block] of (field.blocks ?? []).entries()) {
      checkConditions(block.fields, `${pointer}/blocks/${j}/fields`, fault);
    }
  }
}
