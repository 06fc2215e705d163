import type { MarkdownParser } from 'prosemirror-markdown';
import type { Schema } from 'prosemirror-model';
import { isSafeUrl } from './rich-text-document.ts';
import { EMPTY_PARAGRAPH } from './rich-text-markdown.ts';

type MarkdownPackage = Pick<typeof import('prosemirror-markdown'), 'defaultMarkdownParser' | 'MarkdownParser'>;
type Tokenizer = MarkdownParser['tokenizer'];
type Token = ReturnType<Tokenizer['parse']>[number];

/** Marks that are written as elements, by their names. */
const TAGS: Record<string, string> = {
  ...{ u: 'underline', sup: 'superscript', sub: 'subscript' },
  ...{ code: 'code', em: 'em', strong: 'strong', s: 'strike' },
};
const TAG = /<(\/?)(u|sup|sub|code|em|strong|s)>|<br *\/?>/iy;
/** The blocks of HTML that are read. */
const BLOCK = /^<(table|figure|ol)[\s>]/i;

/**
 * Reads CommonMark with the elements of marks and breaks. If the schema has them, tables and strikethrough as well, and blocks of HTML: each
 * becomes a figure, whose caption is its HTML.
 */
export function newMarkdownReader(
  { defaultMarkdownParser, MarkdownParser }: MarkdownPackage,
  schema: Schema,
): MarkdownParser {
  const Tokenizer = defaultMarkdownParser.tokenizer.constructor as new (
    preset: 'commonmark',
    options: object,
  ) => Tokenizer;
  const tokenizer = new Tokenizer('commonmark', { html: false });
  const hasTables = schema.nodes.table !== undefined;
  if (hasTables) tokenizer.enable(['table', 'strikethrough']);
  // Stored as written, if it can be.
  const { normalizeLink } = tokenizer;
  tokenizer.normalizeLink = (url) => (isSafeUrl(url) ? url : normalizeLink(url));
  tokenizer.normalizeLinkText = (url) => url;
  readElements(tokenizer, schema);
  if (hasTables) {
    readBlocks(tokenizer);
    tokenizer.core.ruler.push('cells', (state) => {
      state.tokens = cells(state.tokens, state.Token);
    });
  }
  const { tokens } = defaultMarkdownParser;
  return new MarkdownParser(schema, tokenizer, {
    ...tokens,
    bullet_list: { block: 'bullet_list', getAttrs: (_, all, i) => ({ tight: isTight(all, i) }) },
    ordered_list: {
      block: 'ordered_list',
      getAttrs: (token, all, i) => ({ order: Number(token.attrGet('start') ?? 1), tight: isTight(all, i) }),
    },
    fence: {
      block: 'code_block',
      getAttrs: ({ info }) => ({ params: tokenizer.utils.unescapeAll(info.trim()) }),
      noCloseToken: true,
    },
    image: {
      node: 'image',
      getAttrs: (token) => ({
        src: token.attrGet('src'),
        title: token.attrGet('title'),
        alt: textOf(token.children ?? []),
      }),
    },
    ...(hasTables && {
      table: { block: 'table' },
      thead: { ignore: true },
      tbody: { ignore: true },
      tr: { block: 'table_row' },
      th: { block: 'table_header' },
      td: { block: 'table_cell' },
      html: { node: 'figure', getAttrs: ({ content }) => ({ src: '', caption: content }) },
      s: { mark: 'strike' },
    }),
    ...Object.fromEntries(
      Object.entries(TAGS).flatMap(([tag, mark]) => (schema.marks[mark] ? [[`tag_${tag}`, { mark }]] : [])),
    ),
  });
}

/** As the paragraphs of its items are. */
function isTight(tokens: readonly Token[], start: number): boolean {
  const level = (tokens[start]?.level ?? 0) + 2;
  for (const token of tokens.slice(start + 1)) {
    if (token.level < level - 1) return false;
    if (token.level === level && token.type === 'paragraph_open') return token.hidden;
  }
  return false;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ children, content, type }) => (children ? textOf(children) : content || (/break$/.test(type) ? ' ' : '')))
    .join('');

function readElements(tokenizer: Tokenizer, { marks }: Schema): void {
  tokenizer.inline.ruler.before('autolink', 'elements', (state, silent) => {
    TAG.lastIndex = state.pos;
    const [source, slash, name] = TAG.exec(state.src) ?? [];
    const tag = name?.toLowerCase();
    if (source === undefined || (tag && !marks[TAGS[tag] ?? ''])) return false;
    if (!silent) {
      const token = tag
        ? state.push(`tag_${tag}_${slash ? 'close' : 'open'}`, '', 0)
        : state.push('hardbreak', 'br', 0);
      token.content = tag ? source : '';
    }
    state.pos += source.length;
    return true;
  });
  tokenizer.core.ruler.push('elements', ({ tokens }) => {
    for (const { children, content, type } of tokens) {
      if (type !== 'inline' || !children) continue;
      if (content === EMPTY_PARAGRAPH) children.length = 0;
      // An element without its start or end is text.
      const open = new Map<string, Token[]>();
      for (const token of children) {
        const [, tag, kind] = /^tag_(\w+)_(open|close)$/.exec(token.type) ?? [];
        if (tag === undefined) continue;
        const opened = open.get(tag) ?? [];
        open.set(tag, opened);
        if (kind === 'open') opened.push(token);
        else if (!opened.pop()) token.type = 'text';
      }
      for (const token of [...open.values()].flat()) token.type = 'text';
    }
  });
}

/** A block of one line, which starts and ends with an element. */
function readBlocks(tokenizer: Tokenizer): void {
  const alt = ['paragraph', 'reference', 'blockquote'];
  tokenizer.block.ruler.before('heading', 'html', readBlock, { alt });
}

const readBlock: Parameters<Tokenizer['block']['ruler']['before']>[2] = (state, startLine, endLine, silent) => {
  if (state.src[(state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)] !== '<') return false;
  const content = state.getLines(startLine, startLine + 1, state.blkIndent, false).trim();
  const name = BLOCK.exec(content)?.[1];
  if (!name || !content.toLowerCase().endsWith(`</${name.toLowerCase()}>`)) return false;
  const next = startLine + 1;
  if (next < endLine && !state.isEmpty(next) && (state.sCount[next] ?? 0) >= state.blkIndent) return false;
  if (silent) return true;
  state.line = next;
  const token = state.push('html', '', 0);
  token.map = [startLine, next];
  token.content = content;
  return true;
};

/** Cells contain paragraphs, and a header without texts is none. */
function cells(
  tokens: readonly Token[],
  TokenOf: new (type: string, tag: string, nesting: 1 | 0 | -1) => Token,
): Token[] {
  const found: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.type === 'thead_open') {
      const end = tokens.findIndex(({ type }, at) => at > i && type === 'thead_close');
      const isEmpty = tokens.slice(i, end).every(({ type, content }) => type !== 'inline' || content === '');
      if (isEmpty && tokens[end + 1]?.type === 'tbody_open') i = end;
    }
    const paragraph = (nesting: 1 | -1) => {
      const type = nesting === 1 ? 'paragraph_open' : 'paragraph_close';
      return Object.assign(new TokenOf(type, 'p', nesting), { level: token.level + 1 });
    };
    if (/^t[dh]_open$/.test(token.type)) found.push(token, paragraph(1));
    else if (/^t[dh]_close$/.test(token.type)) found.push(paragraph(-1), token);
    else if (tokens[i] === token) found.push(token);
  }
  return found;
}
