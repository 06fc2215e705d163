// Marks that any script's letters may bear (accents and the like). Vowel signs belong to their script and are letters.
const ACCENTS = /[\p{Mn}&&\p{Script=Inherited}]+/gv;
const CONTROLS = /\p{Cc}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Text as it is searched and sorted: without case, without accents, compatibility forms (`ﬁ`, `２`) as plain ones, control
 * characters as spaces.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  // Lower case once more: a compatibility form may hide a capital (㎆).
  return lower.normalize('NFKD').replace(ACCENTS, '').toLowerCase().replace(CONTROLS, ' ');
}
