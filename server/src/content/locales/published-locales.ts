import { type Fault, refuse } from '../../shared/errors.ts';
import { type Collection, type Field, isActive } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { canonicalLocale } from './check-locales.ts';
import type { AccountLocales } from './contract.ts';
import { hasValue, unknownLocale } from './locale-view.ts';

/** The published version of each published locale. */
export type PublishedLocales = Record<string, number>;

interface PublishedRow {
  published_version?: number | string | null | undefined;
  /** JSON text, or what it contains; null for an entry that was published before its collection had localized fields. */
  published_locales?: PublishedLocales | string | null | undefined;
}

/** Those of an entry, without locales that the account no longer has. */
export function publishedLocalesOf(account: AccountLocales, row: PublishedRow): PublishedLocales {
  const stored = storedLocalesOf(account, row);
  return Object.fromEntries(
    account.locales.flatMap(({ locale }) => (stored[locale] === undefined ? [] : [[locale, stored[locale]]])),
  );
}

/** Those of an entry, including locales that may return. */
export function storedLocalesOf(account: AccountLocales, row: PublishedRow): PublishedLocales {
  const { published_version, published_locales } = row;
  if (published_version == null) return {};
  if (published_locales == null)
    return account.default === null ? {} : { [account.default]: Number(published_version) };
  return typeof published_locales === 'string' ? JSON.parse(published_locales) : published_locales;
}

/**
 * The locales that a request names, in canonical form; undefined: all.
 * @throws ApiError 400 `locale_unknown`, `not_localized`
 */
export function chosenLocales(
  { locales }: Collection,
  sent: readonly string[] | undefined,
  pointer = '/locales',
): string[] | undefined {
  if (sent === undefined) return undefined;
  const faults: Fault[] = [];
  const known = new Set(locales?.locales.map(({ locale }) => locale));
  const chosen = sent.map((tag, i) => {
    const locale = canonicalLocale(tag) ?? tag;
    if (!known.has(locale)) faults.push(unknownLocale(tag, `${pointer}/${i}`));
    return locale;
  });
  if (locales === null) {
    const detail = 'The collection has no localized fields, so its entries are published as a whole.';
    refuse([{ pointer, code: 'not_localized', detail }]);
  }
  refuse(faults);
  return [...new Set(chosen)];
}

/** The locale that a field belongs to: what is not localized, to the default one. */
export const localeOf = ({ default: main }: AccountLocales, { locale }: Field): string => locale ?? main ?? '';

/** The default locale, and those in which an entry has a value. */
export function presentLocales({ fields }: Collection, account: AccountLocales, values: Values): string[] {
  const translated = new Set(
    fields.flatMap((field) => (field.locale && isActive(field) && hasValue(values, field.id) ? field.locale : [])),
  );
  return account.locales.flatMap(({ locale }) => (locale === account.default || translated.has(locale) ? locale : []));
}

export interface Publication {
  values: Values;
  locales: PublishedLocales;
  /** The locales whose values change. */
  changed: string[];
}

/**
 * What is published of an entry when a version of it is published in some locales. All others stay as they are published.
 * @param published what is published so far, if anything
 * @param chosen undefined: all in which the version has values, and the others are not published any more
 */
export function publicationOf(
  collection: Collection,
  account: AccountLocales,
  version: { version: number; values: Values },
  published: { values: Values; row: PublishedRow } | undefined,
  chosen: readonly string[] | undefined,
): Publication {
  const before = published ? storedLocalesOf(account, published.row) : {};
  const changed = [...(chosen ?? presentLocales(collection, account, version.values))];
  const kept = chosen ? Object.entries(before).filter(([locale]) => !changed.includes(locale)) : [];
  const keptLocales = new Set(kept.map(([locale]) => locale));
  const values: Values = {};
  for (const field of collection.fields) {
    const locale = localeOf(account, field);
    const source = changed.includes(locale) ? version.values : keptLocales.has(locale) ? published?.values : undefined;
    if (source && Object.hasOwn(source, field.id)) values[field.id] = source[field.id];
  }
  const locales = Object.fromEntries([...kept, ...changed.map((locale) => [locale, version.version])]);
  return { values, locales, changed };
}

/** What remains published when some locales are not any more. */
export function withoutLocales(
  collection: Collection,
  account: AccountLocales,
  published: { values: Values; row: PublishedRow },
  removed: readonly string[],
): Publication {
  const before = storedLocalesOf(account, published.row);
  const values: Values = {};
  for (const field of collection.fields) {
    if (removed.includes(localeOf(account, field)) || !Object.hasOwn(published.values, field.id)) continue;
    values[field.id] = published.values[field.id];
  }
  const kept = Object.entries(before).filter(([locale]) => !removed.includes(locale));
  return {
    values,
    locales: Object.fromEntries(kept),
    changed: removed.filter((locale) => before[locale] !== undefined),
  };
}

/** The values of a draft whose published locales are as they are published. */
export function withPublished(
  collection: Collection,
  account: AccountLocales,
  draft: Values,
  published: { values: Values; row: PublishedRow },
): Values {
  const locales = storedLocalesOf(account, published.row);
  const values: Values = {};
  for (const field of collection.fields) {
    const source = locales[localeOf(account, field)] === undefined ? draft : published.values;
    if (Object.hasOwn(source, field.id)) values[field.id] = source[field.id];
  }
  return values;
}
