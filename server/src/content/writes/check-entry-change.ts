import type { Collection } from '../collections/collection.ts';
import { type CheckedValues, checkChangedValues, type Values } from '../entries/check-values.ts';
import { applyChange, hasOperations } from './apply-change.ts';
import type { ValueChange } from './contract.ts';

/** Checks a change against the stored values; faults have the pointers of the request. */
export function checkEntryChange(collection: Collection, change: ValueChange, stored: Values): CheckedValues {
  if (!hasOperations(change)) return checkChangedValues(collection, change.values ?? {}, stored);
  const { values, faults, pointerOf } = applyChange(collection, change, stored);
  const checked = checkChangedValues(collection, values, stored);
  const asSent = <Item extends { pointer: string }>(item: Item) => ({ ...item, pointer: pointerOf(item.pointer) });
  return {
    ...checked,
    faults: [...faults, ...checked.faults.map(asSent)],
    assets: checked.assets.map(asSent),
    references: checked.references.map(asSent),
  };
}
