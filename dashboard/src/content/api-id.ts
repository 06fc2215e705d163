const MAX_LENGTH = 64;

const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Latin letters without marks that could be taken off. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
};

let transliterate = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøł]/gi, (letter) => LETTERS[letter] ?? letter);
let isLoaded = false;

/** A text in Latin letters; of other scripts once the tables are loaded. */
export const transliterated = (text: string): string => transliterate(text);
export const isTransliterating = (): boolean => isLoaded;

/** Whether `toApiId` needs the transliteration tables for this text. */
export const needsTransliteration = (text: string): boolean => !isLoaded && !LATIN.test(text);

/** Loads the tables that write every script in Latin letters: 220 kB gzipped, which most labels do not need. */
export async function loadTransliteration(): Promise<void> {
  const { default: anyAscii } = await import('any-ascii');
  transliterate = anyAscii;
  isLoaded = true;
}

/** Names that have routes of their own. */
const RESERVED = ['changes', 'redirects', 'resolve'];

/** The key suggested for the name of a collection or component, which none of the others has: `Landing pages` becomes `landing_pages`. */
export function toKey(name: string, taken: readonly (string | null | undefined)[]): string {
  const base = transliterate(name.normalize('NFC'))
    .toLowerCase()
    .replace(/['’`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 60);
  if (base === '') return '';
  const others = new Set([...taken, ...RESERVED]);
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}_${n}`;
    if (!others.has(key)) return key;
  }
}

/** The API ID suggested for a label: `Hero image` becomes `heroImage`, `URL` becomes `url`, `Заголовок` becomes `zagolovok`. */
export function toApiId(label: string): string {
  const words = transliterate(label.normalize('NFC'))
    .replace(/['’`]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const joined = words
    .map((word, i) => {
      if (i > 0) return word.charAt(0).toUpperCase() + word.slice(1);
      return /[a-z]/.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word.toLowerCase();
    })
    .join('');
  return (/^[A-Za-z]/.test(joined) || joined === '' ? joined : `f${joined}`).slice(0, MAX_LENGTH);
}
