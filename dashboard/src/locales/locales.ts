import type { Collection, Entry, Field, Locales } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { isActive } from '../field-types/fields.ts';
import { headwater } from '../service/session.ts';

export const LOCALES_KEY = ['locales'];

export const localesQuery = () =>
  queryOptions({ queryKey: LOCALES_KEY, queryFn: ({ signal }) => headwater.getLocales({ signal }) });

/** The words of the interface are English. */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** `German`, or the tag itself if it has no name. */
export function localeName(locale: string): string {
  try {
    return names.of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** The ID of the field that has the values of another one in a locale. */
export const translationId = (fieldId: string, locale: string) => `${fieldId}@${locale}`;

export const otherLocales = ({ default: main, locales }: Locales): string[] =>
  locales.flatMap(({ locale }) => (locale === main ? [] : locale));

export const isLocalized = ({ fields }: Collection): boolean =>
  fields.some((field) => isActive(field) && field.localized);

/** The collection with the translations of its localized fields as fields of their own, as the API names their values. */
export function withTranslations(collection: Collection, locales: Locales | undefined): Collection {
  if (!locales || !isLocalized(collection)) return collection;
  const fields = collection.fields.flatMap((field) =>
    field.localized ? [field, ...otherLocales(locales).map((locale) => translate(field, locale))] : field,
  );
  return { ...collection, fields };
}

/** A required translation is only required when its locale is published. */
const translate = (field: Field, locale: string): Field => ({
  ...field,
  id: translationId(field.id, locale),
  label: `${field.label} (${localeName(locale)})`,
  required: false,
});

type Values = Record<string, unknown>;

const hasValue = (value: unknown) => value != null && !(Array.isArray(value) && value.length === 0);

/** How many of the localized fields have a value in a locale, of those with one in the default locale. */
export function countTranslated(fields: readonly Field[], values: Values, locale: string): [done: number, all: number] {
  const all = fields.filter(({ id, localized }) => localized && hasValue(values[id]));
  const done = all.filter(({ id }) => hasValue(values[translationId(id, locale)]));
  return [done.length, all.length];
}

export const isTranslated = (field: Field, values: Values, locale: string) =>
  hasValue(values[translationId(field.id, locale)]);

/** The locale whose value of a field is shown in another one: the first that has a value, along the fallbacks; null: the default one. */
export function shownLocale({ default: main, locales }: Locales, locale: string, field: Field, values: Values) {
  const fallbackOf = new Map(locales.map((each) => [each.locale, each.fallback]));
  let shown: string | null | undefined = locale;
  while (shown && shown !== main && !isTranslated(field, values, shown)) shown = fallbackOf.get(shown);
  return shown && shown !== main ? shown : null;
}

/** Values as they are in a locale, with its fallbacks. */
export function valuesIn(locales: Locales, locale: string, fields: readonly Field[], values: Values): Values {
  const result = Object.fromEntries(Object.entries(values).filter(([id]) => !id.includes('@')));
  for (const field of fields.filter(({ localized }) => localized)) {
    const shown = shownLocale(locales, locale, field, values);
    if (shown !== null) result[field.id] = values[translationId(field.id, shown)];
  }
  return result;
}

export interface LocaleState {
  label: string;
  color: string;
}

/** What is published of a locale. @param published the entry as it is published, once it is known */
export function localeState(
  { fields }: Collection,
  locales: Locales,
  locale: string,
  entry: Entry,
  published: Entry | undefined,
): LocaleState {
  const isMain = locale === locales.default;
  const valuesOf = (values: Values) =>
    JSON.stringify(
      fields
        .filter(({ localized }) => localized || isMain)
        .map(({ id }) => values[isMain ? id : translationId(id, locale)] ?? null),
    );
  const version = entry.publishedLocales?.[locale];
  if (version === undefined) {
    const hasAny = isMain || fields.some((field) => field.localized && isTranslated(field, entry.values, locale));
    return hasAny ? { label: 'Draft', color: 'gray' } : { label: 'Not translated', color: 'yellow' };
  }
  const isChanged = version !== entry.version && (!published || valuesOf(published.values) !== valuesOf(entry.values));
  return isChanged ? { label: 'Unpublished changes', color: 'blue' } : { label: 'Published', color: 'teal' };
}
