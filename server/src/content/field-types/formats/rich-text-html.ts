import { isSafeUrl, linkedEntry, type RichText } from './rich-text-document.ts';

// The preview of the dashboard imports this file, too.

type Attributes = Record<string, unknown>;

interface Item {
  type: string;
  attrs?: Attributes;
  marks?: Item[];
  content?: Item[];
  text?: string;
}

type Element = [tag: string, attributes?: Attributes];

const tight = ({ tight: isTight }: Attributes) => ({ 'data-tight': isTight ? 'true' : null });
const spans = ({ colspan, rowspan }: Attributes) => ({
  colspan: colspan === 1 ? null : colspan,
  rowspan: rowspan === 1 ? null : rowspan,
});
/** The language of a code block, as CommonMark writes it. */
const language = ({ params }: Attributes) => String(params ?? '').split(/\s/)[0];

/** White space that a reader of HTML would leave out or change. */
const LOST = /^[ \t\r\n\f]|[ \t\r\n\f]$|[ \t\r\n\f]{2}|[\t\r\n\f]/;
const spaces = (text: string): Attributes => ({ 'data-space': LOST.test(text) ? 'pre' : null });
const spacesOf = ({ content = [] }: Item): Attributes => {
  const parts = content.map(({ type, text }) => text ?? (type === 'hard_break' ? '\0' : '\ufffc'));
  return parts
    .join('')
    .split('\0')
    .some((part) => LOST.test(part))
    ? { 'data-space': 'pre' }
    : {};
};

/** The elements of nodes and marks, from the outer to the inner one. */
const ELEMENTS: Record<string, (attrs: Attributes, item: Item) => Element[]> = {
  paragraph: (_, item) => [['p', spacesOf(item)]],
  heading: ({ level }, item) => [[`h${Number(level)}`, spacesOf(item)]],
  blockquote: () => [['blockquote']],
  code_block: (attrs) => [
    ['pre', { 'data-params': attrs.params || null }],
    ['code', { class: language(attrs) ? `language-${language(attrs)}` : null }],
  ],
  bullet_list: (attrs) => [['ul', tight(attrs)]],
  ordered_list: (attrs) => [['ol', { start: attrs.order === 1 ? null : attrs.order, ...tight(attrs) }]],
  list_item: () => [['li']],
  horizontal_rule: () => [['hr']],
  image: ({ src, alt, title }) => [['img', { src, alt, title }]],
  hard_break: () => [['br']],
  em: () => [['em']],
  strong: () => [['strong']],
  code: () => [['code']],
  link: ({ href, title, entryId }) => [['a', { href, title, 'data-entry': entryId }]],
  strike: () => [['s']],
  underline: () => [['u']],
  superscript: () => [['sup']],
  subscript: () => [['sub']],
  figure: ({ assetId }) => [['figure', { 'data-asset': assetId }]],
  table: () => [['table'], ['tbody']],
  table_row: () => [['tr']],
  table_header: (attrs) => [['th', spans(attrs)]],
  table_cell: (attrs) => [['td', spans(attrs)]],
};
const VOID = new Set(['hr', 'img', 'br']);
const URLS = new Set(['href', 'src']);

/**
 * A stored document as HTML: only the elements of the table, with escaped texts and attributes. Written without a DOM, since public
 * reads convert whole pages.
 */
export function richTextToHtml(document: RichText): string {
  const out: string[] = [];
  writeAll((document.content ?? []) as Item[], out);
  return out.join('');
}

function writeAll(items: readonly Item[], out: string[]): void {
  // Neighbors share the elements of their marks: a link whose text is partly bold is one link.
  let open: Item[] = [];
  const closeTo = (depth: number) => {
    for (const mark of open.slice(depth).reverse()) close(elementsOf(mark), out);
    open = open.slice(0, depth);
  };
  for (const item of items) {
    const marks = item.marks ?? [];
    let same = 0;
    while (same < marks.length && JSON.stringify(open[same]) === JSON.stringify(marks[same])) same++;
    closeTo(same);
    for (const mark of marks.slice(same)) start(elementsOf(mark), out);
    open = [...open, ...marks.slice(same)];
    if (item.text !== undefined) out.push(escapeHtml(item.text));
    else {
      const elements = elementsOf(item);
      start(elements, out);
      if (item.type === 'figure') writeFigure(item.attrs ?? {}, out);
      else writeAll(contentOf(item), out);
      close(elements, out);
    }
  }
  closeTo(0);
}

/** A cell of one paragraph has no element for it, unless its spaces are kept. */
function contentOf({ type, content = [] }: Item): readonly Item[] {
  const [first, ...others] = content;
  const isLine =
    (type === 'table_cell' || type === 'table_header') &&
    others.length === 0 &&
    first?.type === 'paragraph' &&
    !spacesOf(first)['data-space'];
  return isLine ? (first.content ?? []) : content;
}

function writeFigure({ src, alt, caption }: Attributes, out: string[]): void {
  start([['img', { src, alt }]], out);
  if (!caption) return;
  start([['figcaption', spaces(String(caption))]], out);
  out.push(escapeHtml(String(caption)), '</figcaption>');
}

const elementsOf = (item: Item): Element[] =>
  Object.hasOwn(ELEMENTS, item.type) ? (ELEMENTS[item.type]?.(item.attrs ?? {}, item) ?? []) : [];

function start(elements: readonly Element[], out: string[]): void {
  for (const [tag, attributes = {}] of elements) {
    out.push('<', tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (
        value === null ||
        value === undefined ||
        (URLS.has(name) && !isSafeUrl(value) && linkedEntry(value) === undefined)
      )
        continue;
      out.push(' ', name, '="', escapeHtml(String(value)), '"');
    }
    out.push('>');
  }
}

function close(elements: readonly Element[], out: string[]): void {
  for (const [tag] of elements.toReversed()) if (!VOID.has(tag)) out.push('</', tag, '>');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
