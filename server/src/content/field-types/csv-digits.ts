const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Groups of three digits, separated by a space (of any kind) or an apostrophe, which are never decimal separators. */
const SPACED = /^([+-]?\d{1,3})((?:[\u0020\u00a0\u2009\u202f'\u2019]\d{3})+)([.,]\d+)?$/;
/** By decimal separator: groups of three digits, separated by the other one. No group comes after a zero: `0.125` is a fraction. */
const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/,
};

/**
 * The plain digits of a number in common notations: `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`. The dashboard reads cells by
 * this, too.
 * @param decimal the decimal separator; null: not specified
 * @returns undefined if it is no number; null if it allows two readings, such as `1,234` and `1.234`
 */
export function digitsOf(text: string, decimal: '.' | ',' | null): string | undefined | null {
  if (decimal !== null) return digitsAs(text, decimal);
  const [point, comma] = [digitsAs(text, '.'), digitsAs(text, ',')];
  return point === undefined || comma === undefined || point === comma ? (point ?? comma) : null;
}

function digitsAs(text: string, decimal: '.' | ','): string | undefined {
  const separator = decimal === '.' ? ',' : '.';
  const unspaced = SPACED.test(text) ? text.replace(/[\u0020\u00a0\u2009\u202f'\u2019]/g, '') : text;
  const ungrouped = GROUPED[decimal].test(unspaced) ? unspaced.replaceAll(separator, '') : unspaced;
  if (ungrouped.includes(separator)) return undefined;
  const digits = ungrouped.replace(decimal, '.');
  return PLAIN.test(digits) ? digits : undefined;
}
