import { catalogue } from './language.ts';

const PLACEHOLDER = /\{(\d)\}/g;

/** Translates what the service says by the texts of a catalogue, which have numbers where it puts values in. */
export function translator(texts: Readonly<Record<string, string>>): (detail: string) => string {
  const templates = Object.entries(texts)
    .filter(([key]) => key.includes('{0}'))
    .map(([key, text]) => {
      const parts = key.split(/\{\d\}/);
      const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('(.*)');
      return { pattern: new RegExp(`^${pattern}$`, 's'), text, letters: parts.join('').length };
    })
    // The one that leaves least to its values fits best.
    .sort((a, b) => b.letters - a.letters);

  return function translate(detail: string): string {
    const known = texts[detail];
    if (known !== undefined) return known;
    for (const { pattern, text } of templates) {
      const [, ...values] = pattern.exec(detail) ?? [];
      if (values.length === 0) continue;
      return text.replace(PLACEHOLDER, (_, index: string) => {
        const value = values[Number(index)] ?? '';
        return value.endsWith('.') ? translate(value) : value;
      });
    }
    return detail;
  };
}

let translate: ReturnType<typeof translator> | undefined;

/** What the service says in English, of a fault or a setting, in the language of the person. */
export function serviceText(text: string): string {
  translate ??= translator(catalogue);
  return translate(text);
}
