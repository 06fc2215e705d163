import type { Values } from '../entries/check-values.ts';
import type { ValueChange } from './contract.ts';
import type { OperationName } from './operation-names.ts';

/** One change of one entry, among others in the same transaction. */
export interface Operation extends ValueChange {
  op: OperationName;
  /** The public ID of the collection. */
  collection: string;
  /** The entry: its public ID, or `@<ref>` of an earlier operation. */
  id?: string;
  /** The entry by the value of a unique field, as `{"sku": "4711"}`. */
  by?: Values;
  /** The version that the entry must have. */
  version?: number;
  /** The name by which later operations reference a created entry. */
  ref?: string;
  /** Where the request contains the operation, and its values. */
  pointer: string;
  valuesPointer: string;
}
