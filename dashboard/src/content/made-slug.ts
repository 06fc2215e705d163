import type { Field } from '@headwater/sdk';
import { createContext, useContext, useEffect, useState } from 'react';
import { spelledIn } from '../../../server/src/content/field-types/formats/slug-spelling.ts';
import type { AnyField } from '../field-types/definition.ts';
import { type EntryLocales, valueId } from '../locales/locales.ts';
import { isTransliterating, loadTransliteration, transliterated } from './api-id.ts';

/** Of the service: what it makes is not longer. */
const MAX_LENGTH = 80;

const spelled = (text: string, locale: string): string =>
  spelledIn(locale, text.toLowerCase().replaceAll('ß', 'ss').normalize('NFC')).replace(/['’‘`]/g, '');

/** Punctuation aside, which only separates words. */
const needsTables = (text: string) => /[^\p{ASCII}\p{P}]/u.test(text.normalize('NFKD').replace(/\p{M}/gu, ''));

/** The slug that the service makes of a text: `Grüße aus Köln` becomes `grusse-aus-koln`, and in German `gruesse-aus-koeln`. */
export const toSlug = (text: string, locale = ''): string =>
  transliterated(spelled(text, locale))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');

/** The entry whose slugs follow its texts. */
interface SlugSource {
  fields: readonly Field[];
  values: Readonly<Record<string, unknown>>;
  locales?: EntryLocales | undefined;
}

export const SlugSources = createContext<SlugSource | undefined>(undefined);

/** The slug that an entry without one gets when it is saved; empty if there is none. It may get an ending, as slugs are unique. */
export function useMadeSlug(field: AnyField): string {
  const entry = useContext(SlugSources);
  const [, setIsLoaded] = useState(false);
  const [, locale] = field.id.split('@');
  const source = entry?.fields.find(({ id }) => id === field.slugSource);
  const sourceId =
    source &&
    (locale !== undefined && source.localized && entry?.locales
      ? valueId(entry.locales, source.id, locale)
      : source.id);
  const value = sourceId === undefined ? undefined : entry?.values[sourceId];
  const text = typeof value === 'string' ? value : '';
  const tag = locale ?? entry?.locales?.default ?? '';
  const isWaiting = needsTables(spelled(text, tag)) && !isTransliterating();
  useEffect(() => {
    if (isWaiting) void loadTransliteration().then(() => setIsLoaded(true));
  }, [isWaiting]);
  return isWaiting ? '' : toSlug(text, tag);
}
