import type { Fault } from '../../shared/errors.ts';
import { isOwn } from '../collections/collection.ts';
import { type Field, isActive, type NestedField } from '../collections/field.ts';
import { UNASSIGNED } from '../collections/merge-fields.ts';
import { LIMITS } from '../limits.ts';
import { isSystemField } from '../ordering/system-fields.ts';
import { baseOf, translationId } from './check-locales.ts';
import type { AccountLocales, CollectionLocales } from './contract.ts';

// The values of a localized field in other locales than the first default one are those of fields of their own, its translations.
// They are stored beside the field and behave like any other field; only the definition of a collection does not show them.

/**
 * The own fields of a collection, each followed by its translations. The translation of a locale that the account no longer
 * has, or of a field that is no longer localized, is like a deleted field.
 * @param before the fields as they are stored, whose translations keep their keys
 */
export function withTranslations(
  own: readonly Field[],
  before: readonly Field[],
  locales: CollectionLocales | null,
): Field[] {
  const known = new Map(before.filter(({ locale }) => locale !== undefined).map((field) => [field.id, field]));
  const others = (locales?.locales ?? []).flatMap(({ locale }) =>
    locales && locale === baseOf(locales) ? [] : locale,
  );
  const translated = own.flatMap((field): Field[] => {
    const earlier = [...known.values()].filter((each) => each.translationOf === field.id);
    const tags = new Set([...(field.localized ? others : []), ...earlier.flatMap(({ locale = [] }) => locale)]);
    const translations = [...tags].map((locale) => {
      const isUsed = field.localized === true && others.includes(locale);
      const isRequired = field.required && locale === locales?.default;
      return translate(field, locale, known.get(translationId(field.id, locale)), { isUsed, isRequired }, own);
    });
    return [field, ...translations];
  });
  return [...translated, ...before.filter(isSystemField)];
}

function translate(
  field: Field,
  locale: string,
  known: Field | undefined,
  { isUsed, isRequired }: { isUsed: boolean; isRequired: boolean },
  own: readonly Field[],
): Field {
  const { slugSource, key: _key, publishedKey: _publishedKey, ...rest } = withKeysOf(field, known, UNASSIGNED);
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
    // In other locales only when they are published.
    required: isRequired,
    status: isUsed ? field.status : 'deleted',
    ...(slugSource !== undefined && isSourceLocalized && { slugSource: translationId(slugSource, locale) }),
    ...(known?.pending && { pending: known.pending }),
    ...(known?.publishedPending && { publishedPending: known.publishedPending }),
  };
}

/**
 * A field, in whose groups and blocks the keys are those of another field with the same fields.
 * @param missing the key of a field that the other one lacks; by default its own
 */
export function withKeysOf<Of extends NestedField>(field: Of, other: NestedField | undefined, missing?: number): Of {
  const nestedOf = (fields: readonly NestedField[], others: readonly NestedField[] = []) =>
    fields.map((nested) => {
      const { key, publishedKey, ...rest } = withKeysOf(
        nested,
        others.find(({ id }) => id === nested.id),
        missing,
      );
      const known = others.find(({ id }) => id === nested.id);
      const own = { key, ...(publishedKey !== undefined && { publishedKey }) };
      return { ...rest, ...(known ? keysOf(known) : missing === undefined ? own : { key: missing }) };
    });
  if (field.blocks) {
    const fieldsOf = (block: string) => other?.blocks?.find(({ id }) => id === block)?.fields;
    return {
      ...field,
      blocks: field.blocks.map((each) => ({ ...each, fields: nestedOf(each.fields, fieldsOf(each.id)) })),
    };
  }
  return field.fields ? { ...field, fields: nestedOf(field.fields, other?.fields ?? []) } : field;
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
