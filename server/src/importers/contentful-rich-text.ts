import { assetUrl, entryKey, entryUrl } from './source.ts';

export interface RichNode {
  nodeType?: string;
  value?: string;
  marks?: { type?: string }[];
  data?: { uri?: string; target?: { sys?: { id?: string } } };
  content?: RichNode[];
}

/** What rich text refers to. */
export interface RichContext {
  /** The content type and the title of an entry. */
  entry(id: string): { collectionId: string; title: string } | undefined;
  asset(id: string): { title: string; isImage: boolean } | undefined;
  /** Called for what has no counterpart. */
  note(nodeType: string): void;
}

const MARKS: Record<string, string> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  code: 'code',
  superscript: 'sup',
  subscript: 'sub',
  strikethrough: 's',
};
const ELEMENTS: Record<string, string> = {
  paragraph: 'p',
  'ordered-list': 'ol',
  'unordered-list': 'ul',
  'list-item': 'li',
  blockquote: 'blockquote',
  table: 'table',
  'table-row': 'tr',
  'table-cell': 'td',
  'table-header-cell': 'th',
};

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Contentful's rich text as HTML. */
export function htmlOfContentful(nodes: readonly RichNode[], context: RichContext): string {
  const htmlOf = (node: RichNode): string => {
    const { nodeType = '', value = '', marks = [], data = {}, content = [] } = node;
    const inner = () => content.map(htmlOf).join('');
    const id = data.target?.sys?.id ?? '';
    if (nodeType === 'text') {
      const text = escapeHtml(value).replaceAll('\n', '<br>');
      return marks.reduce(
        (html, { type = '' }) => (MARKS[type] ? `<${MARKS[type]}>${html}</${MARKS[type]}>` : html),
        text,
      );
    }
    if (ELEMENTS[nodeType]) return `<${ELEMENTS[nodeType]}>${inner()}</${ELEMENTS[nodeType]}>`;
    if (/^heading-[1-6]$/.test(nodeType)) return `<h${nodeType.at(-1)}>${inner()}</h${nodeType.at(-1)}>`;
    switch (nodeType) {
      case 'document':
        return inner();
      case 'hr':
        return '<hr>';
      case 'hyperlink':
        return `<a href="${escapeHtml(data.uri ?? '')}">${inner()}</a>`;
      case 'entry-hyperlink':
        return linkTo(id, inner());
      case 'asset-hyperlink':
        return `<a href="${assetUrl(id)}">${inner()}</a>`;
      case 'embedded-asset-block':
        return embedded(id);
      case 'embedded-entry-block':
        return `<p>${linkTo(id, escapeHtml(context.entry(id)?.title ?? id))}</p>`;
      case 'embedded-entry-inline':
        return linkTo(id, escapeHtml(context.entry(id)?.title ?? id));
      default:
        context.note(nodeType);
        return inner();
    }
  };
  const linkTo = (id: string, inner: string) =>
    `<a href="${entryUrl(entryKey(context.entry(id)?.collectionId ?? '', id))}">${inner}</a>`;
  const embedded = (id: string) => {
    const { title = '', isImage = true } = context.asset(id) ?? {};
    const text = escapeHtml(title);
    return isImage
      ? `<figure><img src="${assetUrl(id)}" alt="${text}"></figure>`
      : `<p><a href="${assetUrl(id)}">${text || id}</a></p>`;
  };
  return nodes.map(htmlOf).join('');
}

/** Whether entries stand among the paragraphs of a rich text. */
export const hasEntries = (value: unknown): boolean =>
  ((Object(value) as RichNode).content ?? []).some(({ nodeType }) => nodeType === 'embedded-entry-block');

/** A rich text with entries among its paragraphs, as texts and entries in turn. */
export function partsOf(value: unknown): ({ nodes: RichNode[] } | { entryId: string })[] {
  const parts: ({ nodes: RichNode[] } | { entryId: string })[] = [];
  for (const node of (Object(value) as RichNode).content ?? []) {
    const last = parts.at(-1);
    if (node.nodeType === 'embedded-entry-block') parts.push({ entryId: node.data?.target?.sys?.id ?? '' });
    else if (last && 'nodes' in last) last.nodes.push(node);
    else parts.push({ nodes: [node] });
  }
  // Contentful ends each text with an empty paragraph.
  return parts.filter((part) => !('nodes' in part) || part.nodes.some((node) => !isEmpty(node)));
}

const isEmpty = ({ nodeType, content = [] }: RichNode) =>
  nodeType === 'paragraph' && content.every((each) => each.nodeType === 'text' && !each.value);
