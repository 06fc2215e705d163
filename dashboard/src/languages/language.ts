/**
 * The language of the interface: the person's choice, else the first of the browser's languages that there is a catalogue for,
 * else English. It is known before any other module is evaluated, so that texts may be constants; another choice reloads the page.
 */

type Catalogue = Record<string, string>;

/** The catalogues in `languages/`, one file each, which is loaded if the interface is in its language. None outside of the bundle. */
const catalogues: Record<string, () => Promise<Catalogue>> = import.meta.env
  ? import.meta.glob<Catalogue>('../../../languages/*.json', { import: 'default' })
  : {};

const pathOf = (language: string) => `../../../languages/${language}.json`;

/** English is the language of the sources. */
const SOURCE = 'en';

export const LANGUAGES: readonly string[] = [
  SOURCE,
  ...Object.keys(catalogues).map((path) => path.replace(/^.*\/|\.json$/g, '')),
].toSorted();

/** What a language calls itself: "Deutsch". */
export const languageName = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;

const KEY = 'headwater-language';

/** The choice on this device, which decides for people who are not signed in. */
function chosenLanguage(): string | null {
  try {
    const chosen = globalThis.document ? localStorage.getItem(KEY) : null;
    return chosen !== null && LANGUAGES.includes(chosen) ? chosen : null;
  } catch {
    // An embedded page may not have any storage.
    return null;
  }
}

const browserLanguages: readonly string[] = globalThis.document ? navigator.languages : [];

const languageOf = (locale: string) => locale.split('-')[0] ?? locale;

/** The language without a choice. */
export const BROWSER_LANGUAGE: string =
  browserLanguages.map(languageOf).find((language) => LANGUAGES.includes(language)) ?? SOURCE;

const chosen = chosenLanguage();

export const LANGUAGE: string = chosen ?? BROWSER_LANGUAGE;

/**
 * How numbers and dates are written: as in the browser's locale, unless somebody chose another language than the browser's.
 * Undefined is the locale of the browser.
 */
export const LOCALE: string | undefined =
  chosen === null || languageOf(browserLanguages[0] ?? '') === chosen
    ? undefined
    : (browserLanguages.find((locale) => languageOf(locale) === chosen) ?? chosen);

/** Keeps the choice on this device, null for the browser's language. @returns whether the page needs to be loaded again */
export function chooseLanguage(language: string | null): boolean {
  try {
    if (language === null) localStorage.removeItem(KEY);
    else if (LANGUAGES.includes(language)) localStorage.setItem(KEY, language);
  } catch {
    return false;
  }
  return (chosenLanguage() ?? BROWSER_LANGUAGE) !== LANGUAGE;
}

/** The texts of the language by the English ones. */
export const catalogue: Catalogue = (await catalogues[pathOf(LANGUAGE)]?.()) ?? {};

if (globalThis.document) document.documentElement.lang = LANGUAGE;
