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

interface Item {
  type?: unknown;
  attrs?: Record<string, unknown>;
  marks?: readonly Item[];
  content?: readonly Item[];
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
  visit(document);
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
