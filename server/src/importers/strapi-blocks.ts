interface Node {
  type?: string;
  text?: string;
  level?: number;
  format?: string;
  language?: string;
  url?: string;
  image?: { url?: string; alternativeText?: string | null };
  children?: Node[];
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const MARKS = [
  ['code', 'code'],
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strikethrough', 's'],
] as const;

/** The rich text of Strapi's block editor as HTML. */
export function htmlOfStrapi(blocks: unknown): string {
  return Array.isArray(blocks) ? blocks.map((node: Node) => htmlOf(node)).join('') : '';
}

function htmlOf(node: Node): string {
  const inner = () => (node.children ?? []).map(htmlOf).join('');
  switch (node.type) {
    case 'heading':
      return `<h${node.level ?? 1}>${inner()}</h${node.level ?? 1}>`;
    case 'list': {
      const tag = node.format === 'ordered' ? 'ol' : 'ul';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'list-item':
      return `<li><p>${inner()}</p></li>`;
    case 'quote':
      return `<blockquote><p>${inner()}</p></blockquote>`;
    case 'code':
      return `<pre><code${node.language ? ` class="language-${escaped(node.language)}"` : ''}>${inner()}</code></pre>`;
    case 'link':
      return `<a href="${escaped(node.url ?? '')}">${inner()}</a>`;
    case 'image':
      return `<figure><img src="${escaped(node.image?.url ?? '')}" alt="${escaped(node.image?.alternativeText ?? '')}"></figure>`;
    case 'paragraph':
      return `<p>${inner()}</p>`;
    default: {
      const text = node.text === undefined ? inner() : escaped(node.text).replaceAll('\n', '<br>');
      return MARKS.reduce((html, [name, tag]) => (node[name] ? `<${tag}>${html}</${tag}>` : html), text);
    }
  }
}
