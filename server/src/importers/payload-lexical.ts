import { assetUrl, entryKey, entryUrl, type Notes } from './source.ts';

interface Node {
  type?: string;
  tag?: string;
  text?: string;
  /** Of a text: its marks, as bits. */
  format?: number | string;
  fields?: { url?: string; linkType?: string; doc?: { relationTo?: string; value?: unknown } | null };
  url?: string;
  /** Of an upload or a relationship. */
  relationTo?: string;
  value?: unknown;
  children?: Node[];
}

const MARKS = [
  [16, 'code'],
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [32, 'sub'],
  [64, 'sup'],
] as const;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The rich text of Payload's Lexical editor as HTML; what has no counterpart is noted. */
export function htmlOfLexical(value: unknown, notes: Notes, uploads: ReadonlySet<string> = new Set()): string {
  const { root } = Object(value) as { root?: Node };
  const htmlOf = (node: Node): string => {
    const inner = () => (node.children ?? []).map(htmlOf).join('');
    switch (node.type) {
      case 'root':
        return inner();
      case 'paragraph':
        return `<p>${inner()}</p>`;
      case 'heading':
      case 'list':
        return /^(h[1-6]|[uo]l)$/.test(node.tag ?? '')
          ? `<${node.tag}>${inner()}</${node.tag}>`
          : `<ul>${inner()}</ul>`;
      case 'listitem':
        return `<li>${inner()}</li>`;
      case 'quote':
        return `<blockquote><p>${inner()}</p></blockquote>`;
      case 'linebreak':
        return '<br>';
      case 'horizontalrule':
        return '<hr>';
      case 'link':
      case 'autolink': {
        const { doc, linkType, url = node.url } = node.fields ?? {};
        if (linkType === 'internal' && doc?.relationTo) {
          const key = entryKey(doc.relationTo, idOf(doc.value));
          const target = uploads.has(doc.relationTo) ? assetUrl(key) : entryUrl(key);
          return `<a href="${target}">${inner()}</a>`;
        }
        return url ? `<a href="${escaped(url)}">${inner()}</a>` : inner();
      }
      case 'text':
        return MARKS.reduce(
          (html, [bit, tag]) => ((Number(node.format) & bit) !== 0 ? `<${tag}>${html}</${tag}>` : html),
          escaped(node.text ?? ''),
        );
      case 'upload':
        return `<figure><img src="${assetUrl(entryKey(node.relationTo ?? '', idOf(node.value)))}" alt=""></figure>`;
      case 'relationship': {
        const key = entryKey(node.relationTo ?? '', idOf(node.value));
        return `<p><a href="${entryUrl(key)}">${escaped(key)}</a></p>`;
      }
      case 'table':
        return `<table>${inner()}</table>`;
      case 'tablerow':
        return `<tr>${inner()}</tr>`;
      case 'tablecell':
        return `<td>${inner()}</td>`;
      default:
        notes.add(`Parts of the type ${node.type ?? 'unknown'} in rich text become their text.`, { unit: 'part' });
        return inner();
    }
  };
  if (root) return htmlOf(root);
  notes.add('Rich text of the Slate editor is not imported.', { unit: 'value' });
  return '';
}

/** Of a document, which may be expanded. */
const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value;
