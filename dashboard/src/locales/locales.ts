import type { Collection, Entry, Field, Locales } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { isActive } from '../field-types/fields.ts';
import { LANGUAGE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';

export const LOCALES_KEY = ['locales'];

export const localesQuery = () =>
  queryOptions({ queryKey: LOCALES_KEY, queryFn: ({ signal }) => headwater.getLocales({ signal }) });

/** The words of the interface are English. */
const names = new Intl.DisplayNames(LANGUAGE, { type: 'language', fallback: 'code' });

/** `German`, or the tag itself if it has no name. */
export function localeName(locale: string): string {
  try {
    return names.of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** The locales of the entries of a collection. */
export interface EntryLocales extends Locales {
  /** The locale of values without a locale in their name, if it is not the default one. */
  base?: string | undefined;
}

export const entryLocales = (locales: Locales, { baseLocale }: Pick<Collection, 'baseLocale'>): EntryLocales =>
  baseLocale === undefined ? locales : { ...locales, base: baseLocale };

export const baseOf = ({ base, default: main }: EntryLocales): string => base ?? main ?? '';

/** The name of the value of a localized field in a locale. */
export const valueId = (locales: EntryLocales, fieldId: string, locale: string): string =>
  locale === baseOf(locales) ? fieldId : `${fieldId}@${locale}`;

export const otherLocales = ({ default: main, locales }: Locales): string[] =>
  locales.flatMap(({ locale }) => (locale === main ? [] : locale));

export const isLocalized = ({ fields }: Collection): boolean =>
  fields.some((field) => isActive(field) && field.localized);

/** The collection with the translations of its localized fields as fields of their own, as the API names their values. */
export function withTranslations(collection: Collection, locales: EntryLocales | undefined): Collection {
  if (!locales || !isLocalized(collection)) return collection;
  const base = baseOf(locales);
  const others = locales.locales.filter(({ locale }) => locale !== base);
  const fields = collection.fields.flatMap((field) => {
    if (!field.localized) return field;
    const own = base === locales.default ? field : translate(locales, field, base);
    return [own, ...others.map(({ locale }) => translate(locales, field, locale))];
  });
  return { ...collection, fields };
}

/** The field of the values in a locale. Those of others than the default one are only required when they are published. */
export const translate = (locales: EntryLocales, field: Field, locale: string): Field => ({
  ...field,
  id: valueId(locales, field.id, locale),
  label: `${field.label} (${localeName(locale)})`,
  required: field.required && locale === locales.default,
});

type Values = Record<string, unknown>;

const hasValue = (value: unknown) => value != null && !(Array.isArray(value) && value.length === 0);

/** How many of the localized fields have a value in a locale, of those with one in the default locale. */
export function countTranslated(
  locales: EntryLocales,
  fields: readonly Field[],
  values: Values,
  locale: string,
): [done: number, all: number] {
  const main = locales.default ?? '';
  const all = fields.filter((field) => field.localized && isTranslated(locales, field, values, main));
  const done = all.filter((field) => isTranslated(locales, field, values, locale));
  return [done.length, all.length];
}

export const isTranslated = (locales: EntryLocales, { id }: Field, values: Values, locale: string) =>
  hasValue(values[valueId(locales, id, locale)]);

/** The locale whose value of a field is shown in another one: the first that has a value, along the fallbacks, or the default one. */
export function shownLocale(locales: EntryLocales, locale: string, field: Field, values: Values): string {
  const fallbackOf = new Map(locales.locales.map((each) => [each.locale, each.fallback]));
  const main = locales.default ?? '';
  let shown: string | null | undefined = locale;
  while (shown && shown !== main && !isTranslated(locales, field, values, shown)) shown = fallbackOf.get(shown);
  return shown ?? main;
}

/** Values as they are in a locale, with its fallbacks. */
export function valuesIn(locales: EntryLocales, locale: string, fields: readonly Field[], values: Values): Values {
  const result = Object.fromEntries(Object.entries(values).filter(([id]) => !id.includes('@')));
  for (const field of fields.filter(({ localized }) => localized)) {
    result[field.id] = values[valueId(locales, field.id, shownLocale(locales, locale, field, values))];
  }
  return result;
}

interface LocaleState {
  label: string;
  color: string;
}

/** What is published of a locale. @param published the entry as it is published, once it is known */
export function localeState(
  { fields }: Collection,
  locales: EntryLocales,
  locale: string,
  entry: Entry,
  published: Entry | undefined,
): LocaleState {
  const isMain = locale === locales.default;
  const valuesOf = (values: Values) =>
    JSON.stringify(
      fields
        .filter(({ localized }) => localized || isMain)
        .map(({ id, localized }) => values[localized ? valueId(locales, id, locale) : id] ?? null),
    );
  const version = entry.publishedLocales?.[locale];
  if (version === undefined) {
    const hasAny =
      isMain || fields.some((field) => field.localized && isTranslated(locales, field, entry.values, locale));
    return hasAny ? { label: t('Draft'), color: 'gray' } : { label: t('Not translated'), color: 'yellow' };
  }
  const isChanged = version !== entry.version && (!published || valuesOf(published.values) !== valuesOf(entry.values));
  return isChanged ? { label: t('Unpublished changes'), color: 'blue' } : { label: t('Published'), color: 'teal' };
}
