import { escapeFormula, unescapeFormula } from '../../../shared/csv.ts';
import { checkText, defineFieldType, PLAIN_JSON, quoted, RANGE_OPERATORS } from '../field-type.ts';
import { text } from '../text.ts';

const MAX_LENGTH = 254;

/** What browsers accept in an email input, in parts that need no backtracking. */
const LOCAL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export const email = defineFieldType<string>({
  ...text,
  description: 'an email address',
  acceptsEmptyText: false,
  operators: [...RANGE_OPERATORS, 'contains'],
  check(value, context) {
    const checked = checkText(value, context, MAX_LENGTH)?.trim();
    if (checked === undefined || isEmail(checked)) return checked;
    return context.fault('email_invalid', `${quoted(context)} must be an email address.`);
  },
  csv: { parse: (cell) => unescapeFormula(cell.trim()), format: escapeFormula, ...PLAIN_JSON },
});

function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@');
  const labels = address.slice(at + 1).split('.');
  return at > 0 && LOCAL.test(address.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label));
}
