import { escapePointer, type Fault } from '../../shared/errors.ts';
import type { Collection, Field } from '../collections/collection.ts';
import { mayWrite } from './collection-access.ts';

/** What is sent of fields that a role may write, and the faults of others; a field that it cannot read is unknown. */
export function writableValues(
  { access, byId }: Collection,
  action: 'create' | 'update',
  sent: Record<string, unknown>,
  pointer = '/values',
): { values: Record<string, unknown>; faults: Fault[] } {
  // Deleting and restoring send none; whoever writes entries requires the action.
  if (!access || Object.keys(sent).length === 0) return { values: sent, faults: [] };
  if (!access.permissions[action]) {
    const detail = `Your role does not allow this: it may not ${action} entries of this collection.`;
    return { values: {}, faults: [{ pointer: '', code: 'role_insufficient', detail }] };
  }
  const faults: Fault[] = [];
  const entries = Object.entries(sent).filter(([id]) => {
    const field = byId.get(id);
    const fault = field && fieldFault(field, mayWrite(access, action, field));
    if (fault) faults.push({ pointer: `${pointer}/${escapePointer(id)}`, ...fault });
    return !fault;
  });
  return { values: Object.fromEntries(entries), faults };
}

function fieldFault({ hidden, id, label }: Field, isWritable: boolean): Omit<Fault, 'pointer'> | undefined {
  if (hidden) return { code: 'unknown_property', detail: `There is no field with the ID "${id}".` };
  if (isWritable) return undefined;
  return { code: 'field_read_only', detail: `Your role may not write "${label}".` };
}
