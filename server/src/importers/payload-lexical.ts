import type { Notes } from './source.ts';

interface Node {
  type?: string;
  tag?: string;
  text?: string;
  /** Of a text: its marks, as bits. */
  format?: number | string;
  fields?: { url?: string };
  url?: string;
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
export function htmlOfLexical(value: unknown, notes: Notes): string {
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
        const url = node.fields?.url ?? node.url;
        return url ? `<a href="${escaped(url)}">${inner()}</a>` : inner();
      }
      case 'text':
        return MARKS.reduce(
          (html, [bit, tag]) => ((Number(node.format) & bit) !== 0 ? `<${tag}>${html}</${tag}>` : html),
          escaped(node.text ?? ''),
        );
      default:
        notes.add(`Parts of the type ${node.type ?? 'unknown'} in rich text are not imported.`);
        return inner();
    }
  };
  if (root) return htmlOf(root);
  notes.add('Rich text of the Slate editor is not imported.');
  return '';
}
