/**
 * The languages of the dashboard and of mails: English, in which they are written, and those that have a catalogue in
 * `languages/`. Another language is another file there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';

const FOLDER = join(import.meta.dirname, '../../../languages');
const SOURCE = 'en';

export const LANGUAGES: readonly string[] = [
  SOURCE,
  ...readdirSync(FOLDER).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []),
].sort();

export type Translate = (message: string, values?: Record<string, string | number>) => string;

const translators = new Map<string, Translate>();

/** A function that says an English text in a language, as that of the dashboard does. An unknown language is English. */
export function translatorOf(language: string): Translate {
  let t = translators.get(language);
  if (t === undefined) {
    const catalogue: Record<string, string> =
      language !== SOURCE && LANGUAGES.includes(language)
        ? JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
        : {};
    t = (message, values) => {
      const text = catalogue[message];
      return String(new IntlMessageFormat(text ?? message, text === undefined ? SOURCE : language).format(values));
    };
    translators.set(language, t);
  }
  return t;
}

/** The known language that a client prefers by its `Accept-Language`, undefined if it names none. */
export function preferredLanguage(header: string | undefined): string | undefined {
  const ranges = (header ?? '').slice(0, 1_000).split(',');
  return ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return { language: tag.split('-')[0]?.toLowerCase() ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => LANGUAGES.includes(language) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0]?.language;
}
