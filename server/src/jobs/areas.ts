import type { Area, Caller } from '../accounts/index.ts';

/** The jobs that members who are limited to an area see and cancel. All others are for those with access to everything. */
const TYPES: Record<Area, string[]> = {
  content: ['export_entries', 'dry_run_import', 'import_entries', 'undo_import', 'clear-unused-files'],
  analytics: ['export', 'undo_conversion_import', 'erase_lead', 'erase_visitor'],
};

/** null: all types. */
export function typesFor(caller: Caller): string[] | null {
  return caller.type === 'user' && caller.area !== null ? TYPES[caller.area] : null;
}

export function mayUseJob(caller: Caller, type: string): boolean {
  return typesFor(caller)?.includes(type) ?? true;
}
