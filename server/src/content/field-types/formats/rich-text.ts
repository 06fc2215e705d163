import { createRequire } from 'node:module';
import type { MarkdownSerializer } from 'prosemirror-markdown';
import type { DOMSerializer, Node } from 'prosemirror-model';

// Rich text is a document of ProseMirror in the schema of prosemirror-markdown, which the editor of the dashboard uses, too.
// Packages are loaded when they are first used: many services have no rich text.

const require = createRequire(import.meta.url);
const markdownPackage = () => require('prosemirror-markdown') as typeof import('prosemirror-markdown');
const modelPackage = () => require('prosemirror-model') as typeof import('prosemirror-model');

/** As it is stored: `{type: "doc", content: […]}`. */
export interface RichText {
  type: 'doc';
  content?: unknown[];
}

/** Nodes of a document, and how deep they are nested: each level takes two of the levels that a request can have. */
const MAX_NODES = 10_000;
const MAX_DEPTH = 12;

/** A link or image must not run a script. Relative addresses are safe. */
const SAFE_URL = /^(?:(?:https?|mailto|tel|ftp):|[^\s:]*(?:[/?#]|$))/i;
export const isSafeUrl = (value: unknown): boolean => typeof value === 'string' && SAFE_URL.test(value);

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
  if (!Array.isArray(marks) || marks.length > Object.keys(markdownPackage().schema.marks).length)
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
    if ((name === 'href' || name === 'src') && !isSafeUrl(value)) {
      throw new RangeError(`the ${name} of ${type} is not a web, email or phone URL`);
    }
  }
}

export function markdownToRichText(markdown: string): object {
  return markdownPackage().defaultMarkdownParser.parse(markdown).toJSON();
}

let serializer: MarkdownSerializer | undefined;

export function richTextToMarkdown(document: RichText): string {
  serializer ??= newSerializer();
  return serializer.serialize(nodeOf(withShortSpaces(document)));
}

/** Also escapes what would be read as an entity, an autolink, a list, or the underline of a heading. */
function newSerializer(): MarkdownSerializer {
  const { defaultMarkdownSerializer, MarkdownSerializer } = markdownPackage();
  return new MarkdownSerializer(defaultMarkdownSerializer.nodes, defaultMarkdownSerializer.marks, {
    escapeExtraCharacters: /&(?=#?\w+;)|<(?=\w)|(?<=^\s*\d{1,9})[.)](?=\s|$)|^[+=]/g,
  });
}

/** The serializer looks for the end of a text at each space, in time that grows with the square of their number in a row. */
const LONG_SPACE = /(\s{50})\s+/g;

/** A document in which only code has more than 50 spaces in a row. */
function withShortSpaces<Item extends { type?: unknown; text?: unknown; content?: unknown[] }>(item: Item): Item {
  if (item.type === 'code_block') return item;
  if (typeof item.text === 'string') return { ...item, text: item.text.replace(LONG_SPACE, '$1') };
  return item.content ? { ...item, content: item.content.map((each) => withShortSpaces(each as Item)) } : item;
}

export function htmlToRichText(html: string): object {
  const { body } = newDocument();
  body.innerHTML = html;
  return modelPackage().DOMParser.fromSchema(markdownPackage().schema).parse(body).toJSON();
}

/** The text of a document: for the search, and to sort by. */
export function richTextToText(document: RichText): string {
  return nodeOf(document).textBetween(0, nodeOf(document).content.size, ' ', ' ');
}

/** @throws RangeError if it is none */
const nodeOf = (document: object): Node => modelPackage().Node.fromJSON(markdownPackage().schema, document);

type HtmlDocument = NonNullable<NonNullable<Parameters<DOMSerializer['serializeFragment']>[1]>['document']>;

/** An HTML document outside of a browser. */
function newDocument(): HtmlDocument {
  const { parseHTML } = require('linkedom') as { parseHTML(html: string): { document: HtmlDocument } };
  return parseHTML('<!doctype html><html><body></body></html>').document;
}
