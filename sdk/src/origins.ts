/** Where a text of a preview comes from, as marked by `origins=true`. */
export interface Origin {
  entryId: string;
  collectionId: string;
  /** The path of its value: `title`, `seo.title`, `blocks.row_….text`. */
  field: string;
  /** Of a localized field. */
  locale?: string;
}

const FRAME = '\u2060';
const DIGITS = '\u2061\u2062\u2063\u2064';
const MARK = /\u2060((?:[\u2061-\u2064]{4})+)\u2060/;
const MARKS = new RegExp(MARK, 'g');

/** A mark in a text. */
export interface Mark {
  origin: Origin;
  /** Its place in the text. */
  start: number;
  end: number;
  /** How many characters before it are the value; 0 if it is shown in another way, as rich text is. */
  length: number;
}

export function marksOf(text: string): Mark[] {
  return [...text.matchAll(MARKS)].flatMap(({ 0: mark, 1: digits = '', index: start }) => {
    const bytes = digits.match(/.{4}/g) ?? [];
    const code = (byte: string) => [...byte].reduce((sum, digit) => sum * 4 + DIGITS.indexOf(digit), 0);
    const parts = String.fromCharCode(...bytes.map(code)).split('/');
    const [entryId = '', collectionId = '', field = '', locale = '', length] = parts;
    // Such characters can also be part of a text.
    if (parts.length !== 5 || !entryId.startsWith('ent_')) return [];
    const origin = { entryId, collectionId, field, ...(locale && { locale }) };
    return [{ origin, start, end: start + mark.length, length: Number(length) }];
  });
}

/** The mark of a text of another length. */
export function markOf({ entryId, collectionId, field, locale = '' }: Origin, length: number): string {
  const digits = [...[entryId, collectionId, field, locale, length].join('/')].map((character) =>
    [6, 4, 2, 0].map((shift) => DIGITS[(character.charCodeAt(0) >> shift) & 3]).join(''),
  );
  return FRAME + digits.join('') + FRAME;
}

/** Where a text comes from; undefined if it has no mark. */
export const originOf = (text: string): Origin | undefined => marksOf(text)[0]?.origin;

/**
 * The attribute that makes an element open the field of a text, also where the text itself is not shown in it. In the element of a rich
 * text, what is typed in the dashboard appears at once.
 */
export function originAttributes(value: unknown): { 'data-headwater-origin'?: string } {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const mark = MARK.exec(text ?? '');
  return mark && originOf(mark[0]) ? { 'data-headwater-origin': mark[0] } : {};
}

/** Texts without their marks, also those inside objects and lists: to compare them, or to use them in code. */
export function stripOrigins<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(MARKS, '') as Value;
  if (Array.isArray(value)) return value.map(stripOrigins) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stripOrigins(each)])) as Value;
}
