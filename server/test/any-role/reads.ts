import type { Answer } from '../service-under-test.ts';
import type { Oracle } from './oracle.ts';
import { pick, type Random } from './random-role.ts';
import { TREE, type World, type WorldCollection, type WorldField } from './world.ts';

export interface Read {
  request: string;
  body?: unknown;
  /** What is wrong with the response, beside what it shows. */
  check?: (answer: Answer) => string | undefined;
}

/** Every way to read, and in each every way to name a field. */
export function* readsOf(random: Random, world: World, oracle: Oracle): Generator<Read> {
  yield* ofAccount(world, oracle);
  for (const collection of world.collections) {
    yield* ofCollection(world, collection, oracle);
    for (const id of collection.entries) yield* ofEntry(world, collection, id, oracle);
    for (const field of collection.fields) yield* ofField(random, world, collection, field, oracle);
  }
}

const isRefused: NonNullable<Read['check']> = ({ status }) =>
  status === 400 || status === 404 ? undefined : `it is ${status}, as if the role knew the name`;
const isOk: NonNullable<Read['check']> = ({ status, body }) =>
  status === 200 ? undefined : `it is ${status} ${JSON.stringify(body).slice(0, 300)}`;
const isMissing: NonNullable<Read['check']> = ({ status }) => (status === 404 ? undefined : `it is ${status}, not 404`);

/** Whether a list has exactly these entries. */
const hasIds =
  (ids: readonly string[]): NonNullable<Read['check']> =>
  (answer) => {
    const wrong = isOk(answer);
    if (wrong) return wrong;
    const found = answer.body.entries.map(({ id }: { id: string }) => id).sort();
    const wanted = [...ids].sort();
    return found.join() === wanted.join() ? undefined : `it has ${found.length} entries, the oracle ${wanted.length}`;
  };

interface Branch {
  id: string;
  children?: Branch[];
}

/** Whether a tree has what is visible, each below what it is below of, or at the top if that is not visible. */
const hasTree =
  (oracle: Oracle): NonNullable<Read['check']> =>
  (answer) => {
    const wrong = isOk(answer);
    if (wrong) return wrong;
    const found = new Map<string, string | null>();
    const visit = (branches: Branch[], parent: string | null) => {
      for (const { id, children = [] } of branches) {
        found.set(id, parent);
        visit(children, id);
      }
    };
    visit(answer.body.entries, null);
    const visible = [...oracle.entries.values()].filter(
      (each) => each.collection === TREE && each.status === 'active' && oracle.sees(each),
    );
    const ids = new Set(visible.map(({ id }) => id));
    if (found.size !== ids.size) return `the tree has ${found.size} entries, the oracle ${ids.size}`;
    const misplaced = visible.find(({ id, parentId }) => {
      const parent = parentId !== null && ids.has(parentId) ? parentId : null;
      return found.get(id) !== parent;
    });
    return misplaced && `${misplaced.id} is elsewhere in the tree`;
  };

function* ofAccount({ collections, releaseId }: World, oracle: Oracle): Generator<Read> {
  const known = collections.filter(({ key }) => oracle.permission(key, 'read'));
  yield {
    request: 'GET /v1/cms/collections',
    check: (answer) => (answer.body.collections.length === known.length ? undefined : 'other collections'),
  };
  yield {
    request: 'GET /v1/cms/entry-counts',
    check: ({ body }) => {
      const counts: { collectionId: string; entries: number }[] = body.counts;
      const wrong = known.filter(
        (each) => counts.find(({ collectionId }) => collectionId === each.id)?.entries !== oracle.visible(each).length,
      );
      return wrong.length === 0 ? undefined : `the counts of ${wrong.map(({ key }) => key)} differ`;
    },
  };
  const ids = collections.flatMap(({ entries }) => entries);
  yield { request: `GET /v1/cms/entry-titles?ids=${ids.join()}` };
  for (const path of [
    ...['components', 'trash', 'locales', 'releases', `releases/${releaseId}`].map((each) => `cms/${each}`),
    `cms/releases/${releaseId}/items`,
    ...['schema', 'audit', 'files', 'webhooks', 'roles', 'jobs', 'keys', 'members'],
    ...['content/changes', 'content/redirects', 'content/sitemap.xml', 'content/resolve?path=/x'],
    ...['analytics/overview?from=2026-01-01&to=2026-01-02', 'destinations', 'conversions', 'experiments'],
  ]) {
    yield { request: `GET /v1/${path}` };
  }
  yield { request: 'POST /v1/graphql', body: { query: '{ __schema { types { name description fields { name } } } }' } };
  const items = 'items { id a_title a_secret a_owner a_price a_seo { line } a_author { p_name p_note p_score } }';
  yield { request: 'POST /v1/graphql', body: { query: `{ articlesList { ${items} total } }` } };
  yield { request: 'POST /v1/graphql', body: { query: '{ articlesList { items { id } total } }' } };
  for (const name of ['list_collections', 'query_entries']) {
    for (const { id } of collections) {
      const params = { name, arguments: name === 'query_entries' ? { collectionId: id } : {} };
      yield { request: 'POST /mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } };
    }
  }
}

function* ofCollection(world: World, collection: WorldCollection, oracle: Oracle): Generator<Read> {
  const { key, id, publishing } = collection;
  const path = `/v1/cms/collections/${id}`;
  const isKnown = oracle.permission(key, 'read') !== undefined;
  const idsIn = (state: 'draft' | 'published') => oracle.visible(collection, state).map((entry) => entry.id);
  const lists = isKnown ? hasIds(idsIn('draft')) : isMissing;
  yield { request: `GET ${path}`, check: isKnown ? isOk : isMissing };
  yield { request: `GET ${path}?includeDeleted=true`, check: isKnown ? isOk : isMissing };
  yield { request: `GET /v1/cms/collections/${key}/entries?count=exact`, check: lists };
  yield { request: `POST ${path}/entries/query`, body: { count: 'exact' }, check: lists };
  yield { request: `GET ${path}/entries?locale=de` };
  yield { request: `GET ${path}/entries?explain=true` };
  yield { request: `GET ${path}/trash` };
  if (key === TREE) yield { request: `GET ${path}/entries?tree=true`, check: isKnown ? hasTree(oracle) : isMissing };
  yield { request: `GET ${path}/views` };
  yield { request: `GET ${path}/imports` };
  if (publishing) {
    const published = isKnown ? hasIds(idsIn('published')) : isMissing;
    yield { request: `GET ${path}/entries?state=published`, check: published };
    yield { request: `GET /v1/content/${key}?count=exact`, check: published };
    yield { request: `POST /v1/content/${key}/query`, body: {}, check: published };
  }
  const aggregate = { measures: { n: { count: true } } };
  yield {
    request: `POST ${path}/entries/aggregate`,
    body: aggregate,
    check: isKnown
      ? ({ body }) => {
          const wanted = oracle.visible(collection).length;
          return (body.groups?.[0]?.n ?? 0) === wanted ? undefined : `it counts ${JSON.stringify(body)}, not ${wanted}`;
        }
      : isMissing,
  };
  yield { request: `POST ${path}/export`, body: { format: 'csv' } };
  const { fields } = collection;
  const references = fields.filter(({ to }) => to);
  for (const field of references) {
    yield { request: `GET ${path}/entries?expand=${field.id}` };
    for (const target of world.collections.filter((each) => field.to?.includes(each.key))) {
      const join = { x: { collection: key, field: field.id } };
      yield { request: `POST /v1/cms/collections/${target.id}/entries/query`, body: { join } };
      for (const { id: name } of target.fields) {
        const isNamed = oracle.readsField(key, field.id) && oracle.readsField(target.key, name);
        const check = isNamed ? isOk : isRefused;
        yield { request: `GET ${path}/entries?filter[${field.id}.${name}][exists]=true`, check };
        if (name !== 'a_body') {
          yield { request: `GET ${path}/entries?expand=${field.id}&select=${field.id},${field.id}.${name}` };
        }
      }
    }
  }
}

function* ofEntry(world: World, collection: WorldCollection, id: string, oracle: Oracle): Generator<Read> {
  const entry = oracle.entries.get(id);
  const path = `/v1/cms/collections/${collection.id}/entries/${id}`;
  const isThere = entry !== undefined && entry.status === 'active' && oracle.sees(entry);
  const check = isThere ? isOk : isMissing;
  yield { request: `GET ${path}`, check };
  yield { request: `GET ${path}/versions`, ...(entry?.status === 'active' && { check }) };
  yield { request: `GET ${path}/usages`, check };
  yield { request: `GET ${path}/comments`, check };
  yield { request: `GET ${path}/review`, check };
  yield { request: `GET ${path}?includeDeleted=true` };
  yield { request: `GET ${path}/versions/1` };
  yield { request: `GET ${path}?state=published` };
  yield { request: `GET ${path}/draft` };
  yield { request: `POST ${path}/presence`, check };
  yield { request: `POST ${path}/preview` };
  yield { request: `GET /v1/cms/releases?entryId=${id}` };
  if (collection.publishing) yield { request: `GET /v1/content/${collection.key}/${id}?expand=a_author` };
  // In the place of an entry of another collection.
  const other = world.collections.find(({ key }) => key !== collection.key);
  yield { request: `GET /v1/cms/collections/${other?.id}/entries/${id}`, check: isMissing };
}

function* ofField(
  random: Random,
  world: World,
  collection: WorldCollection,
  field: WorldField,
  oracle: Oracle,
): Generator<Read> {
  const { id, key } = collection;
  const path = `/v1/cms/collections/${id}/entries`;
  const name = field.id;
  const reads = oracle.readsField(key, name);
  // A localized field that is hidden in the default locale has another name.
  const isPlain = field.kind !== 'localized';
  const names = isPlain ? (reads ? isOk : isRefused) : undefined;
  const named = (request: string, body?: unknown): Read => ({
    request,
    ...(body !== undefined && { body }),
    ...(names && { check: names }),
  });
  yield named(`GET ${path}?filter[${name}][exists]=true`);
  yield named(`GET ${path}?select=${name}`);
  yield named(`POST ${path}/query`, { where: { [name]: { exists: true } } });
  yield named(`POST ${path}/query`, { where: { not: { or: [{ [name]: { exists: false } }] } } });
  yield named(`POST ${path}/query`, { select: name });
  yield named(`POST ${path}/aggregate`, {
    where: { [name]: { exists: true } },
    measures: { n: { count: true } },
  });
  if (field.kind === 'blocks') {
    yield named(`GET ${path}?filter[${name}.hero.line][exists]=true`);
    yield named(`GET ${path}?expand=${name}.hero.about`);
    const reached = oracle.readsField('people', 'p_name');
    const check = reads && reached ? isOk : isRefused;
    yield { request: `GET ${path}?filter[${name}.hero.about.p_name][exists]=true`, check };
    yield {
      request: `POST ${path}/query`,
      body: { where: { [`${name}.hero.about.p_name`]: { exists: true } } },
      check,
    };
  }
  if (field.kind === 'text' || field.kind === 'number' || field.kind === 'owner') {
    yield named(`GET ${path}?sort=${name}:asc`);
    yield named(`POST ${path}/query`, { sort: `${name}:desc`, select: name });
    yield named(`POST ${path}/aggregate`, { groupBy: [name], measures: { n: { count: true } } });
    yield named(`POST ${path}/aggregate`, { measures: { n: { countDistinct: name } }, having: { n: { gt: 0 } } });
    yield named(`POST /v1/cms/collections/${id}/export`, { format: 'csv', fields: [name] });
    yield named(`POST /v1/cms/collections/${id}/export`, { format: 'ndjson', filter: { [name]: { exists: 'true' } } });
  }
  if (field.kind === 'number') {
    const sum = () => oracle.visible(collection).reduce((all, { values }) => all + Number(values[name] ?? 0), 0);
    yield {
      request: `POST ${path}/aggregate`,
      body: { measures: { all: { sum: name }, low: { min: name }, high: { max: name } } },
      check: reads
        ? ({ body }) => (Number(body.groups?.[0]?.all ?? 0) === sum() ? undefined : `it sums ${JSON.stringify(body)}`)
        : isRefused,
    };
  }
  // What references lead to is not public.
  const publicNames = field.to ? undefined : names;
  if (collection.publishing) {
    yield { request: `GET /v1/content/${key}?select=${name}&sort=${name}:asc` };
    yield {
      request: `POST /v1/content/${key}/query`,
      body: { where: { [name]: { exists: true } } },
      ...(publicNames && { check: publicNames }),
    };
    yield { request: 'POST /v1/graphql', body: { query: `{ articlesList { items { ${name} } } }` } };
  }
  // By a value that some entry has.
  const marks = [...world.marks].filter(([, of]) => of.collection === key && of.field === name && of.entry);
  if (marks.length === 0) return;
  const [text, { entry: of = '' }] = pick(random, marks);
  const holders = oracle
    .visible(collection)
    .filter(({ values }) => JSON.stringify(values[name] ?? null).includes(text));
  const ids = holders.map((entry) => entry.id);
  if (field.kind === 'text') {
    const check = reads ? hasIds(ids) : isRefused;
    yield { request: `GET ${path}?filter[${name}][eq]=${text}`, check };
    yield {
      request: `POST ${path}/query`,
      body: { where: { [name]: { contains: text.slice(0, 5) } } },
      ...(names && { check: names }),
    };
  }
  if (field.kind !== 'number' && field.kind !== 'localized' && oracle.permission(key, 'read')) {
    yield { request: `GET ${path}?q=${text}`, check: hasIds(reads ? ids : []) };
    yield { request: `POST ${path}/aggregate`, body: { q: text, measures: { n: { count: true } } } };
  }
  if (name.endsWith('_code')) yield { request: `GET ${path}/by/${name}/${text}?of=${of}` };
}
