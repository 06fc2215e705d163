import { invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { Values } from '../entries/check-values.ts';
import { entryJson } from '../entries/entry-json.ts';
import { type Presentation, serializeAll } from '../entries/serialize-entry.ts';
import { LIMITS } from '../limits.ts';
import { localeView, type ViewInLocale } from '../locales/locale-view.ts';
import { isShown } from '../locales/shown-in.ts';
import { readableOfAny } from '../roles/permitted.ts';
import { checkExpand, type ExpandTree, type LoadTargets, mapReferences } from './expand-tree.ts';
import { findDraftTargets, findPublishedTargets, type TargetRow } from './queries.ts';

/** Which entries references lead to, and how these are returned. */
export interface Expansion {
  find(tx: Tx, parameters: { account_id: string; ids: string[]; expanded: string[] }): Promise<TargetRow[]>;
  /** The collection as its entries are read; undefined if they cannot be. */
  viewOf(stored: Collection): Collection | undefined;
  inLocale: ViewInLocale;
  /** The entry without its values, as JSON text. */
  json(collection: Collection, row: TargetRow): string;
  /** More members of expanded entries, by public ID. @param collections as stored */
  membersOf?(
    deps: Pick<ExpandDeps, 'tx' | 'cache' | 'accountId'>,
    collections: Iterable<Collection>,
    rows: readonly TargetRow[],
    locale: string | undefined,
  ): Promise<ReadonlyMap<string, object>>;
  presentation?: Presentation;
  /** Which state of entries is read. */
  state: 'draft' | 'published';
  /** Whether references to entries that are not found are left out; otherwise they remain IDs. */
  omitsUnknown: boolean;
}

const asStored = {
  viewOf: (stored: Collection) => stored,
  inLocale: localeView,
  json: (collection: Collection, row: TargetRow) => entryJson(collection, row, 'null'),
  omitsUnknown: false,
};

/** Of the latest versions, or of what is published in the collections that have drafts. */
export const EXPANSIONS: Record<'draft' | 'published', Expansion> = {
  draft: { ...asStored, find: findDraftTargets, state: 'draft' },
  published: { ...asStored, find: findPublishedTargets, state: 'published' },
};

export interface ExpandDeps {
  tx: Tx;
  cache: SchemaView;
  accountId: string;
  publicUrl: string;
  /** Different references of a page that are looked up, expanded or not. */
  maxLookedUp?: number;
  /** The locale of the request, which the account has. */
  locale?: string | undefined;
}

/** An entry whose references are replaced. */
interface Node {
  /** As its entries are read. */
  collection: Collection;
  values: Values;
  tree: ExpandTree | undefined;
  /** How often the response contains it. */
  count: number;
}

/**
 * Replaces references in serialized values by the entries they lead to, in one query for each level of the tree.
 * Returns `STALE` if a collection has changed meanwhile.
 * @throws ApiError 400 `expand_invalid`, `expand_too_deep`, `expand_too_large`
 */
export async function expandEntries(
  deps: ExpandDeps,
  expansion: Expansion,
  collection: Collection,
  all: readonly Values[],
  tree: ExpandTree | undefined,
): Promise<typeof STALE | undefined> {
  if (tree) await checkPaths(deps, expansion, collection, tree);
  const size = { entries: 0, characters: 0 };
  let nodes = all.map((values): Node => ({ collection, values, tree, count: 1 }));
  while (nodes.length > 0) {
    const next = await expandLevel(deps, expansion, nodes, size);
    if (next === STALE) return STALE;
    nodes = next;
  }
  return undefined;
}

async function expandLevel(
  { tx, cache, accountId, publicUrl, locale, maxLookedUp = MAX_LOOKED_UP }: ExpandDeps,
  { find, viewOf, inLocale, json, membersOf, presentation, state, omitsUnknown }: Expansion,
  nodes: readonly Node[],
  size: { entries: number; characters: number },
): Promise<Node[] | typeof STALE> {
  /** What to expand, and how often the response contains it. */
  const wanted = new Map<ExpandTree, Map<string, number>>();
  const ids = new Set<string>();
  const expanded = new Set<string>();
  for (const { collection, values, tree, count } of nodes) {
    mapReferences(collection.fields, values, tree, (id, children) => {
      if (children || omitsUnknown) ids.add(id);
      if (ids.size > maxLookedUp) throw tooLarge();
      if (!children) return id;
      size.entries += count;
      // Before anything is read: a page can have a million references.
      if (size.entries > LIMITS.expandedEntries) throw tooLarge();
      expanded.add(id);
      const counts = wanted.get(children) ?? new Map<string, number>();
      wanted.set(children, counts.set(id, (counts.get(id) ?? 0) + count));
      return id;
    });
  }
  if (ids.size === 0) return [];
  const all: TargetRow[] = [];
  let characters = 0;
  for (const chunk of [...chunksOf(expanded, 100), ...chunksOf(ids.difference(expanded), 1_000)]) {
    const uuids = chunk.flatMap((id) => parseId('ent', id) ?? []);
    const found = await find(tx, {
      account_id: accountId,
      ids: uuids,
      expanded: expanded.has(chunk[0] ?? '') ? uuids : [],
    });
    all.push(...found);
    characters += found.reduce((sum, { values }) => sum + (values?.length ?? 0), 0);
    if (characters > MAX_CHARACTERS) throw tooLarge();
  }
  const rows = await readableOfAny(tx, accountId, cache, all, state);
  const versions = new Map(rows.map((row) => [row.collection_id, row.collection_version]));
  // A collection can change between two chunks.
  if (rows.some((row) => versions.get(row.collection_id) !== row.collection_version)) return STALE;
  const collections = await cache.load(tx, accountId, versions);
  if (collections === STALE) return STALE;
  const found = new Map(
    rows.flatMap((row): [string, { row: TargetRow; view: Collection }][] => {
      const stored = collections.get(row.collection_id);
      const whole = stored && viewOf(stored);
      const view = whole && inLocale(whole, locale);
      return view && isShown(view.shownIn, row.published_locales) ? [[publicId('ent', row.id), { row, view }]] : [];
    }),
  );
  const targets = [...wanted].flatMap(([tree, counts]) =>
    [...counts].flatMap(([id, count]) => {
      const target = found.get(id);
      if (!target) return [];
      size.characters += count * (target.row.values?.length ?? 0);
      return { ...target, id, tree, count };
    }),
  );
  if (size.characters > MAX_CHARACTERS) throw tooLarge();
  const serialized = await serializeAll(
    tx,
    accountId,
    targets.map(({ row, view }) => ({ collection: view, values: readJson(row.values ?? '{}') })),
    publicUrl,
    presentation,
  );
  const read = [...new Set(targets.map(({ row }) => row))];
  const members = await membersOf?.({ tx, cache, accountId }, collections.values(), read, locale);
  const entries = new Map<ExpandTree, Map<string, unknown>>();
  const next = targets.map(({ id, row, view, tree, count }, i): Node => {
    const values = serialized[i] ?? {};
    const byId = entries.get(tree) ?? new Map<string, unknown>();
    entries.set(tree, byId.set(id, { ...readJson(json(view, row)), ...members?.get(id), values }));
    return { collection: view, values, tree, count };
  });
  for (const { collection, values, tree } of nodes) {
    mapReferences(collection.fields, values, tree, (id, children) => {
      if (!found.has(id)) return omitsUnknown ? undefined : id;
      return children ? entries.get(children)?.get(id) : id;
    });
  }
  return next;
}

function chunksOf(set: ReadonlySet<string>, size: number): string[][] {
  const all = [...set];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

const MAX_LOOKED_UP = 100_000;
/** Of the values of expanded entries. */
const MAX_CHARACTERS = 10_000_000;

function tooLarge() {
  const most = LIMITS.expandedEntries.toLocaleString('en');
  const detail = `The response would contain more than ${most} expanded entries, too large ones, or too many references. Request smaller pages or expand less.`;
  return invalid([{ pointer: '?expand', code: 'expand_too_large', detail }]);
}

/** A cached definition can be outdated, so that only a current one refuses a path. */
async function checkPaths(
  { tx, cache, accountId, locale }: ExpandDeps,
  { viewOf, inLocale }: Expansion,
  collection: Collection,
  tree: ExpandTree,
): Promise<void> {
  const load =
    (isFresh: boolean): LoadTargets =>
    async (ids) =>
      [...(await cache.loadCurrent(tx, accountId, ids, isFresh))].flatMap((each) => {
        const view = viewOf(each);
        return view ? inLocale(view, locale) : [];
      });
  await checkExpand(collection, tree, load(false)).catch(() => checkExpand(collection, tree, load(true)));
}
