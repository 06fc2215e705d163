import type { MarkSpec, NodeSpec, Schema } from 'prosemirror-model';
import { isSafeUrl } from './rich-text-document.ts';

// What rich text has beyond the schema of prosemirror-markdown. The editor of the dashboard imports this file, too.

const MAX_SPAN = 50;

/** How many columns or rows a cell takes. */
const spanOf = (text: string | null) => Math.min(Math.max(Math.trunc(Number(text ?? 1)) || 1, 1), MAX_SPAN);

const cell = (tag: 'td' | 'th'): NodeSpec => ({
  content: '(paragraph | bullet_list | ordered_list)+',
  attrs: { colspan: { default: 1, validate: 'number' }, rowspan: { default: 1, validate: 'number' } },
  isolating: true,
  parseDOM: [
    {
      tag,
      getAttrs: (element) => ({
        colspan: spanOf(element.getAttribute('colspan')),
        rowspan: spanOf(element.getAttribute('rowspan')),
      }),
    },
  ],
  toDOM: ({ attrs }) => [
    tag,
    {
      ...(attrs.colspan !== 1 && { colspan: attrs.colspan }),
      ...(attrs.rowspan !== 1 && { rowspan: attrs.rowspan }),
    },
    0,
  ],
});

interface DomNode {
  nodeName: string;
  nodeValue: string | null;
  childNodes: Iterable<DomNode>;
}

/** The text of an element in one line. */
function wordsOf(element: DomNode): string {
  let text = '';
  const visit = ({ nodeName, nodeValue, childNodes }: DomNode) => {
    if (nodeName === '#text') text += nodeValue;
    const isApart = /^(?:br|p|div|li|h\d|tr|t[dh]|blockquote|pre|figcaption)$/i.test(nodeName);
    if (isApart) text += ' ';
    for (const each of childNodes) visit(each);
    if (isApart) text += ' ';
  };
  visit(element);
  return text.replace(/[ \t\r\n\f]+/g, ' ').replace(/^ | $/g, '');
}

const NODES: Record<string, NodeSpec> = {
  /** An image with a caption, of the library if it has an `assetId`. */
  figure: {
    group: 'block',
    draggable: true,
    attrs: {
      src: { validate: 'string' },
      alt: { default: '', validate: 'string' },
      caption: { default: '', validate: 'string' },
      assetId: { default: null, validate: 'string|null' },
    },
    parseDOM: [
      {
        tag: 'figure',
        getAttrs: (element) => {
          const [image, ...others] = element.querySelectorAll('img');
          const [caption, ...captions] = element.querySelectorAll('figcaption');
          const src = image?.getAttribute('src') ?? '';
          const isWhole = wordsOf(element) === (caption ? wordsOf(caption) : '');
          // Of anything else, its parts are read.
          if (src === '' || !isSafeUrl(src) || !isWhole || others.length + captions.length > 0) return false;
          return {
            src,
            alt: image?.getAttribute('alt') ?? '',
            caption: caption ? (caption.hasAttribute('data-space') ? caption.textContent : wordsOf(caption)) : '',
            assetId: (image ?? element).getAttribute('data-asset') ?? element.getAttribute('data-asset'),
          };
        },
      },
    ],
    toDOM: ({ attrs: { src, alt, caption, assetId } }) => [
      'figure',
      ['img', { src, alt, ...(assetId !== null && { 'data-asset': assetId }) }],
      ...(caption === '' ? [] : [['figcaption', caption] as const]),
    ],
  },
  table: {
    group: 'block',
    content: 'table_row+',
    isolating: true,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  },
  table_row: { content: '(table_cell | table_header)+', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
  table_header: cell('th'),
  table_cell: cell('td'),
};

const decoration = (value: string) => ({
  style: 'text-decoration',
  getAttrs: (style: string) => style.includes(value) && null,
});

const MARKS: Record<string, MarkSpec> = {
  strike: {
    parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }, decoration('line-through')],
    toDOM: () => ['s', 0],
  },
  underline: { parseDOM: [{ tag: 'u' }, decoration('underline')], toDOM: () => ['u', 0] },
  superscript: {
    excludes: 'subscript',
    parseDOM: [{ tag: 'sup' }, { style: 'vertical-align=super' }],
    toDOM: () => ['sup', 0],
  },
  subscript: {
    excludes: 'superscript',
    parseDOM: [{ tag: 'sub' }, { style: 'vertical-align=sub' }],
    toDOM: () => ['sub', 0],
  },
};

/** `data-space` keeps the spaces of a text as they are. */
const spaced = ({ parseDOM = [], ...spec }: NodeSpec): NodeSpec => ({
  ...spec,
  parseDOM: parseDOM.flatMap((rule) => [{ ...rule, tag: `${rule.tag}[data-space]`, preserveWhitespace: 'full' }, rule]),
});

const orderedList = (spec: NodeSpec): NodeSpec => ({
  ...spec,
  parseDOM: [
    {
      tag: 'ol',
      getAttrs: (element) => {
        const start = Number.parseInt(element.getAttribute('start') ?? '', 10);
        return { order: Number.isSafeInteger(start) ? start : 1, tight: element.hasAttribute('data-tight') };
      },
    },
  ],
});

const CHANGED = { paragraph: spaced, heading: spaced, ordered_list: orderedList };

/** The schema of rich text. @param markdown that of prosemirror-markdown */
export const richTextSpec = ({ spec }: Schema) => ({
  nodes: Object.entries(CHANGED)
    .reduce((nodes, [name, change]) => nodes.update(name, change(nodes.get(name) ?? {})), spec.nodes)
    .append(NODES),
  marks: spec.marks.append(MARKS),
});
