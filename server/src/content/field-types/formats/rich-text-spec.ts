import type { MarkSpec, NodeSpec, Schema } from 'prosemirror-model';

// What rich text has beyond the schema of prosemirror-markdown. The editor of the dashboard imports this file, too.

const MAX_SPAN = 50;

/** As the service checks it. */
const isUrl = (url: string) => /^(?:https?:\/\/|\/)/i.test(url);

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
          const image = element.querySelector('img');
          const src = image?.getAttribute('src') ?? '';
          if (!isUrl(src)) return false;
          return {
            src,
            alt: image?.getAttribute('alt') ?? '',
            caption: element.querySelector('figcaption')?.textContent?.trim() ?? '',
            assetId: image?.getAttribute('data-asset') ?? null,
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

/** The schema of rich text. @param markdown that of prosemirror-markdown */
export const richTextSpec = ({ spec }: Schema) => ({
  nodes: spec.nodes.append(NODES),
  marks: spec.marks.append(MARKS),
});
