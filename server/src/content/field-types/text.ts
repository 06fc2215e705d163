import { escapeFormula, unescapeFormula } from '../../shared/csv.ts';
import { LIMITS } from '../limits.ts';
import { computed } from './computed.ts';
import { checkText, defineFieldType, PLAIN_JSON, RANGE_OPERATORS } from './field-type.ts';
import { afterPrefix, exactKey, textPrefix } from './sort-key.ts';
import { TEXT_RULES } from './validation.ts';

/** Sorts without regard to case and accents; `eq` compares exactly. */
export const text = defineFieldType<string>({
  description: `a string of up to ${LIMITS.textLength.toLocaleString('en')} characters`,
  sdkType: { read: 'string', write: 'string' },
  settings: { computed },
  structure: 'plain',
  acceptsEmptyText: true,
  isSearchable: true,
  isSortable: true,
  isImportKey: true,
  operators: [...RANGE_OPERATORS, 'contains'],
  validation: TEXT_RULES,
  check: (value, context) => checkText(value, context, LIMITS.textLength),
  parseOperand: (operand) => operand,
  sortKey: (value) => exactKey(textPrefix(value), value),
  sortRange(value) {
    const prefix = textPrefix(value);
    return [prefix, afterPrefix(prefix)];
  },
  sortsAlike: true,
  // A value that many texts equal is rare, and the index finds it.
  filterBits: null,
  csv: { parse: unescapeFormula, format: escapeFormula, ...PLAIN_JSON },
});
