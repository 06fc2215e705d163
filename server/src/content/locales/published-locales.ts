import { type Fault, refuse } from '../../shared/errors.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { baseOf, canonicalLocale, localeOf } from './check-locales.ts';
import type { CollectionLocales } from './contract.ts';
import { hasValue, unknownLocale } from './locale-view.ts';

/** The published version of each published locale. */
export type PublishedLocales = Record<string, number>;

interface PublishedRow {
  published_version?: number | string | null | undefined;
  /** JSON text, or what it contains; null for an entry that was published before its collection had localized fields. */
  published_locales?: PublishedLocales | string | null | undefined;
}

/** Those of an entry, without locales that the account no longer has. */
export function publishedLocalesOf(account: CollectionLocales, row: PublishedRow): PublishedLocales {
  const stored = storedLocalesOf(account, row);
  return Object.fromEntries(
    account.locales.flatMap(({ locale }) => (stored[locale] === undefined ? [] : [[locale, stored[locale]]])),
  );
}

/** Those of an entry, including locales that may return. */
export function storedLocalesOf(account: CollectionLocales, row: PublishedRow): PublishedLocales {
  const { published_version, published_locales } = row;
  if (published_version == null) return {};
  if (published_locales == null)
    return account.default === null ? {} : { [baseOf(account)]: Number(published_version) };
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

/**
 * The locales in which an entry has a value, and the default one; without it if the entry is only translated, and could not be
 * published in it.
 */
export function presentLocales({ fields }: Collection, account: CollectionLocales, values: Values): string[] {
  const active = fields.filter(isActive);
  const present = new Set(
    active.flatMap((field) => (hasValue(values, field.id) ? (localeOf(account, field) ?? []) : [])),
  );
  const isRequired = active.some(({ localized, required }) => localized && required);
  if (account.default !== null && (present.size === 0 || !isRequired)) present.add(account.default);
  return account.locales.flatMap(({ locale }) => (present.has(locale) ? locale : []));
}

export interface Publication {
  values: Values;
  locales: PublishedLocales;
  /** The locales whose values change. */
  changed: string[];
  /** Whether values that are not localized change as well. */
  changesShared: boolean;
}

/**
 * What is published of an entry when a version of it is published in some locales. All others stay as they are published. Values
 * that are not localized are published with the default locale, and with any other one while that is not published.
 * @param published what is published so far, if anything
 * @param chosen undefined: all in which the version has values, and the others are not published any more
 */
export function publicationOf(
  collection: Collection,
  account: CollectionLocales,
  version: { version: number; values: Values },
  published: { values: Values; row: PublishedRow } | undefined,
  chosen: readonly string[] | undefined,
): Publication {
  const before = published ? storedLocalesOf(account, published.row) : {};
  const changed = [...(chosen ?? presentLocales(collection, account, version.values))];
  const kept = chosen ? Object.entries(before).filter(([locale]) => !changed.includes(locale)) : [];
  const keptLocales = new Set(kept.map(([locale]) => locale));
  const main = account.default ?? '';
  const changesShared = changed.includes(main) || !keptLocales.has(main);
  const values: Values = {};
  for (const field of collection.fields) {
    const locale = localeOf(account, field);
    const isChanged = locale === undefined ? changesShared : changed.includes(locale);
    const isKept = locale === undefined || keptLocales.has(locale);
    const source = isChanged ? version.values : isKept ? published?.values : undefined;
    if (source && Object.hasOwn(source, field.id)) values[field.id] = source[field.id];
  }
  const locales = Object.fromEntries([...kept, ...changed.map((locale) => [locale, version.version])]);
  return { values, locales, changed, changesShared };
}

/** What remains published when some locales are not any more. */
export function withoutLocales(
  collection: Collection,
  account: CollectionLocales,
  published: { values: Values; row: PublishedRow },
  removed: readonly string[],
): Publication {
  const before = storedLocalesOf(account, published.row);
  const values: Values = {};
  for (const field of collection.fields) {
    const locale = localeOf(account, field);
    if ((locale !== undefined && removed.includes(locale)) || !Object.hasOwn(published.values, field.id)) continue;
    values[field.id] = published.values[field.id];
  }
  const kept = Object.entries(before).filter(([locale]) => !removed.includes(locale));
  return {
    values,
    locales: Object.fromEntries(kept),
    changed: removed.filter((locale) => before[locale] !== undefined),
    changesShared: false,
  };
}

/** The values of a draft whose published locales are as they are published. */
export function withPublished(
  collection: Collection,
  account: CollectionLocales,
  draft: Values,
  published: { values: Values; row: PublishedRow },
): Values {
  const locales = storedLocalesOf(account, published.row);
  const values: Values = {};
  for (const field of collection.fields) {
    const locale = localeOf(account, field);
    const source = locale === undefined || locales[locale] !== undefined ? published.values : draft;
    if (Object.hasOwn(source, field.id)) values[field.id] = source[field.id];
  }
  return values;
}
