import { badRequest, invalid } from '../../shared/errors.ts';
import { readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { LIMITS } from '../limits.ts';
import { listEntries } from '../listing/list-entries.ts';
import { lostParents } from './lost-parents.ts';
import { PARENT } from './system-fields.ts';

interface Node {
  id: string;
  parentId: string | null;
  children?: Node[];
}

/** Parents of one query: as many values as a filter takes. */
const PARENTS = 100;

/**
 * A page of the entries at the top of a tree, each with those below it (`children`), in the order of the request. An entry below one
 * that its reader cannot see, as it is deleted, not published or not permitted, is at the top.
 * @throws ApiError 400 `tree_disabled`, `too_many`, and as `listEntries`
 */
export async function listTree(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  { tree: _, depth = 3, ...query }: EntriesQuery & { depth?: number },
  publicUrl: string,
): Promise<Buffer> {
  const lost = await cache.use(db, accountId, collectionId, async (collection) => {
    if (!collection.row.settings?.tree) {
      const detail = 'The collection is no tree. Set `"tree": true`.';
      throw invalid([{ pointer: '?tree', code: 'tree_disabled', detail }]);
    }
    return lostParents(db, accountId, collection, query.state ?? 'draft');
  });
  const read = async (filter: object, more: Partial<EntriesQuery>) => {
    const page = await listEntries(db, cache, tokens, accountId, collectionId, { ...more, ...filter }, publicUrl);
    return readJson(page.toString()) as { entries: Node[]; nextPageToken: string | null };
  };
  const isTop = lost.length === 0 ? { [`filter[${PARENT}][exists]`]: 'false' } : { parents: [null, ...lost] };
  const top = await read(isTop, query);
  const { pageSize: __, pageToken: ___, ...inner } = query;
  let count = 0;
  let level = top.entries;
  for (let at = 1; at < depth && level.length > 0; at++) {
    const below = new Map(level.map((node) => [node.id, [] as Node[]]));
    for (const node of level) node.children = below.get(node.id) ?? [];
    const next: Node[] = [];
    for (let i = 0; i < level.length; i += PARENTS) {
      const ids = level.slice(i, i + PARENTS).map(({ id }) => id);
      const filter = { [`filter[${PARENT}][in]`]: ids.join(',') };
      for (let pageToken: string | null = ''; pageToken !== null; ) {
        const page: Awaited<ReturnType<typeof read>> = await read(filter, { ...inner, pageSize: 100, pageToken });
        next.push(...page.entries);
        count += page.entries.length;
        if (count > LIMITS.treeEntries) {
          const detail = `More than ${LIMITS.treeEntries} entries are below those of this page. Read fewer with pageSize or depth.`;
          throw badRequest('too_many', detail);
        }
        pageToken = page.nextPageToken;
      }
    }
    for (const node of next) below.get(node.parentId ?? '')?.push(node);
    level = next;
  }
  return Buffer.from(JSON.stringify(top));
}
