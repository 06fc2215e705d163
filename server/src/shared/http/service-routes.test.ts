import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { validate } from '@scalar/openapi-validator';
import { testService } from '../../../test/harness.ts';
import { testVault } from '../../../test/test-keys.ts';
import { buildApp } from '../../app.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { pageTokens } from '../page-token.ts';
import { asControl, openDatabase } from '../postgres/database.ts';
import { sessionIds } from '../session-ids.ts';
import { extractComponents } from './openapi.ts';

const service = await testService();

test('GET /health is 200 while the database is reachable, and quickly 503 when it is not or the service stops', async () => {
  assert.deepEqual((await service.call('GET /health')).body, { status: 'ok' });
  assert.equal((await service.call('HEAD /health')).status, 200);
  service.app.drain.isDraining = true;
  const { status, body } = await service.call('GET /health');
  assert.deepEqual([status, body], [503, { status: 'stopping' }]);
  service.app.drain.isDraining = false;

  const secret = Buffer.alloc(32);
  const db = asControl(openDatabase({ host: '/nowhere' }, 1, () => {}));
  const { app } = await buildApp({
    config: readConfig({}),
    db,
    control: db,
    log: createLog('silent'),
    metrics: createMetrics(),
    clock: Date.now,
    pageTokens: pageTokens(secret),
    sessionIds: sessionIds(secret),
    vault: testVault(),
    secret,
    publicUrl: () => '',
  });
  after(() => app.close());
  let hasGivenUp = false;
  const request = db.query('select 1').catch(() => {
    hasGivenUp = true;
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/health')));
  for (const { statusCode } of answers) assert.equal(statusCode, 503);
  assert.ok(!hasGivenUp, 'others wait for the database to come back');
  await request;
});

test('GET /metrics reports requests by route, the pool and the process, without client data', async () => {
  await service.call('GET /v1/cms/collections/col_x?key=hw_pb_x');
  await service.call('GET /nothing/jane@example.com');
  const { body, headers } = await service.call('GET /metrics');
  assert.match(String(headers['content-type']), /^text\/plain; version=/);
  assert.match(
    body,
    /headwater_http_requests_total\{method="GET",route="\/v1\/cms\/collections\/:collectionId",status="401"\} 1/,
  );
  assert.match(body, /route="unmatched",status="404"/);
  assert.match(body, /^headwater_database_connections \d/m);
  assert.match(body, /^headwater_database_waiting \d/m);
  assert.doesNotMatch(body, /jane|hw_pb|col_x/);
});

test('the histograms of GET /metrics have fewer than 1,000 series once every route was called', async () => {
  for (const { method, url } of service.app.knownRoutes) {
    const path = url.replaceAll(/:\w+(?:\([^)]*\))?/g, 'x').replace('*', 'x');
    if (/^\/(?:health|metrics)/.test(path)) continue;
    for (const headers of [{}, { 'x-api-key': 'Bearer x' }]) {
      await service.app.inject({ method: [method].flat()[0] as 'GET', url: path, headers, payload: {} });
    }
  }
  const { body } = await service.call('GET /metrics');
  const histograms = [...body.matchAll(/^# TYPE (\S+) histogram$/gm)].map(([, name]) => name);
  const series = body.match(new RegExp(`^(?:${histograms.join('|')})_(?:bucket|sum|count)[ {]`, 'gm')) ?? [];
  assert.ok(series.length < 1_000, `${series.length} series`);
  // Every route is counted, and what is watched has durations of its own.
  const counted = new Set(
    [...body.matchAll(/^headwater_http_requests_total\{method="\w+",route="([^"]+)"/gm)].map(([, route]) => route),
  );
  assert.ok(counted.size > 250, `${counted.size} routes`);
  for (const route of ['/v1/visits', '/v1/events', '/v1/analytics/report-conversion', '/v1/cms', '/v1/content']) {
    assert.match(body, new RegExp(`^headwater_http_request_duration_seconds_count\\{route="${route}"\\} [1-9]`, 'm'));
  }
});

/** A larger schema that occurs twice needs a title, which makes it a component. */
const MAX_UNNAMED_LENGTH = 300;

test('GET /metrics answers loopback clients only, or those that send METRICS_TOKEN', async () => {
  const read = async (from: typeof service, options: { remoteAddress?: string; headers?: Record<string, string> }) =>
    (await from.app.inject({ url: '/metrics', ...options })).statusCode;
  assert.equal(await read(service, { remoteAddress: '203.0.113.1' }), 401);
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
    assert.equal(await read(service, { headers: { host } }), 200, host);
  }
  // A proxy on the same machine, whatever it adds.
  for (const host of ['shop.example', '10.0.0.1', 'localhost.shop.example', '127.0.0.1.shop.example']) {
    assert.equal(await read(service, { headers: { host } }), 401, host);
  }
  for (const name of ['x-forwarded-for', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'via', 'x-real-ip']) {
    assert.equal(await read(service, { headers: { [name]: '127.0.0.1' } }), 401, name);
  }
  const withToken = await testService({ METRICS_TOKEN: 'scrape' });
  assert.equal(await read(withToken, {}), 401);
  assert.equal(await read(withToken, { headers: { authorization: 'Bearer other' } }), 401);
  const authorized = { remoteAddress: '203.0.113.1', headers: { authorization: 'Bearer scrape' } };
  assert.equal(await read(withToken, authorized), 200);
});

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, object>;
}

test('GET /openapi.json is valid OpenAPI 3.1, and its references resolve', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(validate(document).errors, []);
  const ids = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, name);
      assert.ok(!ids.has(operation.operationId), `${operation.operationId} twice`);
      ids.add(operation.operationId);
      assert.ok(operation.summary && operation.tags.length > 0, name);
      assert.notDeepEqual(operation.security, document.security, `${name}: what most operations need is said once`);
      const statuses = Object.keys(operation.responses).filter((status) => status !== '304');
      assert.deepEqual(statuses, ['200', '400', '401', '403', '404', '405', '429', '500'], name);
      for (const part of path.matchAll(/\{(\w+)\}/g)) {
        const declared = operation.parameters
          ?.map((each) => (each.$ref ? document.components.parameters[each.$ref.split('/')[3] ?? ''] : each))
          .find((each) => each.in === 'path' && each.name === part[1]);
        assert.ok(declared?.required, `${name}: ${part[1]}`);
      }
      for (const scheme of (operation.security ?? document.security).flatMap(Object.keys)) {
        assert.ok(scheme in document.components.securitySchemes, name);
      }
    }
  }
  assert.ok(ids.size >= 17);
  eachObject(document, (value) => {
    assert.ok(!('$id' in value), 'an internal name of the framework');
    if (typeof value.$ref === 'string') {
      let at = document;
      for (const part of value.$ref.replace(/^#\//, '').split('/')) at = at?.[part];
      assert.ok(at, `${value.$ref} does not resolve`);
    }
  });
  for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Z][A-Za-z]+$/);
  const { Collection, CreateCollectionRequest } = document.components.schemas;
  assert.equal(Collection.properties.fields.items.$ref, '#/components/schemas/Field');
  assert.equal(CreateCollectionRequest.additionalProperties, false);
});

test('GET /openapi-3.0.json is the same API in OpenAPI 3.0', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  const { body: older, headers } = await service.call('GET /openapi-3.0.json');
  assert.equal(older.openapi, '3.0.3');
  assert.deepEqual(validate(older).errors, []);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.deepEqual(Object.keys(older.paths), Object.keys(document.paths));
  for (const kind of Object.keys(document.components)) {
    assert.deepEqual(Object.keys(older.components[kind]), Object.keys(document.components[kind]), kind);
  }
  eachObject(older.components.schemas, (value) => {
    const schema = JSON.stringify(value);
    assert.ok(!Array.isArray(value.type) && value.type !== 'null', schema);
    assert.ok(value.type !== 'array' || value.items, schema);
    if (typeof value.$ref === 'string') assert.deepEqual(Object.keys(value), ['$ref'], schema);
  });
  const { AdCost, Collection, ConversionIdentifier, NextPageToken } = older.components.schemas;
  assert.ok(AdCost);
  assert.deepEqual(NextPageToken, {
    type: 'string',
    description: 'null when there is no further page',
    nullable: true,
    example: null,
  });
  assert.deepEqual(Collection.properties.description, { type: 'string', nullable: true, example: 'trail-shoes' });
  // Generators have no type for members beside names of a pattern, such as `alt@de`.
  const { StoredFile, ListedFile } = document.components.schemas;
  assert.deepEqual(
    [StoredFile.additionalProperties, ListedFile.allOf[0].$ref],
    [true, '#/components/schemas/StoredFile'],
  );
  const choices = [{ type: 'string' }, { type: 'number' }, { type: 'string', nullable: true, enum: [null] }];
  assert.deepEqual(ConversionIdentifier.anyOf, choices);
});

test('tools that read the document know where the service is, and how to send a token', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  const { body: older } = await service.call('GET /openapi-3.0.json');
  const url = 'http://headwater.test';
  for (const { servers, info } of [document, older]) {
    assert.deepEqual(servers, [{ url }]);
    const lines: string[] = info.description.match(/^curl .*/gm);
    assert.ok(lines.length >= 4);
    for (const line of lines) assert.match(line, /^curl "?http:\/\/headwater\.test\/v1\//);
  }
  const { securitySchemes } = document.components;
  assert.deepEqual(document.security.slice(0, 2), [{ bearer: [] }, { token: [] }]);
  assert.deepEqual([securitySchemes.bearer.type, securitySchemes.bearer.scheme], ['http', 'bearer']);
  assert.match(securitySchemes.token.description, /^`Bearer <token>`/);
  const { token } = await service.newAccount();
  for (const name of ['authorization', 'x-api-key']) {
    const { status } = await service.call('GET /v1/account', { headers: { [name]: `Bearer ${token}` } });
    assert.equal(status, 200, name);
  }
});

test('operations name the error codes of their own, and those of most operations are named once', async () => {
  const { paths, components } = (await service.call('GET /openapi.json')).body;
  const codes: Record<string, string[]> = {};
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods as object))) {
    codes[operation.operationId] = operation['x-error-codes'] ?? [];
  }
  const known = {
    updateEntry: 'version_conflict',
    listEntries: 'query_too_expensive',
    runSql: 'sql_not_read_only',
    testWebhook: 'webhook_disabled',
    reportConversion: 'identifier_missing',
    signIn: 'two_factor_required',
    cancelJob: 'job_finished',
  };
  for (const [id, code] of Object.entries(known)) assert.ok(codes[id]?.includes(code), `${id}: ${codes[id]}`);
  const common = components.responses.BadRequest['x-error-codes'];
  assert.ok(common.includes('required'));
  assert.deepEqual(
    Object.values(codes)
      .flat()
      .filter((code) => common.includes(code)),
    [],
  );
  assert.ok(!codes.listCollections?.includes('version_conflict'));
});

test('responses are described with their headers, 304 where it is sent, and every type of a body', async () => {
  const { paths, components } = (await service.call('GET /openapi.json')).body;
  for (const { method, url, schema } of service.app.knownRoutes) {
    if (schema?.['x-etag'] === undefined || method === 'HEAD') continue;
    const { responses } = paths[url.replaceAll(/:(\w+)/g, '{$1}')][String(method).toLowerCase()];
    const { $ref = '' } = responses['200'];
    const { headers } = components.responses[$ref.split('/').at(-1)] ?? responses['200'];
    assert.deepEqual(headers, { ETag: { $ref: '#/components/headers/ETag' } }, url);
    assert.equal('304' in responses, schema['x-etag'] === 'conditional', url);
  }
  const { TooManyRequests, Unauthorized, MethodNotAllowed } = components.responses;
  const limited = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'x-request-id'];
  assert.deepEqual(Object.keys(TooManyRequests.headers).sort(), limited);
  assert.deepEqual(Object.keys(Unauthorized.headers), ['x-request-id', 'WWW-Authenticate']);
  assert.deepEqual(Object.keys(MethodNotAllowed.headers), ['x-request-id', 'Allow']);
  const [json, plain, form] = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'];
  const account = await service.newAccount();
  for (const [path, types] of [
    ['/v1/visits', [json, plain, form]],
    ['/v1/events', [json, plain, form]],
    ['/v1/batch', [json, plain]],
    ['/v1/analytics/report-conversion', [json, form]],
  ] as const) {
    assert.deepEqual(Object.keys(paths[path].post.requestBody.content), types, path);
    for (const type of types) {
      const headers = { 'content-type': type, 'x-api-key': `Bearer ${account.token}` };
      const payload = type === form ? 'event=x' : '{}';
      const { code } = (await service.app.inject({ method: 'POST', url: path, headers, payload })).json();
      assert.notEqual(code, 'content_type_unsupported', `${path} ${type}`);
    }
  }
});

test('no object schema without a name is described twice', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  const counts = new Map<string, number>();
  const named = new Set<unknown>(Object.values(document.components.schemas));
  for (const section of [document.paths, document.webhooks, document.components]) {
    eachObject(section, (value) => {
      if (named.has(value) || (value.type !== 'object' && !('properties' in value))) return;
      const text = JSON.stringify(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    });
  }
  const repeated = [...counts].filter(([text, count]) => count > 1 && text.length > MAX_UNNAMED_LENGTH);
  assert.deepEqual(repeated, [], 'give these schemas a title');
});

test('no response of several operations is described twice', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  const responses = Object.values(document.paths as Record<string, Record<string, Operation>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => Object.values(operation.responses))
    .map((response) => JSON.stringify(response))
    .filter((text) => text.includes('"schema":{"$ref"'));
  assert.equal(new Set(responses).size, responses.length);
});

test('every operation is described, by more than its summary', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  for (const methods of Object.values(document.paths as Record<string, Record<string, Operation>>)) {
    for (const { operationId, summary, description } of Object.values(methods)) {
      assert.ok(description, operationId);
      assert.ok(!description.startsWith(summary), operationId);
    }
  }
});

test('what only the generator of the SDK reads is not served', async () => {
  for (const path of ['/openapi.json', '/openapi-3.0.json']) {
    assert.doesNotMatch((await service.app.inject(path)).body, /"x-(?:sdk|list)/);
  }
});

test('no parameter of several operations is described twice', async () => {
  const { body: document } = await service.call('GET /openapi.json');
  const counts = new Map<string, number>();
  const items = [document.paths, document.webhooks].flatMap((each: object) => Object.values(each));
  for (const operation of items.flatMap((methods) => Object.values(methods))) {
    for (const parameter of (operation as Operation).parameters ?? []) {
      if (!parameter.$ref) counts.set(JSON.stringify(parameter), (counts.get(JSON.stringify(parameter)) ?? 0) + 1);
    }
  }
  const names = new Set([...counts].filter(([, count]) => count > 1).map(([text]) => JSON.parse(text).name));
  const components = Object.values(document.components.parameters as Record<string, { name: string }>);
  const others = [...names].filter((name) => !components.some((each) => each.name === name));
  assert.deepEqual(others, [], 'only another parameter of the same name may have the component');
});

test('two different schemas with the same title are an error', () => {
  const answer = (type: string) => ({ content: { 'application/json': { schema: { type, title: 'Same' } } } });
  const paths = { '/a': { get: { operationId: 'a', responses: { 200: answer('string') } } } };
  assert.doesNotThrow(() => extractComponents({ paths: { ...paths, '/b': paths['/a'] } }));
  const other = { get: { operationId: 'b', responses: { 200: answer('number') } } };
  assert.throws(
    () => extractComponents({ paths: { ...paths, '/b': other } }),
    /two different components are called Same/,
  );
});

test('generated clients have no type that hides one of the browser or clashes with that of an operation', async () => {
  const { paths, components } = (await service.call('GET /openapi.json')).body;
  const names = Object.keys(components.schemas);
  const browser = [
    'Blob',
    'Cell',
    'Comment',
    'Event',
    'File',
    'Locale',
    'Option',
    'Preview',
    'Request',
    'Response',
    'Text',
  ];
  assert.deepEqual(
    names.filter((name) => browser.includes(name)),
    [],
  );
  const operations = Object.values(paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: id = '' }) => ['Data', 'Error', 'Errors', 'Response', 'Responses'].map((end) => id + end));
  const taken = new Set(operations.map((name) => name.toLowerCase()));
  assert.deepEqual(
    names.filter((name) => taken.has(name.toLowerCase())),
    [],
  );
});

test('no member of a schema has a default, which generated types would require', async () => {
  const { body } = await service.call('GET /openapi.json');
  const found: string[] = [];
  eachObject(body, ({ properties = {}, required = [] }) => {
    for (const [name, member] of Object.entries(properties as object)) {
      if (member && typeof member === 'object' && 'default' in member && !(required as string[]).includes(name))
        found.push(name);
    }
  });
  assert.deepEqual(found, []);
  const { ConversionItem, FunnelDefinition, SqlRequest } = body.components.schemas;
  assert.equal(ConversionItem.properties.event.description, 'Name of the event; by default `conversion`');
  assert.match(FunnelDefinition.properties.windowMinutes.description, /must happen; by default `10080`$/);
  assert.equal(SqlRequest.properties.format.description, 'By default `ndjson`');
  // What a change does not have stays as it is.
  const { CreateExperimentRequest, UpdateExperimentRequest } = body.components.schemas;
  assert.match(CreateExperimentRequest.properties.window.description, /; by default `14d`$/);
  assert.doesNotMatch(UpdateExperimentRequest.properties.window.description, /default/);
});

test('every enum of the document says its type', async () => {
  const { body } = await service.call('GET /openapi.json');
  const untyped: unknown[] = [];
  JSON.stringify(body, (_, value) => {
    if (Array.isArray(value?.enum) && value.type === undefined) untyped.push(value);
    return value;
  });
  assert.deepEqual(untyped, []);
});

test('GET /openapi.json is compressed, revalidated, and read by pages of other sites', async () => {
  const { headers, body } = await service.app.inject({ url: '/openapi.json' });
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.ok(body.length < 900_000, `${body.length} bytes`);
  const zipped = await service.app.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(zipped.rawPayload).toString(), body);
  assert.ok(zipped.rawPayload.length < body.length / 5);
  const known = await service.app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([known.statusCode, known.body], [304, '']);
});

test('GET /docs loads nothing from other hosts and contacts none', async () => {
  const page = await service.call('GET /docs');
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.doesNotMatch(page.body, /https?:|\/\//);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /https?:|\*/);
  for (const [, source] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.equal((await service.call(`GET /${source}`)).status, 200);
  }
  const zipped = await service.app.inject({ url: '/docs/reference.js', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.ok(zipped.rawPayload.length < 2_000_000);
  assert.match(gunzipSync(zipped.rawPayload).toString(), /createApiReference/);
});

test('GET /v1/limits returns the configured limits', async () => {
  const account = await service.newAccount();
  const { body } = await service.call('GET /v1/limits', { as: account });
  const { limits, files, entryVersions } = service.config;
  const configured = { ...limits, pageSize: 100, imageSizes: files.variantSizes, entryVersions, rates: null };
  assert.deepEqual({ ...body, ...configured }, body);
  const modules = ['content', 'conversions', 'destinations', 'exports', 'files', 'tracking', 'users', 'webhooks'];
  for (const name of modules) assert.ok(Object.keys(body[name] ?? {}).length > 0, name);
});

function eachObject(value: unknown, visit: (value: Record<string, unknown>) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const member of Object.values(value)) eachObject(member, visit);
}

test('the API reference opens on a guide, and its sections have an order that ends with the service itself', async () => {
  const service = await testService();
  const { info, tags, paths } = (await service.call('GET /openapi.json')).body;
  assert.match(info.description, /## Get started/);
  const used = new Set(
    Object.values(paths as Record<string, Record<string, { tags?: string[] }>>).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation.tags ?? []),
    ),
  );
  const ordered = tags.map(({ name }: { name: string }) => name);
  assert.deepEqual([...used].sort(), [...ordered].sort());
  assert.equal(ordered.at(-1), 'Service');
  for (const { name, description } of tags) assert.ok(description, `${name} has no description`);
});
