import { createRequire } from 'node:module';
import type { MarkdownParser, MarkdownSerializer, MarkdownSerializerState } from 'prosemirror-markdown';
import type { DOMSerializer, Node, Schema } from 'prosemirror-model';
import { isSafeUrl, linkedEntry, type RichText } from './rich-text-document.ts';
import { richTextSpec } from './rich-text-spec.ts';

// Rich text is a document of ProseMirror in the schema of prosemirror-markdown with images, tables and more marks.
// Packages are loaded when they are first used: many services have no rich text.

const require = createRequire(import.meta.url);
const markdownPackage = () => require('prosemirror-markdown') as typeof import('prosemirror-markdown');
const modelPackage = () => require('prosemirror-model') as typeof import('prosemirror-model');

let schema: Schema | undefined;

function richTextSchema(): Schema {
  schema ??= new (modelPackage().Schema)(richTextSpec(markdownPackage().schema));
  return schema;
}

export type { RichText };

/** Nodes of a document, and how deep they are nested: each level takes two of the levels that a request can have. */
const MAX_NODES = 10_000;
const MAX_DEPTH = 12;
/** Columns or rows that a cell takes. */
const MAX_SPAN = 50;

/** @returns the document to store, or what is wrong with it */
export function parseRichText(value: object): { document: RichText } | { fault: string } {
  try {
    measure(value, { nodes: 0 }, 1);
    const document = nodeOf(value);
    if (document.type !== document.type.schema.topNodeType) return { fault: 'its type is not "doc"' };
    document.check();
    return { document: document.toJSON() };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return { fault: error.message.slice(0, 200) };
    throw error;
  }
}

/** Checks what the library does not: sizes and attributes. @throws RangeError */
function measure(node: unknown, counted: { nodes: number }, depth: number): void {
  if (typeof node !== 'object' || node === null) throw new RangeError('a node is not an object');
  if (++counted.nodes > MAX_NODES) throw new RangeError(`it has more than ${MAX_NODES} nodes`);
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested more than ${MAX_DEPTH} levels deep`);
  const { type, attrs, marks = [], content = [], text } = node as Record<string, unknown>;
  if (typeof type !== 'string') throw new RangeError('a node has no type');
  checkAttributes(type, attrs);
  if (text !== undefined && typeof text !== 'string') throw new RangeError('a text is not a string');
  if (!Array.isArray(marks) || marks.length > Object.keys(richTextSchema().marks).length)
    throw new RangeError('invalid marks');
  for (const mark of marks) checkAttributes(String(mark?.type), mark?.attrs);
  if (!Array.isArray(content)) throw new RangeError('the content of a node is not an array');
  for (const child of content) measure(child, counted, depth + 1);
}

function checkAttributes(type: string, attrs: unknown): void {
  if (attrs == null) return;
  if (typeof attrs !== 'object') throw new RangeError(`the attributes of ${type} are not an object`);
  for (const [name, value] of Object.entries(attrs)) {
    if (typeof value === 'object' && value !== null)
      throw new RangeError(`the attribute ${name} of ${type} is an object`);
    if (name === 'level' && !(Number.isInteger(value) && value >= 1 && value <= 6)) {
      throw new RangeError('the level of a heading is not 1 to 6');
    }
    if (
      (name === 'colspan' || name === 'rowspan') &&
      !(Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SPAN)
    ) {
      throw new RangeError(`the ${name} of ${type} is not 1 to ${MAX_SPAN}`);
    }
    const isEntry = type === 'link' && name === 'href' && linkedEntry(value) !== undefined;
    if ((name === 'href' || name === 'src') && !isSafeUrl(value) && !isEntry) {
      throw new RangeError(`the ${name} of ${type} is not a web, email or phone URL`);
    }
  }
}

export function markdownToRichText(markdown: string): object {
  parser ??= newParser();
  return parser.parse(markdown).toJSON();
}

let parser: MarkdownParser | undefined;

/** CommonMark with tables and strikethrough, whose cells contain paragraphs. */
function newParser(): MarkdownParser {
  const { defaultMarkdownParser, MarkdownParser } = markdownPackage();
  const Tokenizer = defaultMarkdownParser.tokenizer.constructor as new (
    preset: 'commonmark',
    options: object,
  ) => typeof defaultMarkdownParser.tokenizer;
  const tokenizer = new Tokenizer('commonmark', { html: false }).enable(['table', 'strikethrough']);
  tokenizer.core.ruler.push('cells', (state) => {
    state.tokens = state.tokens.flatMap((token) => {
      const paragraph = (nesting: 1 | -1) =>
        new state.Token(nesting === 1 ? 'paragraph_open' : 'paragraph_close', 'p', nesting);
      if (/^t[dh]_open$/.test(token.type)) return [token, paragraph(1)];
      return /^t[dh]_close$/.test(token.type) ? [paragraph(-1), token] : [token];
    });
  });
  return new MarkdownParser(richTextSchema(), tokenizer, {
    ...defaultMarkdownParser.tokens,
    table: { block: 'table' },
    thead: { ignore: true },
    tbody: { ignore: true },
    tr: { block: 'table_row' },
    th: { block: 'table_header' },
    td: { block: 'table_cell' },
    s: { mark: 'strike' },
  });
}

let serializer: MarkdownSerializer | undefined;

export function richTextToMarkdown(document: RichText): string {
  serializer ??= newSerializer();
  return serializer.serialize(nodeOf(prepareForMarkdown(document)));
}

/** Also escapes what would be read as an entity, an autolink, a list, or the underline of a heading. */
function newSerializer(): MarkdownSerializer {
  const { defaultMarkdownSerializer, MarkdownSerializer } = markdownPackage();
  const plain = { open: '', close: '', mixable: true };
  return new MarkdownSerializer(
    { ...defaultMarkdownSerializer.nodes, figure: writeFigure, table: writeTable },
    {
      ...defaultMarkdownSerializer.marks,
      strike: { open: '~~', close: '~~', mixable: true, expelEnclosingWhitespace: true },
      // Markdown has none of these.
      ...{ underline: plain, superscript: plain, subscript: plain },
    },
    {
      escapeExtraCharacters:
        /&(?=#?\w+;)|<(?=[\w/!?])|(?<=^\s*\d{1,9})[.)](?=\s|$)|^[+=]|(?<=^[-:|\s]*)[-|](?=[-:|\s]*$)/g,
    },
  );
}

function writeFigure(state: MarkdownSerializerState, node: Node): void {
  const { attrs } = node;
  const title = attrs.caption ? ` "${String(attrs.caption).replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"` : '';
  state.write(`![${state.esc(attrs.alt)}](${String(attrs.src).replace(/[()]/g, '\\$&')}${title})`);
  state.closeBlock(node);
}

/** The first row becomes the header. Paragraphs and list items of a cell stand in one line. */
function writeTable(state: MarkdownSerializerState, table: Node): void {
  const rows = table.children.map((row) => row.children.map((cell) => lineOf(cell)));
  const width = Math.max(...rows.map((row) => row.length));
  const [header = [], ...others] = rows;
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => cells[i] ?? '').join(' | ')} |`;
  const delimiter = line(Array(width).fill('---'));
  for (const each of [line(header), delimiter, ...others.map(line)]) {
    state.ensureNewLine();
    state.write(each);
  }
  state.closeBlock(table);
}

/** The content of a cell in one line. */
function lineOf(cell: Node): string {
  const parts: string[] = [];
  cell.descendants((node) => {
    if (!node.isTextblock) return true;
    const paragraph = node.type.schema.nodes.doc?.create(null, node);
    if (paragraph)
      parts.push(
        richTextToMarkdown(paragraph.toJSON())
          .replace(/\\\n|\s*\n\s*/g, ' ')
          .replace(/(?<!\\)\|/g, '\\|'),
      );
    return false;
  });
  return parts.join(' ');
}

/** The serializer looks for the end of a text at each space, in time that grows with the square of their number in a row. */
const LONG_SPACE = /(\s{50})\s+/g;
const LINE_BREAKS = /\s*[\r\n]\s*/g;

interface Item {
  type?: unknown;
  text?: unknown;
  attrs?: Record<string, unknown>;
  marks?: readonly Item[];
  content?: readonly unknown[];
}

/**
 * A document whose texts and attributes cannot leave their place: the serializer writes attributes and code without escaping
 * them, and in Markdown a line break ends a heading, an image, a link and the language of a code block.
 */
function prepareForMarkdown(item: Item, isCode = false): Item {
  const { type, text, attrs, marks, content } = item;
  const inCode = isCode || type === 'code_block';
  return {
    ...item,
    ...(typeof text === 'string' && { text: inCode ? text.replace(/\r\n?/g, '\n') : prepareText(text, marks) }),
    ...(attrs && { attrs: prepareAttributes(attrs) }),
    // A link to an entry without a URL is plain text.
    ...(marks && { marks: marks.filter((mark) => mark.attrs?.href !== null).map((mark) => prepareForMarkdown(mark)) }),
    ...(content && { content: content.map((each) => prepareForMarkdown(each as Item, inCode)) }),
  };
}

function prepareText(text: string, marks: readonly Item[] = []): string {
  const isCode = marks.some(({ type }) => type === 'code');
  const short = text.replace(LONG_SPACE, '$1').replace(/\r\n?/g, '\n');
  return isCode ? short.replace(LINE_BREAKS, ' ') : short;
}

const PREPARED: Record<string, (text: string) => string> = {
  href: prepareUrl,
  src: prepareUrl,
  alt: (text) => text.replace(LINE_BREAKS, ' '),
  title: (text) => text.replace(LINE_BREAKS, ' ').replaceAll('\\', '\\\\'),
  params: (text) => text.replace(LINE_BREAKS, ' ').replaceAll('`', ''),
};

function prepareAttributes(attrs: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(attrs).map(([name, value]) => {
    const prepare = Object.hasOwn(PREPARED, name) ? PREPARED[name] : undefined;
    return [name, prepare && typeof value === 'string' ? prepare(value) : value];
  });
  return Object.fromEntries(members);
}

/** Spaces, backslashes and angle brackets as a browser would encode them. */
function prepareUrl(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they end a URL in Markdown.
  return url.replace(/[\s<>\\\u0000-\u001f\u007f]/g, encodeURIComponent);
}

export function htmlToRichText(html: string): object {
  const { body } = newDocument();
  body.innerHTML = html;
  return modelPackage().DOMParser.fromSchema(richTextSchema()).parse(body).toJSON();
}

/** The files of the library that a document shows. */
export function assetsOf(document: RichText): Set<string> {
  const found = new Set<string>();
  nodeOf(document).descendants(({ attrs }) => {
    if (typeof attrs.assetId === 'string') found.add(attrs.assetId);
  });
  return found;
}

/** The text of a document: for the search, and to sort by. */
export function richTextToText(document: RichText): string {
  const node = nodeOf(document);
  return node.textBetween(0, node.content.size, ' ', ({ attrs }) =>
    ` ${attrs.alt ?? ''} ${attrs.caption ?? ''} `.replace(/ +/g, ' '),
  );
}

/** @throws RangeError if it is none */
const nodeOf = (document: object): Node => modelPackage().Node.fromJSON(richTextSchema(), document);

type HtmlDocument = NonNullable<NonNullable<Parameters<DOMSerializer['serializeFragment']>[1]>['document']>;

/** An HTML document outside of a browser. */
function newDocument(): HtmlDocument {
  const { parseHTML } = require('linkedom') as { parseHTML(html: string): { document: HtmlDocument } };
  return parseHTML('<!doctype html><html><body></body></html>').document;
}
