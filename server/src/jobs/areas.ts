import type { Area, Caller } from '../accounts/index.ts';

/** The jobs that members who are limited to an area see and cancel. All others are for those with access to everything. */
const TYPES: Record<Area, string[]> = {
  content: [
    'export_entries',
    'dry_run_import',
    'import_entries',
    'undo_import',
    'change_entries',
    'undo_change',
    'clear-unused-files',
  ],
  analytics: ['export', 'undo_conversion_import', 'reconcile', 'apply_reconciliation', 'erase_lead', 'erase_visitor'],
};

/** null: all types. */
export function typesFor(caller: Caller): string[] | null {
  return caller.type === 'user' && caller.area !== null ? TYPES[caller.area] : null;
}

/** A role of the account sees the jobs that its member or token started. */
export const authorFor = (caller: Caller): string | null =>
  caller.access ? (caller.type === 'user' ? caller.userId : caller.keyId) : null;

export function mayUseJob(caller: Caller, { type, author_id }: { type: string; author_id: string | null }): boolean {
  const author = authorFor(caller);
  return (typesFor(caller)?.includes(type) ?? true) && (author === null || author === author_id);
}
