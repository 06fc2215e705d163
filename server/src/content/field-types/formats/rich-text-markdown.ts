import { canonicalRichText, hasNumbers, type Item, isJoined, type RichText } from './rich-text-document.ts';
import { richTextToHtml } from './rich-text-html.ts';

// The dashboard imports this file, too. What is written here, `rich-text-reader.ts` reads as the same document, and any parser of
// CommonMark as the same text: emphasis next to punctuation has a character reference beside it, since Markdown decides by the characters
// on both sides of asterisks whether they are any.

/** An empty paragraph, which Markdown does not have. */
export const EMPTY_PARAGRAPH = '&nbsp;';

export function richTextToMarkdown(document: RichText): string {
  const { content = [] } = canonicalRichText(document) as Item;
  const lines = content.length === 1 && isEmpty(content[0]) ? [] : linesOfAll(content, false);
  return lines.join('\n');
}

const isEmpty = (item: Item | undefined) => item?.type === 'paragraph' && !item.content?.length;

function linesOfAll(items: readonly Item[], isTight: boolean): string[] {
  let isOther = false;
  return items.flatMap((item, i) => {
    const before = items[i - 1];
    // Lists in a row are told apart by their markers.
    isOther = before?.type === item.type && !isOther;
    const isApart = before !== undefined && !(isTight && isJoined(before, item));
    return [...(isApart ? [''] : []), ...linesOf(item, isOther)];
  });
}

function linesOf(item: Item, isOther: boolean): string[] {
  const { type, attrs = {}, content = [] } = item;
  switch (type) {
    case 'paragraph':
      return isEmpty(item) ? [EMPTY_PARAGRAPH] : inline(content, '\\\n').split('\n').map(escapeLine);
    case 'heading': {
      const text = inline(content, '<br>').replace(/(?<!\S)#+$/, '\\$&');
      return [`${'#'.repeat(Number(attrs.level))} ${text}`.trimEnd()];
    }
    case 'blockquote':
      return linesOfAll(content, false).map((line) => (line ? `> ${line}` : '>'));
    case 'code_block':
      return codeLines(attrs, content.map(({ text = '' }) => text).join(''));
    case 'horizontal_rule':
      return ['---'];
    case 'bullet_list':
      return listLines(item, () => (isOther ? '+ ' : '* '));
    case 'ordered_list': {
      if (!hasNumbers(item)) return [htmlLine(item)];
      const first = Number(attrs.order ?? 1);
      return listLines(item, (i) => `${first + i}${isOther ? ')' : '.'} `);
    }
    case 'table':
      return tableLines(item) ?? [htmlLine(item)];
    default:
      return [htmlLine(item)];
  }
}

function listLines({ attrs = {}, content = [] }: Item, marker: (i: number) => string): string[] {
  const isTight = attrs.tight === true;
  return content.flatMap((item, i) => {
    const start = marker(i);
    const lines = linesOfAll(item.content ?? [], isTight).map((line, at) =>
      at === 0 ? start + line : line && ' '.repeat(start.length) + line,
    );
    return i > 0 && !isTight ? ['', ...lines] : lines;
  });
}

function codeLines({ params }: Item['attrs'] & object, code: string): string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const info = escapeAttribute(String(params ?? '')).replace(/`|^\s|\s$/g, reference);
  return [fence + info, ...(code === '' ? [] : code.split(/\r\n?|\n/)), fence];
}

/** A table whose cells are lines, and whose first row is its header or has none; undefined: Markdown has no such tables. */
function tableLines({ content: rows = [] }: Item): string[] | undefined {
  const types = rows.map(({ content = [] }) => new Set(content.map(({ type }) => type)));
  const cells = rows.map(({ content = [] }) => content);
  const width = cells[0]?.length ?? 0;
  const hasHeader = types[0]?.has('table_header') === true;
  const isPlain =
    types.every((each, i) => each.size === 1 && each.has(hasHeader && i === 0 ? 'table_header' : 'table_cell')) &&
    cells.every((row) => row.length === width && row.every(isLine));
  if (!isPlain) return undefined;
  const texts = cells.map((row) => row.map((cell) => cellText(cell)));
  if (!hasHeader) texts.unshift(Array(width).fill(''));
  // The reader takes this for a table without a header.
  else if (texts[0]?.every((text) => text === '')) return undefined;
  texts.splice(1, 0, Array(width).fill('---'));
  return texts.map((row) => `| ${row.join(' | ')} |`);
}

const isLine = ({ attrs = {}, content = [] }: Item) =>
  (attrs.colspan ?? 1) === 1 && (attrs.rowspan ?? 1) === 1 && content.length === 1 && content[0]?.type === 'paragraph';

const cellText = ({ content }: Item) => inline(content?.[0]?.content ?? [], '<br>').replaceAll('|', '\\|');

/** A block of HTML, in one line, since an empty one would end it. */
const htmlLine = (item: Item) => richTextToHtml({ type: 'doc', content: [item] }).replace(/[\r\n]/g, reference);

/** What a line starts with that would be read as a block. */
const escapeLine = (line: string) =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|[-:|][-:|\s]*$)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');

const reference = (character: string) => `&#${character.codePointAt(0)};`;

/** A part of a line: a text, a delimiter of emphasis, or anything else as it is written. */
interface Part {
  type: 'text' | 'open' | 'close' | 'other';
  source: string;
  /** Of a text: whether its first and last character are written as references. */
  first?: boolean;
  last?: boolean;
}

/** Marks from the outer to the inner one, where they start and end together. */
const MARKS: Record<string, { rank: number; tag?: string; delimiter?: string }> = {
  link: { rank: 0 },
  underline: { rank: 1, tag: 'u' },
  superscript: { rank: 2, tag: 'sup' },
  subscript: { rank: 3, tag: 'sub' },
  strike: { rank: 4, delimiter: '~~' },
  strong: { rank: 5, delimiter: '**' },
  em: { rank: 6, delimiter: '*' },
};

function inline(items: readonly Item[], lineBreak: string): string {
  const parts = partsOf(items, lineBreak);
  encodeEnds(parts);
  separateDelimiters(parts);
  return parts.map((part, i) => sourceOf(part, parts[i + 1])).join('');
}

function partsOf(items: readonly Item[], lineBreak: string): Part[] {
  const parts: Part[] = [];
  const ends = endsOf(items);
  let open: { key: string; mark: Item; close: Part }[] = [];
  const closeTo = (depth: number) => {
    for (const { close } of open.slice(depth).reverse()) parts.push(close);
    open = open.slice(0, depth);
  };
  for (const [i, item] of items.entries()) {
    const marks = new Map((item.marks ?? []).filter(isWritten).map((mark) => [JSON.stringify(mark), mark]));
    const same = open.findIndex(({ key }) => !marks.has(key));
    closeTo(same === -1 ? open.length : same);
    for (const { key } of open) marks.delete(key);
    const end = (key: string) => ends[i]?.get(key) ?? i;
    const opened = [...marks].sort(
      ([a, one], [b, other]) => end(b) - end(a) || (MARKS[one.type]?.rank ?? 0) - (MARKS[other.type]?.rank ?? 0),
    );
    const [[key, link] = []] = opened;
    if (opened.length === 1 && key !== undefined && link && end(key) === i + 1 && isAutolink(item, link)) {
      parts.push({ type: 'other', source: `<${item.text}>` });
      continue;
    }
    let lastEnd: number | undefined;
    for (const [key, mark] of opened) {
      const [start, close] = partsOfMark(mark, delimiterFor(parts.at(-1), end(key) === lastEnd));
      lastEnd = end(key);
      parts.push(start);
      open.push({ key, mark, close });
    }
    parts.push(partOf(item, i === items.length - 1 ? '<br>' : lineBreak));
  }
  closeTo(0);
  return parts;
}

const isWritten = ({ type, attrs }: Item) => Object.hasOwn(MARKS, type) && attrs?.href !== null;

/** For each item the ends of its marks: one that ends later is opened before the others. */
function endsOf(items: readonly Item[]): Map<string, number>[] {
  const ends: Map<string, number>[] = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const keys = (items[i]?.marks ?? []).map((mark) => JSON.stringify(mark));
    ends[i] = new Map(keys.map((key) => [key, ends[i + 1]?.get(key) ?? i + 1]));
  }
  return ends;
}

function isAutolink({ text, marks = [] }: Item, { type, attrs }: Item): boolean {
  const isPlain = type === 'link' && attrs?.href === text && attrs?.title == null;
  return isPlain && /^[a-z][a-z0-9+.-]+:[^\s<>]*$/i.test(text ?? '') && marks.every((mark) => mark.type !== 'code');
}

/**
 * The character of a delimiter: not the one of delimiters that end or start before it, unless they end with it. Three in a row could match
 * others otherwise.
 */
function delimiterFor(before: Part | undefined, isSame: boolean): string {
  const character = before?.type === 'open' || before?.type === 'close' ? before.source[0] : undefined;
  const isRepeated = before?.type === 'open' && isSame;
  return (character === '*') === isRepeated || character === '~' || character === undefined ? '*' : '_';
}

function partsOfMark({ type, attrs = {} }: Item, character: string): [start: Part, close: Part] {
  const { tag, delimiter } = MARKS[type] ?? {};
  if (delimiter) {
    const source = delimiter.replaceAll('*', character);
    return [
      { type: 'open', source },
      { type: 'close', source },
    ];
  }
  const [start, close] = tag ? [`<${tag}>`, `</${tag}>`] : ['[', `](${target(attrs.href, attrs.title)})`];
  return [
    { type: 'other', source: start },
    { type: 'other', source: close },
  ];
}

function partOf({ type, text = '', attrs = {}, marks = [] }: Item, lineBreak: string): Part {
  const other = (source: string): Part => ({ type: 'other', source });
  if (type === 'hard_break') return other(lineBreak);
  if (type === 'image') return other(`![${escapeText(String(attrs.alt ?? ''))}](${target(attrs.src, attrs.title)})`);
  if (!marks.some((mark) => mark.type === 'code')) return { type: 'text', source: text };
  // A span of code has no line breaks, and parsers disagree about spaces alone.
  if (/[\r\n]|^ +$/.test(text)) return other(`<code>${escapeText(text)}</code>`);
  const runs = new Set([...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  let length = 1;
  while (runs.has(length)) length++;
  const isPadded = /^`|`$/.test(text) || (text.startsWith(' ') && text.endsWith(' '));
  const space = isPadded ? ' ' : '';
  return other('`'.repeat(length) + space + text + space + '`'.repeat(length));
}

/** White space at the ends of a line is lost unless it is written as references. */
function encodeEnds(parts: readonly Part[]): void {
  for (const [i, part] of parts.entries()) {
    const isStart = i === 0 || /(?:\n|<br>)$/.test(parts[i - 1]?.source ?? '');
    if (isStart && /^\s/.test(part.source)) encode(part, 'first');
    if (i === parts.length - 1 && /\s$/.test(part.source)) encode(part, 'last');
  }
}

/** Delimiters in a row, of the same character. */
interface Run {
  isOpen: boolean;
  source: string;
  before: Part | undefined;
  after: Part | undefined;
}

/** White space and punctuation by the rules of every version of CommonMark: symbols are punctuation since 0.31. */
const SEPARATOR = /^[\p{Zs}\t\n\f\r\p{P}$+<=>^`|~]$/u;

/** Encodes characters that would make delimiters no emphasis. */
function separateDelimiters(parts: readonly Part[]): void {
  const runs: Run[] = [];
  for (let i = 0; i < parts.length; ) {
    const before = parts[i - 1];
    const { type, source } = parts[i++] as Part;
    if (type !== 'open' && type !== 'close') continue;
    while (parts[i]?.type === type && parts[i]?.source[0] === source[0]) i++;
    runs.push({ isOpen: type === 'open', source, before, after: parts[i] });
  }
  // A character can be beside the delimiters before it, too.
  for (let i = 0; i < runs.length; ) i = encodeBeside(runs[i] as Run) ? Math.max(i - 1, 0) : i + 1;
}

/** White space within, and letters before punctuation. @returns whether it encoded anything */
function encodeBeside({ isOpen, source, before, after }: Run): boolean {
  const [inner, outer] = isOpen ? [firstOf(after), lastOf(before)] : [lastOf(before), firstOf(after)];
  if (/\s/.test(inner)) return isOpen ? encode(after, 'first') : encode(before, 'last');
  const isOuterEncoded = !SEPARATOR.test(outer) && (source.startsWith('_') || /[\p{P}\p{S}]/u.test(inner));
  return isOuterEncoded && (isOpen ? encode(before, 'last') : encode(after, 'first'));
}

const firstOf = (part: Part | undefined) => (part?.first ? '&' : (/^./su.exec(part?.source ?? '')?.[0] ?? ' '));
const lastOf = (part: Part | undefined) => (part?.last ? ';' : (/.$/su.exec(part?.source ?? '')?.[0] ?? ' '));

function encode(part: Part | undefined, end: 'first' | 'last'): boolean {
  if (part?.type !== 'text' || part[end]) return false;
  part[end] = true;
  // It is the other end, too.
  if ([...part.source].length === 1) part.first = part.last = true;
  return true;
}

function sourceOf({ type, source, first, last }: Part, after: Part | undefined): string {
  if (type !== 'text') return source;
  const start = first ? (/^./su.exec(source)?.[0] ?? '') : '';
  const end = last && start !== source ? (/.$/su.exec(source)?.[0] ?? '') : '';
  const text = escapeText(source.slice(start.length, source.length - end.length));
  // An exclamation mark before a link would make it an image.
  const isImage = end === '' && text.endsWith('!') && after?.source.startsWith('[');
  return (start && reference(start)) + (isImage ? text.replace(/!$/, '\\!') : text) + (end && reference(end));
}

const escapeText = (text: string) =>
  text
    .replace(/[\\`*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[\w/!?])|&(?=#?\w+;)/gu, '\\$&')
    .replace(/[\r\n]/g, reference);

const escapeAttribute = (text: string) => text.replace(/\\|&(?=#?\w+;)/g, '\\$&').replace(/[\r\n]/g, reference);

/** The target of a link or an image. */
function target(url: unknown, title: unknown): string {
  const escaped = escapeAttribute(String(url ?? ''));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they end a URL in Markdown.
  const isBare = /^[^\s<>\u0000-\u001f\u007f]+$/.test(escaped);
  const written = isBare ? escaped.replace(/[()]/g, '\\$&') : `<${escaped.replace(/[<>]/g, '\\$&')}>`;
  if (title == null) return escaped === '' ? '' : written;
  return `${written} "${escapeAttribute(String(title)).replaceAll('"', '\\"')}"`;
}
