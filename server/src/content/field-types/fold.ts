// Marks that the letters of any script can have, such as accents. Vowel signs belong to one script and are kept.
const ACCENTS = /[\p{Mn}&&\p{Script=Inherited}]+/gv;
const CONTROLS = /\p{Cc}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

// Normalization sorts the marks after a letter in quadratic time. A combining grapheme joiner, which folding removes again,
// splits long runs of them (Unicode's "Stream-Safe Text Format").
const LONG_RUN = /[\p{M}\uff9e\uff9f]{30}/gu;
const JOINER = '\u034f';

/** Small letters that differ from others with the same capital, such as `ς` from `σ` and `ı` from `i`. */
const OTHER_FORMS = /[[\p{Changes_When_Casefolded}&&\p{Lowercase}]ı]/v;

/** The lower case that all forms of a letter share: capital, small, title and final ones. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase().replaceAll('ß', 'ss');
  return OTHER_FORMS.test(lower) ? lower.toUpperCase().toLowerCase().replaceAll('ς', 'σ') : lower;
}

/**
 * Folds text for searching and sorting: removes case and accents, replaces compatibility forms (`ﬁ`, `２`) by plain ones and
 * control characters by spaces. Runs in linear time.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  // Compatibility forms can contain capitals (㎆), and some accents are letters in capitals (`ᾳ`, `ΑΙ`).
  const plain = foldCase(text.replace(LONG_RUN, `$&${JOINER}`).normalize('NFKD'));
  return plain.replace(ACCENTS, '').replace(CONTROLS, ' ');
}
