/** The texts of a file that differ by locale. */
export const FILE_TEXTS = ['alt', 'title', 'caption'] as const;
export type FileText = (typeof FILE_TEXTS)[number];

/** By locale: texts in other locales than the default one. */
type FileTranslations = Record<string, Partial<Record<FileText, string>>>;

export interface FileTextColumns extends Record<FileText, string | null> {
  translations: FileTranslations;
}

/** The name of a member of a file: `alt@de`. */
const MEMBER = /^(alt|title|caption)@(.+)$/;
export const TRANSLATED_MEMBER = '^(alt|title|caption)@[A-Za-z0-9-]{1,100}$';

/** A text of a file. @param locales in order of preference; the default locale comes last and is not named */
export function textOf(row: FileTextColumns, text: FileText, locales: readonly string[]): string | null {
  const own = locales.find((locale) => row.translations[locale]?.[text] !== undefined);
  return own === undefined ? row[text] : (row.translations[own]?.[text] ?? null);
}

/** The translations as members, such as `alt@de`. */
export function translationMembers({ translations }: FileTextColumns): Record<string, string> {
  const members = Object.entries(translations).flatMap(([locale, texts]) =>
    Object.entries(texts).map(([text, value]) => [`${text}@${locale}`, value] as const),
  );
  return Object.fromEntries(members);
}

/** Translations with those that a change sends; null removes one. */
export function changeTranslations(before: FileTranslations, change: Record<string, unknown>): FileTranslations {
  const after = structuredClone(before);
  for (const [member, value] of Object.entries(change)) {
    const [, text, tag = ''] = MEMBER.exec(member) ?? [];
    if (text === undefined) continue;
    const [locale = tag] = Intl.getCanonicalLocales(tag);
    const texts = { ...after[locale] };
    if (typeof value === 'string') texts[text as FileText] = value;
    else delete texts[text as FileText];
    if (Object.keys(texts).length > 0) after[locale] = texts;
    else delete after[locale];
  }
  return after;
}
