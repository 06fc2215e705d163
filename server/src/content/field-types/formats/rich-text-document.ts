// Without packages, as the dashboard imports it, too.

/** As it is stored: `{type: "doc", content: […]}`. */
export interface RichText {
  type: 'doc';
  content?: unknown[];
}

/** A link or image must not run a script. Relative addresses are safe. */
const SAFE_URL = /^(?:(?:https?|mailto|tel|ftp):|[^\s:]*(?:[/?#]|$))/i;
export const isSafeUrl = (value: unknown): boolean => typeof value === 'string' && SAFE_URL.test(value);

const ENTRY_URL = /^entry:(ent_\w+)$/;

/** The entry of a link, whose `href` is stored as `entry:ent_…`. */
export const linkedEntry = (href: unknown): string | undefined =>
  typeof href === 'string' ? ENTRY_URL.exec(href)?.[1] : undefined;

/** A node or a mark. */
export interface Item {
  type: string;
  attrs?: Record<string, unknown>;
  marks?: readonly Item[];
  content?: readonly Item[];
  text?: string;
}

/** The public IDs of the entries that a document links to. */
export function linksOf(document: object): Set<string> {
  const found = new Set<string>();
  const visit = ({ marks = [], content = [] }: Item) => {
    for (const { attrs } of marks) {
      const id = linkedEntry(attrs?.href);
      if (id !== undefined) found.add(id);
    }
    content.forEach(visit);
  };
  visit(document as Item);
  return found;
}

/** A document whose links to entries have these URLs; null: it has none. Those to other entries are plain text. */
export function withLinkUrls(document: RichText, urls: ReadonlyMap<string, string | null>): RichText {
  const resolve = (item: Item): Item => ({
    ...item,
    ...(item.marks && { marks: item.marks.flatMap((mark) => resolveMark(mark) ?? []) }),
    ...(item.content && { content: item.content.map(resolve) }),
  });
  const resolveMark = (mark: Item): Item | undefined => {
    const entryId = linkedEntry(mark.attrs?.href);
    if (entryId === undefined) return mark;
    const url = urls.get(entryId);
    return url === undefined ? undefined : { ...mark, attrs: { ...mark.attrs, href: url, entryId } };
  };
  return resolve(document as Item) as RichText;
}

/**
 * A document as it is stored, without differences that nobody sees and that Markdown or HTML do not have: code is a mark of texts, line
 * breaks have only marks that go on after them, lists that are neither tight nor loose are as the list around them.
 */
export const canonicalRichText = (document: RichText): RichText => canonicalItem(document as Item, false) as RichText;

function canonicalItem(item: Item, isTight: boolean): Item {
  const { type, attrs = {}, content, marks } = item;
  const isList = type === 'bullet_list' || type === 'ordered_list';
  const tight = isList && isTightList(item, isTight);
  const isInline = content?.some((each) => INLINE.has(each.type));
  const children = content?.map((each) => canonicalItem(each, isList ? tight : isTight));
  return {
    ...item,
    ...(isList && { attrs: { ...attrs, tight } }),
    ...(type === 'image' && { attrs: { ...attrs, alt: attrs.alt ?? '', title: attrs.title || null } }),
    ...(type === 'link' && { attrs: { ...attrs, title: attrs.title || null } }),
    ...(marks && { marks: marks.map((mark) => canonicalItem(mark, false)) }),
    ...(children && { content: isInline ? canonicalLine(children) : children }),
  };
}

const INLINE = new Set(['text', 'image', 'hard_break']);

function canonicalLine(items: readonly Item[]): Item[] {
  const merged: Item[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    if (item.type === 'text' && last?.type === 'text' && sameMarks(item.marks) === sameMarks(last.marks)) {
      merged[merged.length - 1] = { ...last, text: `${last.text}${item.text}` };
    } else merged.push(item);
  }
  // A break has the marks that go on from the text before it to the text after it.
  return [1, 2].reduce((all) => limitBreaks(all).reverse(), merged);
}

/** Breaks with those of their marks that the item before has, too. */
function limitBreaks(items: readonly Item[]): Item[] {
  let before: readonly Item[] = [];
  return items.map((item) => {
    const { marks = [], ...rest } = item;
    const kept =
      item.type === 'text'
        ? marks
        : marks.filter(
            (mark) => mark.type !== 'code' && (item.type !== 'hard_break' || before.some((other) => same(mark, other))),
          );
    before = kept;
    return kept.length === 0 ? rest : { ...item, marks: kept };
  });
}

const same = (a: Item, b: Item) => JSON.stringify(a) === JSON.stringify(b);
const sameMarks = (marks: readonly Item[] = []) => JSON.stringify(marks);

/** Whether a list is tight, where it can be one or the other: with a paragraph, and with blocks to stand apart. */
function isTightList({ attrs, content = [] }: Item, isOuterTight: boolean): boolean {
  const items = content.map((item) => item.content ?? []);
  const isSingle = items.length === 1 && items[0]?.length === 1;
  const hasParagraph = items.some((blocks) => blocks.some(({ type }) => type === 'paragraph'));
  if (isSingle || !hasParagraph) return isOuterTight;
  return (
    attrs?.tight === true && items.every((blocks) => blocks.every((b, i) => i === 0 || isJoined(blocks[i - 1], b)))
  );
}

const ONE_LINE = new Set(['heading', 'code_block', 'horizontal_rule']);
const APART = new Set(['table', 'figure']);
/** What Markdown ends only by an empty line: blocks of HTML, of which a break alone is one. */
const isApart = (item: Item) =>
  APART.has(item.type) || !hasNumbers(item) || (item.content?.length === 1 && item.content[0]?.type === 'hard_break');
const STARTS = new Set(['bullet_list', 'code_block', 'heading', 'blockquote']);

/** Whether Markdown can have a block directly below another one. */
export function isJoined(before: Item | undefined, item: Item): boolean {
  const { type, attrs } = item;
  if (before === undefined || isApart(before) || isApart(item)) return false;
  if (ONE_LINE.has(before.type)) return true;
  if (type === 'blockquote' && before.type === 'blockquote') return false;
  return STARTS.has(type) || (type === 'ordered_list' && (attrs?.order ?? 1) === 1);
}

const MAX_NUMBER = 999_999_999;

/** Whether Markdown has the numbers of a list. */
export const hasNumbers = ({ type, attrs, content = [] }: Item): boolean =>
  type !== 'ordered_list' ||
  (Number(attrs?.order ?? 1) >= 0 && Number(attrs?.order ?? 1) + content.length <= MAX_NUMBER);
