import type { Collection } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { textsOf } from '../entries/index-entry.ts';
import { fold } from '../field-types/fold.ts';
import { localizeValues } from '../locales/locale-view.ts';

/** How much more a match in the field that names an entry counts. */
const TITLE = 4;

/**
 * How well the text of an entry matches the words of a search: for each word its best match in any field (the whole text, a word,
 * the start of a word, a part of one), more in the field that names the entry, and more for all words in a row.
 * @param words folded
 */
export function relevanceOf(collection: Collection, stored: Values, words: readonly string[]): number {
  const phrase = words.join(' ');
  const best = words.map(() => 0);
  let most = 0;
  for (const { field, text } of textsOf(collection, localizeValues(collection, stored))) {
    const folded = fold(text);
    const weight = field.id === collection.row.display_field_id ? TITLE : 1;
    for (const [i, word] of words.entries()) best[i] = Math.max(best[i] ?? 0, weight * matchOf(folded, word));
    if (words.length > 1) most = Math.max(most, weight * matchOf(folded, phrase));
  }
  return best.reduce((sum, each) => sum + each, most);
}

function matchOf(text: string, word: string): number {
  if (text === word) return 8;
  let best = 0;
  for (let at = text.indexOf(word); at !== -1 && best < 4; at = text.indexOf(word, at + 1)) {
    const isStart = at === 0 || !LETTER.test(text[at - 1] ?? '');
    const isEnd = !LETTER.test(text[at + word.length] ?? ' ');
    best = Math.max(best, isStart && isEnd ? 4 : isStart ? 2 : 1);
  }
  return best;
}

const LETTER = /[\p{L}\p{N}]/u;
