import { invalid } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, derive } from '../collections/collection.ts';
import { type Field, isActive } from '../collections/field.ts';
import type { Values } from '../entries/check-values.ts';
import { baseOf, canonicalLocale, chainOf, translationId } from './check-locales.ts';
import { getLocales } from './queries.ts';
import { shownInOf } from './shown-in.ts';
import { withKeysOf } from './translations.ts';

/** A view in the locale of a request, if it names one. */
export type ViewInLocale = (view: Collection, locale: string | undefined) => Collection;

/**
 * The locale that a request names, in canonical form.
 * @throws ApiError 400 `locale_unknown`
 */
export async function requestedLocale(
  tx: Tx,
  accountId: string,
  collection: Collection,
  sent: string | undefined,
): Promise<string | undefined> {
  if (sent === undefined) return undefined;
  const { locales } = collection.locales ?? (await getLocales(tx, accountId));
  const locale = canonicalLocale(sent);
  if (locale !== undefined && locales.some((each) => each.locale === locale)) return locale;
  throw invalid([unknownLocale(sent, '?locale')]);
}

export function unknownLocale(sent: string, pointer: string) {
  const detail = `The account has no locale "${sent.slice(0, 40)}". GET /v1/cms/locales lists them.`;
  return { pointer, code: 'locale_unknown', detail };
}

/** Locales of one collection that are in use at the same time are few. */
const views = new WeakMap<Collection, Map<string, Collection>>();

/**
 * A collection as it is read in a locale; without one, as it is. The values of `title` are then those of `title@de`, and if there
 * is none, of its fallbacks. A collection without localized fields is the same in all.
 * @param view as it is stored, what is published of it, or what is public
 * @param locale one of the account
 */
export const localeView: ViewInLocale = (view, locale) => {
  const { locales } = view;
  if (locales === null || locale === undefined) return view;
  const known = views.get(view) ?? new Map<string, Collection>();
  views.set(view, known);
  const found = known.get(locale);
  if (found) return found;
  const chain = chainOf(locales, locale);
  const shownIn = shownInOf(view, chain);
  const fields = view.fields.map((field): Field => {
    if (field.locale !== undefined) return { ...field, status: 'deleted' };
    if (!field.localized) return field;
    const sources = chain.flatMap((tag) => {
      const source = tag === baseOf(locales) ? field : view.byId.get(translationId(field.id, tag));
      const isRead = source && (source === field ? !field.hidden : isActive(source));
      return isRead ? source : [];
    });
    // A role that reads only some locales of it.
    const own = field.hidden === 'locale' && sources.length > 0 ? shown(field) : field;
    if (sources.length === 0) return { ...field, status: 'deleted' };
    return sources.length === 1 && sources[0] === own ? own : withSources(own, sources);
  });
  const derived = derive({ ...view.row, fields }, view.access);
  // A path can name the value of any locale.
  const translations = view.fields.filter((field) => field.locale !== undefined && isActive(field));
  const created = {
    ...derived,
    byId: new Map([...derived.byId, ...translations.map((field) => [field.id, field] as const)]),
    uniqueFields: view.uniqueFields,
    uniqueTuples: view.uniqueTuples,
    locale,
    ...(shownIn && { shownIn }),
  };
  known.set(locale, created);
  return created;
};

/** Public responses are in one locale: if none is requested, in the default one. */
export const singleLocaleView: ViewInLocale = (view, locale) =>
  localeView(view, locale ?? view.locales?.default ?? undefined);

function shown({ hidden: _, ...field }: Field): Field {
  return { ...field, status: 'active' };
}

/** The index has the values of each source under keys of its own. */
function withSources(field: Field, sources: readonly Field[]): Field {
  const [first = field] = sources;
  const { filterBits: _, pending: __, ...rest } = field;
  const { fields, blocks } = withKeysOf(field, first);
  return {
    ...rest,
    key: first.key,
    fields: fields ?? null,
    ...(blocks && { blocks }),
    sources,
    ...(first.pending && { pending: first.pending }),
  };
}

/** Stored values as they are in the locale of a view. */
export function localizeValues({ fields, locale }: Collection, stored: Values): Values {
  if (locale === undefined) return stored;
  const values = { ...stored };
  for (const { id, sources } of fields) {
    if (!sources) continue;
    const source = sources.find((each) => hasValue(stored, each.id));
    if (source) values[id] = stored[source.id];
    else delete values[id];
  }
  return values;
}

/** An empty list is no value, as for filters. */
export const hasValue = (values: Values, id: string): boolean => {
  if (!Object.hasOwn(values, id)) return false;
  const value = values[id];
  return !(Array.isArray(value) && value.length === 0);
};
