import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { escapeFormula, unescapeFormula } from '../../../shared/csv.ts';
import { LIMITS } from '../../limits.ts';
import {
  checkText,
  defineFieldType,
  defineSetting,
  PLAIN_JSON,
  quoted,
  RANGE_OPERATORS,
  ValueFault,
} from '../field-type.ts';
import { foldCase } from '../fold.ts';
import { exactRange } from '../sort-key.ts';
import { spelledIn } from './slug-spelling.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const RULE = 'must consist of the letters a to z, digits and single hyphens, such as summer-sale';

const slugSource = defineSetting<string>({
  schema: Type.String({
    description: 'Of the format `slug`: the field from which the slug of an entry without one is generated',
  }),
  merge: (sent, known) => (sent === undefined ? known : (sent ?? undefined)),
});

/** The part of a URL that identifies an entry. Its key is the slug itself, which `old_slugs` stores, too. */
export const slug = defineFieldType<string>({
  description: `a part of a URL of up to ${LIMITS.slugLength} characters: the letters a to z, digits and hyphens`,
  sdkType: { read: 'string', write: 'string' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: true,
  isSortable: true,
  isImportKey: true,
  operators: [...RANGE_OPERATORS, 'contains'],
  validation: [],
  settings: { slugSource },
  check(value, context) {
    const checked = checkText(value, context, LIMITS.slugLength);
    if (checked === undefined || SLUG.test(checked)) return checked;
    return context.fault('slug_invalid', `${quoted(context)} ${RULE}.`);
  },
  parseOperand: (operand, field) =>
    SLUG.test(operand) ? operand : new ValueFault('value_invalid', `${quoted({ field })} ${RULE}.`),
  sortKey: (value) => value,
  sortRange: exactRange,
  filterBits: null,
  csv: { parse: (cell) => unescapeFormula(cell.trim()), format: escapeFormula, ...PLAIN_JSON },
});

export const isSlug = (text: string): boolean => text.length <= LIMITS.slugLength && SLUG.test(text);

const require = createRequire(import.meta.url);

/**
 * A text of any script as a slug: `Grüße aus Köln` becomes `grusse-aus-koln`, and in German `gruesse-aus-koeln`. Empty if it has no letter
 * or digit.
 */
export function toSlug(text: string, locale = ''): string {
  // Loaded when it is first used: its tables take 1 MB.
  const { default: anyAscii } = require('any-ascii') as typeof import('any-ascii');
  // The micro sign is no letter, though its capital is that of the Greek one.
  const letters = foldCase(text.slice(0, 4 * LIMITS.slugLength).replaceAll('µ', 'u')).normalize('NFC');
  return anyAscii(spelledIn(locale, letters))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, LIMITS.derivedSlugLength)
    .replace(/-+$/, '');
}
