// A mark in a rich text is in its first text that is no code, where it survives whatever shows the text.

const PART = /<(\/?)(\w+)[^>]*>|[^<]+/g;

/** @param html as rich texts are returned, so that no attribute contains a `>` */
export function markHtml(html: string, mark: string): string {
  let inCode = 0;
  for (const { 0: part, 1: slash, 2: tag, index } of html.matchAll(PART)) {
    if (tag === 'code') inCode += slash ? -1 : 1;
    else if (tag === undefined && inCode === 0 && part.trim() !== '') {
      const end = index + part.trimEnd().length;
      return html.slice(0, end) + mark + html.slice(end);
    }
  }
  return html;
}

/** A paragraph, a heading, a quote or an item of a list, whose end is that of a line. */
const LINE = /^ {0,3}(?:#{1,6} |> |[-*+] |\d{1,9}[.)] )?[\p{L}\p{N}"'“„«(].*$/u;
/** Where a mark at the end of the line would be part of something else. */
const UNMARKED = /[`#|>\\]\s*$|^\s*(?:`{3}|~{3})/;

/** Only in the first line that is not empty: what follows may be code. */
export function markMarkdown(markdown: string, mark: string): string {
  const [line = ''] = /^\s*\S.*/.exec(markdown)?.[0].split('\n').slice(-1) ?? [];
  if (!LINE.test(line) || UNMARKED.test(line)) return markdown;
  const end = markdown.indexOf(line) + line.trimEnd().length;
  return markdown.slice(0, end) + mark + markdown.slice(end);
}

interface Item {
  type?: unknown;
  text?: unknown;
  marks?: { type?: unknown }[];
  content?: Item[];
}

/** @param document is changed */
export function markTree<Document extends object>(document: Document, mark: string): Document {
  markFirst(document, mark);
  return document;
}

function markFirst(item: Item, mark: string): boolean {
  if (item.type === 'code_block') return false;
  const isCode = item.marks?.some(({ type }) => type === 'code');
  if (typeof item.text === 'string' && item.text.trim() !== '' && !isCode) {
    item.text += mark;
    return true;
  }
  return item.content?.some((each) => markFirst(each, mark)) ?? false;
}
