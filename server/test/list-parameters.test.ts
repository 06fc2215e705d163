/** Parameters of several values: clients repeat them, or send them as one text with commas, encoded or not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregateNewRows } from '../src/analytics/aggregation/aggregate-new-rows.ts';
import { QUERY_OPERATORS } from '../src/content/query/operators.ts';
import { type Furnished, furnish } from './furnished-account.ts';
import { testService } from './harness.ts';
import { pathOf, ROUTES } from './route-table.ts';

const service = await testService();

/** Two values of each list that is not a filter of reports. */
const VALUES: Record<string, (mine: Furnished) => [string, string]> = {
  by: () => ['medium', 'device'],
  collections: (mine) => [mine.draftsId, mine.singletonId],
  expand: () => ['cover', 'seo.text'],
  ids: (mine) => [mine.entryId, mine.draftId],
  include: () => ['internal', 'bots'],
  leadId: (mine) => [mine.leadId, 'lead_01m85w24gser7t1aaaaaaaaaaa'],
  select: () => ['title', '-values.title'],
  sessionId: (mine) => [String(mine.sessionId), '1'],
  sort: () => ['createdAt:desc', 'id:asc'],
  variant: () => ['headline:new', 'price:low'],
};

const lists = service.app.knownRoutes.flatMap(({ method, url, schema }) =>
  Object.entries((schema?.querystring as { properties?: Record<string, object> } | undefined)?.properties ?? {})
    .filter(([, property]) => 'x-list' in property)
    .map(([name]) => ({ route: `${method} ${url}`, name })),
);

const mine = await furnish(service, 'lists');

test('a list means the same repeated, separated by commas, and with encoded commas', async () => {
  const compared = new Set<string>();
  for (const { route, name } of lists) {
    // Shared reports have the same parameters, and need a link. One dimension stands for all.
    if (route.startsWith('HEAD') || route.includes('/shared/') || /^filter\[(?!source)/.test(name)) continue;
    const good = ROUTES[route]?.good(mine) ?? assert.fail(`${route} is not in the table`);
    const [first, second] = VALUES[name]?.(mine) ?? (name.startsWith('filter[') ? ['google', 'direct'] : []);
    assert.ok(first && second, `${route}: values of ${name}`);
    const others = new URLSearchParams(good.query);
    others.delete(name);
    const answers = [
      `${name}=${first}&${name}=${second}`,
      `${name}=${first},${second}`,
      `${name}=${first}%2C${second}`,
      `${encodeURIComponent(name)}=${encodeURIComponent(`${first},${second}`)}`,
    ].map((query) => service.call(pathOf(route, { ...good, query: `${others}&${query}` }), { as: mine }));
    const [repeated, ...rest] = (await Promise.all(answers)).map(({ body: { requestId: _, ...body } }) => body);
    // Neither value of `expand` is a reference, so that both are faults.
    if (name === 'expand') assert.equal(repeated.errors.length, 2, route);
    else assert.ok(!('errors' in repeated), `${route} ${name}: ${JSON.stringify(repeated)}`);
    for (const other of rest) assert.deepEqual(other, repeated, `${route} ${name}`);
    compared.add(name);
  }
  for (const name of Object.keys(VALUES)) assert.ok(compared.has(name), `${name} is no list any more`);
});

test('the document describes them as arrays that are repeated, and no other parameter mentions commas', async () => {
  const { paths, components } = (await service.call('GET /openapi.json')).body;
  for (const { route, name } of lists) {
    if (route.startsWith('HEAD')) continue;
    const [method = '', url = ''] = route.split(' ');
    const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    const resolve = (value: { $ref?: string }) =>
      value.$ref === undefined ? value : components[value.$ref.split('/')[2] ?? ''][value.$ref.split('/')[3] ?? ''];
    const parameter = operation.parameters.map(resolve).find((each: { name: string }) => each.name === name);
    assert.deepEqual([parameter.style, parameter.explode], ['form', true], `${route} ${name}`);
    assert.equal(resolve(parameter.schema).type, 'array', `${route} ${name}`);
  }
  assert.doesNotMatch(JSON.stringify({ paths, components }), /"x-(?:list|texts)"/);
  for (const { method, url, schema } of service.app.knownRoutes) {
    const { properties = {} } = (schema?.querystring ?? {}) as {
      properties?: Record<string, { description?: string }>;
    };
    for (const [name, property] of Object.entries(properties)) {
      if ('x-list' in property) continue;
      assert.doesNotMatch(
        property.description ?? '',
        /separated by|after commas|[Rr]epeat it/,
        `${method} ${url} ${name}`,
      );
    }
  }
});

test('a value with a comma is found as it is, escaped, and beside others', async () => {
  const account = await service.newAccount();
  for (const campaign of ['Sale,summer', 'Sale, summer', 'Sale', 'winter', 'a\\b']) {
    const url = `https://shop.example/?utm_source=google&utm_campaign=${encodeURIComponent(campaign)}`;
    const { status } = await service.call('POST /v1/visits', { as: account, body: { api_key: account.apiKey, url } });
    assert.equal(status, 200);
  }
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  const found = async (...values: string[]) => {
    const day = new Date(service.clock.now).toISOString().slice(0, 10);
    const query = new URLSearchParams({
      from: day,
      to: new Date(service.clock.now + 86_400_000).toISOString().slice(0, 10),
      by: 'campaign',
    });
    for (const value of values) query.append('filter[campaign]', value);
    const { status, body } = await service.call(`GET /v1/analytics/breakdown?${query}`, { as: account });
    assert.equal(status, 200, JSON.stringify(body));
    return body.breakdowns.campaign.rows.map(({ value }: { value: string }) => value).sort();
  };
  assert.deepEqual(await found('Sale', 'winter'), ['Sale', 'winter']);
  assert.deepEqual(await found('Sale,winter'), ['Sale', 'winter']);
  assert.deepEqual(await found('Sale\\,summer'), ['Sale,summer'], 'escaped');
  assert.deepEqual(await found('Sale,summer', 'Sale,summer'), ['Sale,summer'], 'repeated values are not split');
  assert.deepEqual(await found('Sale, summer'), ['Sale, summer'], 'nothing separates beside white space');
  assert.deepEqual(await found('Sale,summer'), ['Sale', 'Sale,summer'], 'one value, as before, or a list');
  assert.deepEqual(await found('a\\b'), ['a\\b'], 'a text without commas is not unescaped');
  const hundred = [...Array.from({ length: 99 }, (_, i) => `campaign-${i}`), 'winter'];
  assert.deepEqual(await found(hundred.join(',')), ['winter'], 'as many as repeated ones');
});

test('repeated `in` of a single value are one list, and of several values all have to match', async () => {
  const found = async (query: string) => {
    const path = `/v1/cms/collections/${mine.collectionId}/entries?select=count&${query}`;
    const { status, body } = await service.call(`GET ${path}`, { as: mine });
    assert.equal(status, 200, JSON.stringify(body));
    return body.entries.map(({ values }: { values: { count: number } }) => values.count).sort();
  };
  const both = await found('filter[count][in]=7,8');
  assert.deepEqual([...new Set(both)], [7, 8]);
  assert.deepEqual(await found('filter[count][in]=7&filter[count][in]=8'), both);
  assert.deepEqual(await found('filter[count][in]=7,8&filter[count][in]=8,9'), [8], 'lists restrict each other');
  assert.deepEqual(await found('filter[tags][in]=hidden-lists&filter[tags][in]=other'), []);
  assert.notDeepEqual(await found('filter[tags][in]=hidden-lists,other'), []);
  // As axios and qs send the lists of nested objects.
  for (const [first, second] of [
    ['', ''],
    ['0', '1'],
  ]) {
    for (const operator of ['in', 'between']) {
      const numbered = `filter[count][${operator}][${first}]=7&filter[count][${operator}][${second}]=8`;
      assert.deepEqual(await found(numbered), both, numbered);
      assert.deepEqual(await found(numbered.replaceAll('[', '%5B').replaceAll(']', '%5D')), both, numbered);
    }
  }
  assert.deepEqual(await found('filter[count][between]=7&filter[count][between]=8'), both);
});

test('filter is described as an object, and where as JSON, on private and public lists', async () => {
  const { paths, components } = (await service.call('GET /openapi.json')).body;
  for (const path of ['/v1/cms/collections/{collectionId}/entries', '/v1/content/{collectionId}']) {
    const parameters = paths[path].get.parameters.map(
      (each: { $ref?: string }) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each,
    );
    const named = (name: string) => parameters.find((each: { name?: string }) => each?.name === name);
    const { style, explode, schema } = named('filter');
    assert.deepEqual(
      [style, explode, schema],
      ['deepObject', true, { $ref: '#/components/schemas/EntryFilter' }],
      path,
    );
    assert.deepEqual(Object.keys(named('where').content), ['application/json'], path);
  }
  const { FieldConditions, EntryFilter } = components.schemas;
  assert.deepEqual(EntryFilter.additionalProperties, { $ref: '#/components/schemas/FieldConditions' });
  // Those of rows need conditions within.
  const flat = QUERY_OPERATORS.filter((name) => name !== 'some' && name !== 'every');
  assert.deepEqual(Object.keys(FieldConditions.properties).sort(), [...flat].sort());
});
