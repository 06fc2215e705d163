import type { Fault } from '../../shared/errors.ts';
import { type Field, isActive, isOwn, type NestedField } from '../collections/collection.ts';
import { UNASSIGNED } from '../collections/merge-fields.ts';
import { LIMITS } from '../limits.ts';
import { translationId } from './check-locales.ts';
import type { AccountLocales } from './contract.ts';

// The values of a localized field in other locales than the default one are those of fields of their own, its translations.
// They are stored beside the field and behave like any other field; only the definition of a collection does not show them.

/**
 * The own fields of a collection, each followed by its translations. The translation of a locale that the account no longer
 * has, or of a field that is no longer localized, is like a deleted field.
 * @param before the fields as they are stored, whose translations keep their keys
 */
export function withTranslations(
  own: readonly Field[],
  before: readonly Field[],
  locales: AccountLocales | null,
): Field[] {
  const known = new Map(before.filter((field) => !isOwn(field)).map((field) => [field.id, field]));
  const others = (locales?.locales ?? []).flatMap(({ locale }) => (locale === locales?.default ? [] : locale));
  return own.flatMap((field): Field[] => {
    const earlier = [...known.values()].filter((each) => each.translationOf === field.id);
    const tags = new Set([...(field.localized ? others : []), ...earlier.flatMap(({ locale = [] }) => locale)]);
    const translations = [...tags].map((locale) => {
      const isUsed = field.localized === true && others.includes(locale);
      return translate(field, locale, known.get(translationId(field.id, locale)), isUsed, own);
    });
    return [field, ...translations];
  });
}

function translate(
  field: Field,
  locale: string,
  known: Field | undefined,
  isUsed: boolean,
  own: readonly Field[],
): Field {
  const { slugSource, key: _key, publishedKey: _publishedKey, ...rest } = field;
  for (const name of ['localized', 'defaultValue', 'filterBits', 'pending', 'publishedPending'] as const)
    delete rest[name];
  const isSourceLocalized = own.find(({ id }) => id === slugSource)?.localized;
  return {
    ...rest,
    ...keysOf(known),
    id: translationId(field.id, locale),
    label: `${field.label} (${locale})`,
    locale,
    translationOf: field.id,
    // Only when the locale is published.
    required: false,
    status: isUsed ? field.status : 'deleted',
    fields: field.fields?.map((nested) => translateNested(nested, known)) ?? null,
    ...(slugSource !== undefined && isSourceLocalized && { slugSource: translationId(slugSource, locale) }),
    ...(known?.pending && { pending: known.pending }),
    ...(known?.publishedPending && { publishedPending: known.publishedPending }),
  };
}

function translateNested({ key: _, publishedKey: __, ...nested }: NestedField, known: Field | undefined): NestedField {
  return { ...nested, ...keysOf(known?.fields?.find(({ id }) => id === nested.id)) };
}

const keysOf = (known: NestedField | undefined): Pick<NestedField, 'key' | 'publishedKey'> => ({
  key: known?.key ?? UNASSIGNED,
  ...(known?.publishedKey !== undefined && { publishedKey: known.publishedKey }),
});

/** An entry has an index row for each active field and translation. */
export function checkTranslations(fields: readonly Field[], faults: Fault[], pointer = '/fields'): void {
  const count = fields.filter((field) => !isOwn(field) && isActive(field)).length;
  if (count <= LIMITS.translations) return;
  const detail = `The localized fields of a collection must have at most ${LIMITS.translations} translations together, one for each other locale.`;
  faults.push({ pointer, code: 'too_many', detail });
}

/** @param sent the fields of the request, of which those at `i` are localized */
export function checkLocalized(
  sent: readonly { localized?: boolean }[],
  locales: AccountLocales | null,
  faults: Fault[],
): void {
  if (locales?.default != null) return;
  for (const [i, { localized }] of sent.entries()) {
    if (!localized) continue;
    const detail = 'The account has no locales. List them with PUT /v1/cms/locales first.';
    faults.push({ pointer: `/fields/${i}/localized`, code: 'locales_missing', detail });
  }
}
