const NORDIC = { ø: 'oe', å: 'aa' };

/** What languages write instead of their letters where only those from a to z are allowed. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { ä: 'ae', ö: 'oe', ü: 'ue' },
  da: NORDIC,
  nb: NORDIC,
  nn: NORDIC,
  no: NORDIC,
};

/** A text in small letters as its language spells it in slugs. The dashboard, which shows slugs before they are made, uses it, too. */
export function spelledIn(locale: string, text: string): string {
  const spelling = SPELLINGS[locale.split('-')[0] ?? ''];
  return spelling ? text.replace(/[^a-z]/g, (letter) => spelling[letter] ?? letter) : text;
}
