import type { Fault } from '../../shared/errors.ts';
import type { Field } from '../collections/field.ts';
import type { AccountLocales, CollectionLocales, LocalesChange } from './contract.ts';

export const NO_LOCALES: AccountLocales = { default: null, locales: [] };

/** The parser's time grows with the square of the length: a tag of 300 kB would take ten seconds. */
const MAX_TAG_LENGTH = 100;

/** The canonical form of a BCP 47 tag; undefined if it is none. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > MAX_TAG_LENGTH) return undefined;
  // The standard's parser also accepts what is no part of a tag, such as a trailing `-u` extension with keywords.
  if (!/^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The ID of the field that has the values of another one in a locale. */
export const translationId = (fieldId: string, locale: string): string => `${fieldId}@${locale}`;

/** The locale of values without a locale in their name. */
export const baseOf = ({ base, default: main }: CollectionLocales): string => base ?? main ?? '';

/** The locale that the values of a field are in; undefined: the field is not localized. */
export const localeOf = (account: CollectionLocales, { locale, localized }: Field): string | undefined =>
  locale ?? (localized ? baseOf(account) : undefined);

/** The locales of an account as a collection with localized fields knows them. @param before as it knew them so far */
export function localesOfCollection(
  before: CollectionLocales | null,
  account: AccountLocales | null,
): CollectionLocales | null {
  if (before === null || before.default === null || account === null) return account;
  const base = baseOf(before);
  return base === account.default ? account : { ...account, base };
}

/** The locales of a request in canonical form. Adds faults to `faults`. */
export function parseLocales(sent: LocalesChange, faults: Fault[]): AccountLocales {
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  const canonical = (tag: string, pointer: string): string => {
    const locale = canonicalLocale(tag);
    if (locale === undefined)
      fault(pointer, 'locale_invalid', `The locale "${tag}" is not a BCP 47 tag, such as "de" or "pt-BR".`);
    return locale ?? tag;
  };
  const locales = sent.locales.map(({ locale, fallback }, i) => ({
    locale: canonical(locale, `/locales/${i}/locale`),
    fallback: fallback == null ? null : (canonicalLocale(fallback) ?? fallback),
  }));
  const known = new Map(locales.map((each) => [each.locale, each]));
  for (const [i, { locale }] of locales.entries()) {
    if (locales.findIndex((each) => each.locale === locale) === i) continue;
    fault(`/locales/${i}/locale`, 'duplicate', `The list contains "${locale}" twice.`);
  }
  const main = sent.default === null ? null : canonical(sent.default, '/default');
  if (main === null && locales.length > 0) {
    fault('/default', 'required', 'Choose the default locale among those in the list.');
  } else if (main !== null && !known.has(main)) {
    fault('/default', 'locale_unknown', `The default locale "${main}" is not in the list.`);
  }
  const next = new Map<string, string>();
  for (const [i, { locale, fallback }] of locales.entries()) {
    if (fallback === null) continue;
    const pointer = `/locales/${i}/fallback`;
    if (locale === main) fault(pointer, 'fallback_not_allowed', 'The default locale has no fallback.');
    else if (!known.has(fallback))
      fault(pointer, 'locale_unknown', `The fallback "${fallback.slice(0, 40)}" is not in the list.`);
    else next.set(locale, fallback);
  }
  for (const [i, { locale }] of locales.entries()) {
    if (!isInCycle(locale, next)) continue;
    fault(`/locales/${i}/fallback`, 'fallback_cycle', `The fallbacks of "${locale}" lead back to it.`);
  }
  return {
    default: main,
    locales: locales.map(({ locale, fallback }) => ({ locale, fallback: locale === main ? null : (fallback ?? main) })),
  };
}

function isInCycle(locale: string, next: ReadonlyMap<string, string>): boolean {
  const seen = new Set<string>();
  for (let at = next.get(locale); at !== undefined && !seen.has(at); at = next.get(at)) {
    if (at === locale) return true;
    seen.add(at);
  }
  return false;
}

/** A locale and its fallbacks in order, the default one last. */
export function chainOf({ locales }: AccountLocales, locale: string): string[] {
  const fallbacks = new Map(locales.map((each) => [each.locale, each.fallback]));
  const chain: string[] = [];
  for (let at: string | null | undefined = locale; at != null; at = fallbacks.get(at)) chain.push(at);
  return chain;
}
