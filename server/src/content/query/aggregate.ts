import { isFirstPage } from '../../shared/http/keyset-page.ts';
import { publicId } from '../../shared/ids.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { stateView } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import { sortsAlike } from '../field-types/index.ts';
import { entryCondition, isEmpty, lookupRows } from '../listing/filter-sql.ts';
import { conditionsOf, smallestLookup } from '../listing/find-page.ts';
import { ListingParameters, MISSING_SQL, type Scope } from '../listing/key-sql.ts';
import type { Listing } from '../listing/parse-listing.ts';
import { localeView, requestedLocale, type ViewInLocale } from '../locales/locale-view.ts';
import { publishedOf } from '../publishing/published-of.ts';
import { refuseExplaining } from '../roles/permitted.ts';
import { refuseExpensive } from './aggregate-cost.ts';
import { AggregateSql, isOwnField } from './aggregate-sql.ts';
import type { AggregateBody, Aggregates } from './contract.ts';
import { explaining, noteStrategy } from './explain.ts';
import { havingSql } from './having.ts';
import { findIndexedGroups, INDEXED_KEY, type IndexedGroups, indexedRows } from './indexed-groups.ts';
import {
  type Aggregated,
  every,
  isNumeric,
  isSystem,
  isTime,
  parseAggregate,
  type Query,
  type Source,
} from './parse-aggregate.ts';
import { parseAsRead, resolvedListing } from './readers.ts';
import { inTime } from './too-expensive.ts';
import type { FindVisible } from './visible-references.ts';

/** How entries are read for an aggregation. */
interface AggregateOptions {
  viewOf: (stored: Collection) => Collection;
  targetView: (stored: Collection) => Collection | undefined;
  inLocale: ViewInLocale;
  state: 'draft' | 'published';
  isPublic: boolean;
  findVisible?: FindVisible;
}

const DEFAULT_LIMIT = 100;

/** Groups and measures of the entries of a collection. @throws ApiError 404, 400 with every fault */
export async function aggregateEntries(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  { explain, ...body }: AggregateBody,
  options?: AggregateOptions,
): Promise<Aggregates> {
  if (!explain) return aggregate(db, cache, tokens, accountId, collectionId, body, options);
  refuseExplaining(cache);
  const traced = explaining(db);
  const groups = await aggregate(traced.db, cache, tokens, accountId, collectionId, body, options);
  return { ...groups, explain: traced.explanation };
}

function aggregate(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  body: AggregateBody,
  options?: AggregateOptions,
): Promise<Aggregates> {
  const { state = 'draft' } = body;
  const { viewOf, targetView, inLocale, isPublic, findVisible, ...own } = options ?? {
    viewOf: (stored: Collection) => (state === 'published' ? publishedOf(stored, '/state') : stored),
    targetView: stateView(state),
    inLocale: localeView,
    isPublic: false,
    state,
    findVisible: undefined,
  };
  const groups = cache.use(db, accountId, collectionId, async (stored) => {
    const locale = await requestedLocale(db, accountId, stored, body.locale);
    const collection = inLocale(viewOf(stored), locale);
    const target = (each: Collection) => {
      const view = targetView(each);
      return view && inLocale(view, locale);
    };
    const query = await parseAsRead(db, { cache, accountId, viewOf: target, isPublic }, (reader, faults) =>
      parseAggregate(collection, body, reader, faults),
    );
    const { id, version, publishing } = collection;
    const scope = { accountId, collectionId: id, version, state: publishing ? own.state : undefined };
    const listing = await resolvedListing(db, scope, query.parsed, isPublic ? findVisible : undefined);
    const identity = [accountId, collection.publicId, 'aggregate', isPublic, { ...body, pageToken: '' }];
    const { pageToken, limit = DEFAULT_LIMIT } = body;
    const offset = isFirstPage(pageToken) ? 0 : (tokens.read(identity, pageToken) as number);
    const rows = await readGroups(db, { scope, collection, listing, query, offset, limit: limit + 1 });
    return {
      groups: rows.slice(0, limit).map((row) => groupOf(row, query)),
      nextPageToken: rows.length > limit ? tokens.write(identity, offset + limit) : null,
    };
  });
  return inTime(groups);
}

type Row = Record<string, unknown>;

/** What an aggregation reads. */
interface Reading {
  scope: Scope;
  collection: Collection;
  listing: Listing;
  query: Query;
  offset: number;
  limit: number;
}

async function readGroups(db: Database, reading: Reading): Promise<Row[]> {
  const { scope, collection, listing, query } = reading;
  const isAll = isEmpty(conditionsOf(collection, listing, listing.keyFilters)) && countedField(query) === undefined;
  const indexed = isAll ? await findIndexedGroups(db, scope, query) : undefined;
  // Without a group, a field may have got other values meanwhile.
  const rows = indexed && (await readRows(db, reading, indexed));
  return rows?.length ? rows : readRows(db, reading);
}

async function readRows(
  db: Database,
  { scope, collection, listing, query, offset, limit }: Reading,
  indexed?: IndexedGroups,
): Promise<Row[]> {
  const parameters = new ListingParameters(scope);
  const sql = new AggregateSql(parameters, scope, indexed && INDEXED_KEY);
  const measures = query.measures.map((measure, i) => sql.measure(measure, `m${i}`));
  const conditions = conditionsOf(collection, listing, listing.keyFilters);
  const lookup = await smallestLookup(db, scope, listing);
  if (!indexed) {
    noteStrategy(db, lookup ? 'aggregate: the entries of the smallest index condition' : 'aggregate: all entries');
  }
  const found = lookup && `e.id in (select unnest(array(${lookupRows(parameters, lookup)})))`;
  const all = [found, isEmpty(conditions) ? undefined : entryCondition(parameters, conditions, 'e')];
  const matches = all.flatMap((each) => (each === undefined ? [] : ` and (${each})`)).join('');
  const counted = matches === '' ? countedField(query) : undefined;
  if (counted || indexed) noteStrategy(db, 'aggregate: the rows of an index');
  if (!counted && !lookup) await refuseExpensive(db, scope, valuesReadOf(query));
  const keys = query.keys.map((key, i) => (counted || indexed ? sql.keyOfIndex(key) : sql.key(key, `k${i}`)));
  const columns = [...[...keys, ...measures].flatMap((each) => each.columns), ...sql.columns];
  const groups = keys.map((_, i) => `k${i}`);
  const isRead = keys.some(({ value }) => value !== undefined);
  const results = [
    ...groups,
    ...(isRead ? ['any_value(id) as any_id'] : []),
    ...measures.map(({ result }, i) => `${result} as r${i}`),
    // A statement returns a row even if it has neither keys nor measures.
    'count(*) as entries',
  ];
  const columnOfMeasure = (name: string) => `r${query.measures.findIndex((each) => each.name === name)}`;
  const read = indexed && indexedRows(parameters, indexed, columns);
  const having = query.having && havingSql(parameters, query.having, columnOfMeasure);
  const where = [read?.areKnown, having].flatMap((each) => each ?? []).join(' and ');
  const order = [
    ...query.sort.map(({ name, descending }) => {
      const key = query.keys.findIndex((each) => each.name === name);
      const column = key >= 0 ? `k${key}` : `r${query.measures.findIndex((each) => each.name === name)}`;
      return `${column} ${descending ? 'desc' : 'asc'} nulls last`;
    }),
    ...groups.map((name) => `${name} asc nulls last`),
  ];
  const named = [
    ...keys.map(({ value }, i) => (value === undefined ? `grouped.k${i}` : `${value} as k${i}`)),
    ...measures.map((_, i) => `r${i}`),
    'entries',
  ];
  const joined = isRead
    ? `left join ${parameters.entries} r on r.account_id = ${parameters.account} and r.id = grouped.any_id`
    : '';
  const base = read
    ? read.rows
    : counted
      ? `select entry_id as id, nullif(sort_key, ${MISSING_SQL}) as k0 from entry_index
      where account_id = ${parameters.account} and field_key = ${parameters.add('bigint', counted.key)}
        and ${parameters.collection} is not null`
      : `select e.id${columns.map((column) => `, ${column}`).join('')}
      from ${parameters.entries} e ${[...keys, ...measures].map(({ joins }) => joins).join(' ')}
      where e.account_id = ${parameters.account} and e.collection_id = ${parameters.collection} and e.status = 'active'${matches}
      offset 0`;
  const text = `with ${[...sql.targets, ''].join(', ')}
    base as (${sql.withNumbers(base)}),
    grouped as (select ${results.join(', ')} from base ${groups.length > 0 ? `group by ${groups.join(', ')}` : ''})
    select * from (select ${named.join(', ')} from grouped ${joined}
      ${where && `where ${where}`}) as named ${order.length > 0 ? `order by ${order.join(', ')}` : ''}
    limit ${parameters.add('integer', limit)} offset ${parameters.add('integer', offset)}`;
  const { rows } = await db.query<Row>({ text, values: parameters.values });
  return rows;
}

/** The field by which entries are only counted, if the index has a row of each entry with its key. */
function countedField({ keys, measures }: Query): Field | undefined {
  const [{ source, by } = {}] = keys;
  const isCount = measures.every(({ kind }) => kind === 'count') && keys.length === 1 && by === undefined;
  if (!isCount || source?.kind !== 'field' || source.isMany || !isOwnField(source)) return undefined;
  const { field } = source;
  return field.pending || field.sources || sortsAlike(field) ? undefined : field;
}

/** How many values an aggregation reads from the JSON text of each entry. */
const valuesReadOf = ({ keys, measures }: Query): number =>
  [...keys, ...measures].filter(
    ({ source }) =>
      source !== undefined &&
      source.kind !== 'system' &&
      (source.kind !== 'field' || source.isMany || !isOwnField(source)),
  ).length;

function groupOf(row: Row, { keys, measures }: Query): Aggregates['groups'][number] {
  const key = Object.fromEntries(
    keys.map(({ name, source, by }, i) => [name, keyValue(row[`k${i}`], source, by !== undefined)]),
  );
  return { ...Object.fromEntries(measures.map((each, i) => [each.name, measureValue(row[`r${i}`], each)])), key };
}

function keyValue(value: unknown, source: Source, isPeriod: boolean): unknown {
  if (value === null || value === undefined) return null;
  if (isSystem(source, (column) => column === 'id')) return publicId('ent', String(value));
  if (!isPeriod && isSystem(source, isTime)) return new Date(String(value)).toISOString();
  // An asset is named by its ID.
  if (typeof value === 'object' && 'assetId' in value) return value.assetId;
  return value;
}

/** Numbers of fields with numbers; decimals, and what a number cannot hold exactly, as text. */
function measureValue(value: unknown, { kind, source }: Aggregated): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'count' || kind === 'countDistinct') return Number(value);
  if (!source) return value;
  if (isSystem(source, (column) => column === 'id')) return publicId('ent', String(value));
  if (isSystem(source, isTime)) return new Date(String(value)).toISOString();
  if (!isNumeric(source)) return value;
  const isDouble = every(
    source,
    ({ format }) => format === undefined,
    () => true,
  );
  if (kind === 'avg' && isDouble) return Number(value);
  const text = trimmed(String(value));
  const isExact = every(
    source,
    ({ format }) => format === undefined || format === 'integer',
    () => true,
  );
  return isExact && (Number.isSafeInteger(Number(text)) || (text.includes('.') && text.length <= 16))
    ? Number(text)
    : text;
}

/** A decimal without zeros at its end. */
const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
