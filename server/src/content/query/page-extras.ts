import { ByteWriter } from '../../shared/byte-writer.ts';
import { badRequest, escapePointer, type Fault, invalid } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import { type Collection, fieldsOfRow, isActive, type NestedField } from '../collections/collection.ts';
import { collectionIdsOf } from '../collections/collection-keys.ts';
import type { Values } from '../entries/check-values.ts';
import { hasComputedValues, isPresented, type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import { keysOf, type Scope } from '../listing/key-sql.ts';
import type { PageRow } from '../listing/page-request.ts';
import { parseListing } from '../listing/parse-listing.ts';
import type { WriteEntry } from '../listing/write-entry.ts';
import { type ExpandDeps, type Expansion, expandEntries } from '../references/expand-entries.ts';
import { type ExpandTree, parseExpand } from '../references/expand-tree.ts';
import { readableOfAny } from '../roles/permitted.ts';
import type { ExpandQuery, Join } from './contract.ts';
import { findAmong } from './found-entries.ts';
import { findJoined, type JoinedRows, type JoinRequest } from './joined-rows.ts';
import { parseSort } from './parse-sort.ts';
import type { Reader } from './parse-where.ts';
import { findPlace, hintOf, ownerOf } from './paths.ts';
import { parseAsRead, type ReaderOptions, resolvedListing } from './readers.ts';
import { parseSelect, type Selection, selectValues } from './select.ts';

/** What the entries of a page and those that belong to them are read with. */
export interface ExtraDeps extends ExpandDeps {
  tx: Database;
  reader: ReaderOptions;
  state: 'draft' | 'published';
  expansion: Expansion;
  presentation?: Presentation | undefined;
  writerOf(view: Collection): WriteEntry;
}

/** Thrown if a collection has changed meanwhile: the page is read again. */
export class ChangedMeanwhile extends Error {}

const scopeOf = ({ accountId, state }: ExtraDeps, { id, version, publishing }: Collection): Scope => ({
  ...{ accountId, collectionId: id, version },
  state: publishing ? state : undefined,
});

const targetsOf =
  ({ tx, cache, accountId, expansion }: ExtraDeps) =>
  async (ids: string[]) =>
    readableOfAny(
      tx,
      accountId,
      cache,
      await expansion.find(tx, { account_id: accountId, ids, expanded: ids }),
      expansion.state,
    );

/** Expands references by queries of their own: those that do not match are left out. */
export async function applyExpandQueries(
  deps: ExtraDeps,
  view: Collection,
  all: readonly Values[],
  queries: Record<string, ExpandQuery>,
  pointer = '/expand',
  depth = 1,
): Promise<void> {
  if (Object.keys(queries).length > LIMITS.expandPaths) {
    throw badRequest('too_many', `The parameter expand takes at most ${LIMITS.expandPaths} paths.`);
  }
  for (const [path, query] of Object.entries(queries)) {
    await applyExpandQuery(deps, view, all, path, query, `${pointer}/${path}`, depth);
  }
}

async function applyExpandQuery(
  deps: ExtraDeps,
  view: Collection,
  all: readonly Values[],
  path: string,
  { where, sort, limit, select, expand }: ExpandQuery,
  pointer: string,
  depth: number,
): Promise<void> {
  if (depth > LIMITS.expandDepth) {
    throw badRequest('expand_too_deep', `References are expanded to a depth of at most ${LIMITS.expandDepth}.`);
  }
  const steps = path.split('.');
  const targets = await parseAsRead(deps.tx, deps.reader, (reader, faults) =>
    parseExpanded(view, path, { where, sort, select }, reader, faults, pointer),
  );
  const ids = new Set<string>();
  for (const values of all) {
    eachAt(view.fields, values, steps, (holder, name) => {
      for (const id of [holder[name]].flat()) if (typeof id === 'string') ids.add(id);
    });
  }
  const uuids = [...ids].flatMap((id) => parseId('ent', id) ?? []);
  const place = new Map<string, number>();
  for (const { view: target, parsed, sortKeys } of targets) {
    const scope = scopeOf(deps, target);
    const listing = await resolvedListing(
      deps.tx,
      scope,
      parsed,
      deps.reader.isPublic ? deps.expansion.find : undefined,
    );
    const rows = await findAmong(deps.tx, scope, target, listing, uuids, sortKeys, targetsOf(deps));
    if (rows === undefined) throw new ChangedMeanwhile();
    for (const { id } of rows) place.set(publicId('ent', id), place.size);
  }
  const isSorted = sort !== undefined;
  for (const values of all) {
    eachAt(view.fields, values, steps, (holder, name) => {
      const value = holder[name];
      if (!Array.isArray(value)) {
        if (!place.has(value as string)) delete holder[name];
        return;
      }
      const kept = value.filter((id) => place.has(id));
      if (isSorted) kept.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
      holder[name] = kept.slice(0, limit ?? kept.length);
    });
  }
  const within = typeof expand === 'string' ? parseExpand(expand) : undefined;
  const tree: ExpandTree = steps.reduceRight<ExpandTree>(
    (below, name) => new Map([[name, below]]),
    within ?? new Map(),
  );
  const done = await expandEntries(deps, deps.expansion, view, all, tree);
  if (typeof done === 'symbol') throw new ChangedMeanwhile();
  const expanded = new Map<string, Values[]>();
  for (const values of all) {
    eachAt(view.fields, values, steps, (holder, name) => {
      for (const entry of [holder[name]].flat() as { collectionId?: string; values?: Values }[]) {
        if (!entry?.collectionId || !entry.values) continue;
        expanded.set(entry.collectionId, [...(expanded.get(entry.collectionId) ?? []), entry.values]);
      }
    });
  }
  for (const { view: target, selection } of targets) {
    const found = expanded.get(target.publicId) ?? [];
    if (typeof expand === 'object')
      await applyExpandQueries(deps, target, found, expand, `${pointer}/expand`, depth + 1);
    if (selection) for (const values of new Set(found)) replaceValues(values, selectValues(target, values, selection));
  }
}

/** The collections that a path of `expand` leads to, with the query on each. */
async function parseExpanded(
  view: Collection,
  path: string,
  query: TargetQuery,
  reader: Reader,
  faults: Fault[],
  pointer: string,
) {
  const place = findPlace(ownerOf(view, reader.isPublic), path.split('.'));
  if (place.kind === 'field' && typeOf(place.field).structure === 'reference') {
    return parseTargets(await reader.load(place.field.collectionIds ?? []), query, reader, faults, pointer);
  }
  const detail = `The path "${path.slice(0, 200)}" does not lead to a reference.${hintOf(place)}`;
  faults.push({ pointer, code: 'expand_invalid', detail });
  return [];
}

/** Adds the faults of what a query expands and joins, so that they are named with those of the query itself. */
export async function checkExtras(
  tx: Database,
  accountId: string,
  view: Collection,
  {
    expand = {},
    join = {},
  }: { expand?: Record<string, ExpandQuery> | undefined; join?: Record<string, Join> | undefined },
  reader: Reader,
  faults: Fault[],
): Promise<void> {
  await checkExpanded(view, expand, reader, faults, '/expand', 1);
  for (const [name, each] of Object.entries(join)) {
    const ids = await collectionIdsOf(tx, accountId, [each.collection]);
    await parseJoin(ids, each, reader, faults, `/join/${name}`);
  }
}

async function checkExpanded(
  view: Collection,
  queries: Record<string, ExpandQuery>,
  reader: Reader,
  faults: Fault[],
  pointer: string,
  depth: number,
): Promise<void> {
  for (const [path, query] of Object.entries(queries)) {
    const at = `${pointer}/${escapePointer(path)}`;
    const targets = await parseExpanded(view, path, query, reader, faults, at);
    const { expand } = query;
    if (typeof expand !== 'object' || depth >= LIMITS.expandDepth) continue;
    const failed: Fault[][] = [];
    for (const target of targets) {
      const own: Fault[] = [];
      await checkExpanded(target.view, expand, reader, own, `${at}/expand`, depth + 1);
      failed.push(own);
    }
    // An entry of any of the collections can be expanded so.
    if (failed.every((own) => own.length > 0)) faults.push(...(failed[0] ?? []));
  }
}

function replaceValues(values: Values, by: Values): void {
  for (const name of Object.keys(values)) if (!(name in by)) delete values[name];
  Object.assign(values, by);
}

/** Visits what holds the value of a path, in every row that it leads through. */
function eachAt(
  fields: readonly NestedField[],
  values: Values,
  [name = '', ...rest]: readonly string[],
  visit: (holder: Values, name: string) => void,
): void {
  const field = fields.find(({ id }) => id === name);
  if (!field || !isActive(field) || !Object.hasOwn(values, name)) return;
  if (rest.length === 0) {
    visit(values, name);
    return;
  }
  for (const row of [values[name]].flat() as Values[]) {
    if (typeof row !== 'object' || row === null) continue;
    if (field.blocks && row._block !== rest[0]) continue;
    eachAt(fieldsOfRow(field, row), row, field.blocks ? rest.slice(1) : rest, visit);
  }
}

interface TargetQuery {
  where?: unknown;
  sort?: string | undefined;
  select?: string | undefined;
}

/** Parses a query on the collections of a reference. Faults count only if each of them has one. */
async function parseTargets(
  views: readonly Collection[],
  { where, sort, select }: TargetQuery,
  reader: Reader,
  faults: Fault[],
  pointer: string,
) {
  let failed: Fault[] = [];
  const all = [];
  for (const view of views) {
    const own: Fault[] = [];
    const parsed = await parseListing(view, where === undefined ? {} : { where }, own, reader);
    const sortKeys = await parseSort(view, sort, own, reader);
    const selection = await parseSelect(view, select, own, reader);
    if (own.length === 0) all.push({ view, parsed, sortKeys, selection });
    else failed = own;
  }
  if (all.length === 0) {
    faults.push(...failed.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer.replace('?', '/')}` })));
  }
  return all;
}

const DEFAULT_JOINED = 10;

/** The entries of other collections that reference those of a page, by the names of the joins: JSON. */
export async function readJoins(
  deps: ExtraDeps,
  ids: readonly string[],
  joins: Record<string, Join>,
): Promise<Map<string, string>> {
  const found = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const [name, join] of Object.entries(joins)) {
    const byParent = await readJoin(deps, ids, join, `/join/${name}`);
    for (const [id, joined] of found) joined.push(`${JSON.stringify(name)}:${byParent.get(id) ?? NONE}`);
  }
  return new Map([...found].map(([id, joined]) => [id, `{${joined.join(',')}}`]));
}

const NONE = JSON.stringify({ entries: [], total: 0 });

/** @param ids what its collection is called: an ID */
async function parseJoin(
  ids: readonly string[],
  { collection: named, field: path, where, sort, select }: Join,
  reader: Reader,
  faults: Fault[],
  pointer: string,
) {
  const [view] = await reader.load(ids);
  if (!view) {
    const detail = `There is no collection "${named.slice(0, 100)}".`;
    faults.push({ pointer: `${pointer}/collection`, code: 'collection_unknown', detail });
    return undefined;
  }
  const [target] = await parseTargets([view], { where, sort, select }, reader, faults, pointer);
  const place = findPlace(ownerOf(view, reader.isPublic), path.split('.'));
  if (place.kind === 'field' && typeOf(place.field).structure === 'reference') {
    return target && { ...target, field: place.field };
  }
  const detail = `"${path.slice(0, 200)}" is no reference of the collection.${hintOf(place)}`;
  faults.push({ pointer: `${pointer}/field`, code: 'field_unknown', detail });
  return undefined;
}

async function readJoin(
  deps: ExtraDeps,
  parents: readonly string[],
  join: Join,
  pointer: string,
): Promise<Map<string, string>> {
  const { tx, accountId } = deps;
  const ids = await collectionIdsOf(tx, accountId, [join.collection]);
  const query = await parseAsRead(tx, deps.reader, (reader, faults) => parseJoin(ids, join, reader, faults, pointer));
  if (!query) return new Map();
  const { view, parsed, sortKeys, selection, field } = query;
  const scope = scopeOf(deps, view);
  const listing = await resolvedListing(tx, scope, parsed, deps.reader.isPublic ? deps.expansion.find : undefined);
  const { limit = DEFAULT_JOINED } = join;
  const request = { scope, collection: view, listing, field, parents, sortKeys, limit, most: LIMITS.joinedEntries };
  const found = await findJoined(tx, request);
  const joined = found === 'other order' ? await sortJoined(deps, request) : found;
  if (joined === undefined) throw new ChangedMeanwhile();
  if (joined === 'too many') {
    const detail = `More than ${LIMITS.joinedEntries} entries reference those of the page. Read smaller pages.`;
    throw invalid([{ pointer, code: 'query_too_expensive', detail }]);
  }
  const values = await joinedValues(
    deps,
    view,
    selection,
    [...joined.values()].flatMap(({ rows }) => rows),
  );
  const write = deps.writerOf(view);
  return new Map(
    [...joined].map(([parent, { rows, total }]) => {
      const out = new ByteWriter(rows.length * 1_000);
      for (const [i, row] of rows.entries()) {
        if (i > 0) out.ascii(',');
        write(out, row, values?.get(row));
      }
      return [parent, `{"entries":[${out.written.toString()}],"total":${total}}`];
    }),
  );
}

/** The values of joined entries as they are returned; undefined: as they are stored. */
async function joinedValues(
  deps: ExtraDeps,
  view: Collection,
  selection: Selection | undefined,
  rows: readonly PageRow[],
): Promise<Map<PageRow, Buffer> | undefined> {
  const { tx, accountId, publicUrl, presentation, expansion } = deps;
  const isComputed = hasComputedValues(view) || isPresented(view, presentation) || expansion.omitsUnknown;
  if (!isComputed && !selection) return undefined;
  const stored = rows.map(({ values }): Values => readJson(values?.toString() ?? '{}'));
  const serialized = await serializeValues(tx, accountId, view, stored, publicUrl, presentation);
  if (expansion.omitsUnknown) {
    const done = await expandEntries(deps, expansion, view, serialized, undefined);
    if (typeof done === 'symbol') throw new ChangedMeanwhile();
  }
  const selected = (values: Values) => (selection ? selectValues(view, values, selection) : values);
  return new Map(rows.map((row, i) => [row, Buffer.from(JSON.stringify(selected(serialized[i] ?? {})))]));
}

/** The joined entries in an order that no stored key has: all of them are read, and sorted here. */
async function sortJoined(
  deps: ExtraDeps,
  { scope, collection, listing, field, parents, sortKeys, limit, most }: JoinRequest,
): Promise<JoinedRows | 'too many' | undefined> {
  const { tx, accountId } = deps;
  const keys = { account_id: accountId, field_keys: keysOf(field), parents: [...parents], limit: most + 1 };
  const references = await findReferencing(tx, keys);
  if (references.length > most) return 'too many';
  const parentsOf = new Map(references.map(({ entry_id, parents }) => [entry_id, parents]));
  const rows = await findAmong(tx, scope, collection, listing, [...parentsOf.keys()], sortKeys, targetsOf(deps));
  if (rows === undefined) return undefined;
  const joined: JoinedRows = new Map();
  for (const row of rows) {
    for (const parent of parentsOf.get(row.id) ?? []) {
      const known = joined.get(parent) ?? { rows: [], total: 0 };
      known.total++;
      if (known.rows.length < limit) known.rows.push(row);
      joined.set(parent, known);
    }
  }
  return joined;
}

/** Entries with those that they reference of `parents`. */
const findReferencing = statement('content.find_referencing', {
  account_id: 'uuid',
  field_keys: 'bigint[]',
  parents: 'text[]',
  limit: 'integer',
}).returns<{ entry_id: string; parents: string[] }>(
  `select entry_id, array_agg(distinct sort_key) as parents from entry_index
   where account_id = :account_id and field_key = any(:field_keys) and sort_key = any(:parents)
   group by entry_id limit :limit`,
);
