import { createRequire } from 'node:module';
import type { MarkdownParser } from 'prosemirror-markdown';
import type { DOMSerializer, Node, Schema } from 'prosemirror-model';
import { canonicalRichText, type Item, isSafeUrl, linkedEntry, type RichText } from './rich-text-document.ts';
import { newMarkdownReader } from './rich-text-reader.ts';
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
    return { document: canonicalRichText(document.toJSON()) };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return { fault: faultOf(error) };
    throw error;
  }
}

/** What is wrong with a document, and what an unknown type could have been: other editors call them otherwise. */
function faultOf({ message }: Error): string {
  const { marks, nodes } = richTextSchema();
  const types = /no mark type/.test(message) ? marks : /unknown node type/i.test(message) ? nodes : {};
  const known = Object.keys(types).join(', ');
  return message.slice(0, 200) + (known && ` (types are ${known})`);
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
  reader ??= newMarkdownReader(markdownPackage(), richTextSchema());
  return withHtml(reader.parse(markdown).toJSON());
}

let reader: MarkdownParser | undefined;

/** Replaces figures, as which blocks of HTML are read. */
function withHtml(item: Item): Item {
  const content = item.content?.flatMap((each) =>
    each.type === 'figure' ? ((htmlToRichText(String(each.attrs?.caption)) as Item).content ?? []) : [withHtml(each)],
  );
  return { ...item, ...(content && { content }) };
}

/** Elements that stand apart from what is around them: those that the library knows, and those that become one of them. */
const BLOCKS =
  /^(?:address|article|aside|blockquote|d[dl]|div|fieldset|fig(?:caption|ure)|footer|form|h[1-6]|header|hgroup|hr|li|[ou]l|output|p|pre|section|t(?:able|[dhr]))$/i;
const OTHER_BLOCKS = /^(?:center|details|dialog|dt|legend|main|nav|opt(?:group|ion)|search|summary)$/i;
const TEXT_BLOCKS = /^(?:h[1-6]|p)$/i;

export function htmlToRichText(html: string): object {
  document ??= newDocument();
  const root = document.createElement('div');
  root.innerHTML = html;
  for (const each of [...root.children]) separate(each, false);
  return modelPackage().DOMParser.fromSchema(richTextSchema()).parse(root).toJSON();
}

/** Separates blocks that the library would join with what is before or after them. @returns what the element contains or is */
function separate(element: HtmlElement, isCode: boolean): { hasBlock: boolean; hasImage: boolean } {
  const { tagName, parentElement: parent } = element;
  const inner = [...element.children].map((child) => separate(child, isCode || tagName === 'PRE'));
  const hasBlock = inner.some((each) => each.hasBlock);
  const hasImage = tagName === 'IMG' || inner.some((each) => each.hasImage);
  const isOther = OTHER_BLOCKS.test(tagName);
  const isBlock = isOther || BLOCKS.test(tagName);
  if (tagName === 'TEMPLATE') element.remove();
  else if (isCode && (isBlock || tagName === 'CAPTION')) {
    // A line of code
    const isEdge = parent?.tagName === 'PRE' || BLOCKS.test(parent?.tagName ?? '');
    const before = element.previousSibling?.textContent ?? (isEdge ? '\n' : '');
    const isLast = isEdge && element.nextSibling === null;
    element.replaceWith(before.endsWith('\n') ? '' : '\n', ...element.childNodes, isLast ? '' : '\n');
  } else if (tagName === 'CAPTION') {
    (element.closest('table') ?? element).before(divOf(element));
    element.remove();
  } else if (isOther || (hasBlock && TEXT_BLOCKS.test(tagName)) || (hasImage && tagName === 'PRE')) {
    element.replaceWith(divOf(element));
  }
  return { hasBlock: isBlock || hasBlock, hasImage };
}

function divOf(element: HtmlElement): HtmlElement {
  const block = element.ownerDocument.createElement('div');
  block.append(...element.childNodes);
  return block;
}

let document: HtmlDocument | undefined;

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
type HtmlElement = HtmlDocument['body']['children'][number];

/** An HTML document outside of a browser. */
function newDocument(): HtmlDocument {
  const { parseHTML } = require('linkedom') as { parseHTML(html: string): { document: HtmlDocument } };
  return parseHTML('<!doctype html><html><body></body></html>').document;
}
