// Marks that the letters of any script can have, such as accents. Vowel signs belong to one script and are kept.
const ACCENTS = /[\p{Mn}&&\p{Script=Inherited}]+/gv;
const CONTROLS = /\p{Cc}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

// Normalization sorts the marks after a letter in quadratic time. A combining grapheme joiner, which folding removes again,
// splits long runs of them (Unicode's "Stream-Safe Text Format").
const LONG_RUN = /[\p{M}\uff9e\uff9f]{30}/gu;
const JOINER = '\u034f';

/**
 * Folds text for searching and sorting: removes case and accents, writes `ß` as `ss`, replaces compatibility forms (`ﬁ`, `２`) by plain ones and
 * control characters by spaces. Runs in linear time.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const plain = lower.replaceAll('ß', 'ss').replace(LONG_RUN, `$&${JOINER}`).normalize('NFKD').replace(ACCENTS, '');
  // Compatibility forms can contain capitals (㎆).
  return plain.toLowerCase().replace(CONTROLS, ' ');
}
