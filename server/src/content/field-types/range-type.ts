import { RANGE_OPERATORS } from './field-type.ts';
import { RANGE_RULES } from './validation.ts';

/** What types of numbers and times have in common. */
export const RANGE_TYPE = {
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: true,
  operators: RANGE_OPERATORS,
  validation: RANGE_RULES,
} as const;
