import { type Static, Type } from 'typebox';
import { orNull, STRICT } from '../../shared/http/schemas.ts';
import { LIMITS } from '../limits.ts';

const Tag = Type.String({ minLength: 1, maxLength: 35, description: 'A BCP 47 tag, such as `de` or `pt-BR`' });

const Locale = Type.Object(
  {
    locale: Tag,
    fallback: orNull(Type.String(), {
      description: 'The locale whose value is returned if there is none in this one; null for the default locale',
    }),
  },
  { title: 'ContentLocale' },
);

export const Locales = Type.Object(
  {
    default: orNull(Tag, {
      description:
        'The locale that is read if a request names none. In a collection without `baseLocale` values without a locale in their ' +
        'name are in it. null: there is none',
    }),
    locales: Type.Array(Locale, { description: 'In order, including the default one' }),
  },
  { title: 'Locales' },
);
export type AccountLocales = Static<typeof Locales>;

/** The locales of an account as a collection knows them. */
export interface CollectionLocales extends AccountLocales {
  /** The locale of values without a locale in their name, if it is another one than the default locale. It never changes. */
  base?: string;
}

/** Which published entries exist in a locale: those that are published in it, or in one of its fallbacks. */
export interface ShownIn {
  locales: readonly string[];
  /** Whether those, too, that were published before their collection had localized fields. */
  includesUnnamed: boolean;
}

const SentLocale = Type.Object(
  {
    locale: Tag,
    fallback: Type.Optional(orNull(Type.String(), { description: 'The default locale if omitted or null' })),
  },
  { ...STRICT, title: 'SentLocale' },
);

/** Body of `PUT /v1/cms/locales`. */
export const LocalesChange = Type.Object(
  { default: orNull(Tag), locales: Type.Array(SentLocale, { maxItems: LIMITS.locales }) },
  { ...STRICT, title: 'SentLocales' },
);
export type LocalesChange = Static<typeof LocalesChange>;

/** Query parameter of reads. */
export const LocaleParameter = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'Returns the values of localized fields in this locale, or else in its fallbacks. Filters and search use the same ' +
      'values; sorting uses those of this locale alone, and entries without one come last.',
  }),
);

/** Locales that a request publishes or unpublishes. */
export const ChosenLocales = Type.Optional(
  Type.Array(Type.String(), {
    title: 'ChosenLocales',
    minItems: 1,
    maxItems: LIMITS.locales,
    description:
      'Only these locales, in a collection with localized fields; by default all in which the entry has a value, and the ' +
      'default locale, unless the entry has none in it and lacks a required one. Values that are not localized are published with ' +
      'the default locale, and with any other while that is not published.',
  }),
);
