import { escapeFormula, unescapeFormula } from '../../shared/csv.ts';
import { LIMITS } from '../limits.ts';
import { checkText, defineFieldType, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { exactKey, exactRange, sortedPrefix } from './sort-key.ts';
import { TEXT_RULES } from './validation.ts';

const sortKey = (value: string) => exactKey(sortedPrefix(value), value);

export const url = defineFieldType<string>({
  description: `an absolute http or https URL of up to ${LIMITS.urlLength.toLocaleString('en')} characters`,
  sdkType: { read: 'string', write: 'string' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: true,
  operators: EQUALITY_OPERATORS,
  validation: TEXT_RULES,
  check(value, context) {
    const checked = checkText(value, context, LIMITS.urlLength);
    if (checked === undefined || isWebUrl(checked)) return checked;
    return context.fault('url_invalid', `${quoted(context)} must be an http or https URL.`);
  },
  parseOperand(operand, field) {
    if (isWebUrl(operand)) return operand;
    return new ValueFault('value_invalid', `${quoted({ field })} must be an http or https URL.`);
  },
  sortKey,
  sortRange: (value) => exactRange(sortKey(value)),
  filterBits: null,
  csv: { parse: (cell) => unescapeFormula(cell.trim()), format: escapeFormula, ...PLAIN_JSON },
});

/** Whether a text is an absolute http or https URL without white space, which a parser would strip. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
