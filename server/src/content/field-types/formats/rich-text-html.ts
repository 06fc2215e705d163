import { isSafeUrl, type RichText } from './rich-text-document.ts';

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

/** The elements of nodes and marks, from the outer to the inner one. */
const ELEMENTS: Record<string, (attrs: Attributes) => Element[]> = {
  paragraph: () => [['p']],
  heading: ({ level }) => [[`h${Number(level)}`]],
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
  figure: () => [['figure']],
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
      start(elementsOf(item), out);
      if (item.type === 'figure') writeFigure(item.attrs ?? {}, out);
      else writeAll(contentOf(item), out);
      close(elementsOf(item), out);
    }
  }
  closeTo(0);
}

/** A cell of one paragraph has no element for it. */
function contentOf({ type, content = [] }: Item): readonly Item[] {
  const [first, ...others] = content;
  const isLine =
    (type === 'table_cell' || type === 'table_header') && others.length === 0 && first?.type === 'paragraph';
  return isLine ? (first.content ?? []) : content;
}

function writeFigure({ src, alt, caption }: Attributes, out: string[]): void {
  start([['img', { src, alt }]], out);
  if (caption) out.push('<figcaption>', escapeHtml(String(caption)), '</figcaption>');
}

const elementsOf = ({ type, attrs = {} }: Item): Element[] =>
  Object.hasOwn(ELEMENTS, type) ? (ELEMENTS[type]?.(attrs) ?? []) : [];

function start(elements: readonly Element[], out: string[]): void {
  for (const [tag, attributes = {}] of elements) {
    out.push('<', tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || (URLS.has(name) && !isSafeUrl(value))) continue;
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
