import type { RouteOptions } from 'fastify';
import { API_GUIDE, API_SECTIONS } from './api-guide.ts';
import { MAX_KEY_LENGTH } from './idempotency.ts';
import { withInheritance } from './openapi-inheritance.ts';
import { isOptional } from './optional-body.ts';
import { Problem } from './problem.ts';
import { ETAG, NOT_MODIFIED, RESPONSE_HEADERS, withHeaders } from './response-headers.ts';
import type { App } from './server.ts';

type Json = Record<string, unknown>;

const BASE = {
  openapi: '3.1.0',
  info: {
    title: 'Headwater',
    version: '1',
    description: API_GUIDE,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  // Of every operation that says nothing else. Tools take the first, for which users need to enter a token only.
  security: [{ bearer: [] }, { token: [] }, { session: [], account: [] }] as Record<string, string[]>[],
  tags: Object.entries(API_SECTIONS).map(([name, description]) => ({ name, description })),
  components: {
    securitySchemes: {
      bearer: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'A secret API token; where publishable keys may be used, also one of those',
      },
      token: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-api-key',
        description: '`Bearer <token>`, with a secret API token',
      },
      publishableKey: {
        type: 'apiKey' as const,
        in: 'query' as const,
        name: 'key',
        description: 'A publishable key. It may appear in page source.',
      },
      publishableHeader: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-api-key',
        description: '`Bearer <key>`, with a publishable key; servers may send a secret API token',
      },
      session: {
        type: 'apiKey' as const,
        in: 'cookie' as const,
        name: 'headwater',
        description: 'The session of a dashboard user; the cookie is called `__Host-headwater` over HTTPS',
      },
      account: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-headwater-account',
        description: 'The account of the request, required with a session',
      },
      sharedLink: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-shared-link',
        description: 'The token of a shared link: the part of its URL after `#`',
      },
      sharedAccess: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-shared-access',
        description: 'What `unlockSharedReport` returned, for a shared link with a password',
      },
      uploadToken: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'An upload token, which `createUploadToken` returns',
      },
      postbackKey: { type: 'apiKey' as const, in: 'query' as const, name: 'key', description: 'A postback key' },
    },
  },
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document, generated when it is first requested. */
    openapi(): Promise<Json>;
  }
  interface FastifySchema {
    /** The operation supports `Idempotency-Key`, and its description says so. */
    'x-idempotency-key'?: true;
    /** The response has an `ETag`; `conditional`: `If-None-Match` with it is 304. */
    'x-etag'?: 'version' | 'conditional';
  }
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'A repeated request with the same key returns the first response and has no effect; keys expire after 24 h',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
};

/** Component names of the error responses that every operation lists, and of what every webhook may get. */
const RESPONSES: Record<string, string> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  500: 'InternalError',
  '2XX': 'WebhookReceived',
  410: 'WebhookGone',
  default: 'WebhookNotReceived',
};

/**
 * Describes the routes registered after this call in `app.openapi()`.
 * @param webhooks path items of the webhooks, by name
 */
export function describeApi(app: App, webhooks: Record<string, object> = {}): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route);
  });
  let document: Promise<Json> | undefined;
  app.decorate('openapi', () => {
    document ??= generate(routes, webhooks);
    return document;
  });
}

/** Has another server, which serves nothing, describe the routes: most processes never load the generator and its 90 modules. */
async function generate(routes: readonly RouteOptions[], webhooks: Record<string, object>): Promise<Json> {
  const [{ default: fastify }, { default: swagger }, { default: examples }, { default: errorCodes }] =
    await Promise.all([
      import('fastify'),
      import('@fastify/swagger'),
      import('./examples.json', { with: { type: 'json' } }),
      import('./error-codes.json', { with: { type: 'json' } }),
    ]);
  const describer = fastify({ exposeHeadRoutes: false });
  describer.setValidatorCompiler(() => () => true);
  describer.setSerializerCompiler(() => JSON.stringify);
  describer.addSchema(Problem);
  await describer.register(swagger, {
    openapi: { ...BASE, webhooks } as typeof BASE,
    transform: ({ schema, url, route }) => {
      const { access = '' } = (route.config ?? {}) as { access?: string };
      const allowsSession = access === 'secret' || access === 'postback';
      const security = [
        ...(access === 'secret' || access === 'postback' ? [{ bearer: [] }] : []),
        ...(schema.security ?? []),
        ...(access === 'publishable' ? [{ bearer: [] }] : []),
        ...(allowsSession ? [{ session: [], account: [] }] : []),
      ];
      const querystring = withDeepObjects(schema.querystring as Json | undefined);
      return {
        schema: { ...schema, ...(querystring && { querystring }), ...(schema.security && { security }) },
        url,
      };
    },
    refResolver: {
      buildLocalReference: (json: { $id?: unknown }, _base: unknown, _fragment: unknown, i: number) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
    transformObject: (document) =>
      ('openapiObject' in document
        ? extractComponents(document.openapiObject as Json, { ...examples, errorCodes })
        : document.swaggerObject) as never,
  });
  for (const { method, url, schema, config } of routes) {
    describer.route({ method, url, schema, config, handler: () => {} } as RouteOptions);
  }
  await describer.ready();
  return describer.swagger() as Json;
}

/**
 * Moves schemas, parameters and responses into named components: schemas by their title, bodies without a title by their operation,
 * parameters and responses of several operations by their name or schema, and errors by their status. Schemas with all members of another are
 * described by what they add.
 * @throws if two different schemas have the same title
 */
export function extractComponents(document: Json, recorded: Recorded = NOTHING): Json {
  const components = { ...(document.components as Record<string, Json>) };
  const schemas: Json = {};
  const responses: Json = {};

  const extract = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extract);
    if (value === null || typeof value !== 'object') return value;
    if ('x-component' in value) return { $ref: `#/components/schemas/${value['x-component']}` };
    const members = Object.entries(withoutDefaults(withAnyNames(value as Json))).filter(
      ([name]) => !INTERNAL.has(name),
    );
    const inner = withTypes(
      Object.fromEntries(members.map(([name, member]) => [name, name === 'example' ? member : extract(member)])),
    );
    return isSchema(inner) && typeof inner.title === 'string' ? named(schemas, 'schemas', inner.title, inner) : inner;
  };

  const operation = (method: string, { 'x-idempotency-key': takesKey, 'x-etag': etag, ...rest }: Json): Json => {
    const id = String(rest.operationId);
    const example = recorded.operations[id] ?? {};
    const codes = recorded.errorCodes.operations[id];
    const parameters = [
      ...((rest.parameters as Json[] | undefined) ?? []).map((each) => withExample(asSent(each), example)),
      ...(takesKey ? [IDEMPOTENCY_KEY] : []),
    ];
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    const addTitle = (content: unknown, suffix: string) => {
      for (const { schema } of Object.values((content ?? {}) as Record<string, { schema?: Json }>)) {
        if (schema?.type === 'object') schema.title ??= name + suffix;
      }
    };
    const { requestBody, responses: declared = {} } = rest as { requestBody?: Json; responses?: Json };
    const json = (requestBody?.content as Record<string, { schema?: unknown; example?: unknown }>)?.[
      'application/json'
    ];
    if (requestBody !== undefined && method === 'post' && isOptional(json?.schema)) requestBody.required = false;
    if (json !== undefined && 'body' in example) json.example = example.body;
    if (json !== undefined && method === 'patch') json.schema = asChange(json.schema as Json);
    addTitle(requestBody?.content, 'Request');
    addTitle((declared['200'] as Json | undefined)?.content, 'Result');
    const { security = [], ...others } = rest;
    return {
      ...(extract({ ...others, ...(parameters.length > 0 && { parameters }), responses: {} }) as Json),
      ...(JSON.stringify(security) !== JSON.stringify(BASE.security) && { security }),
      ...(codes && { 'x-error-codes': codes }),
      responses: byStatus({
        ...(etag ? { ...declared, 200: { ...(declared['200'] as Json), headers: ETAG } } : declared),
        ...(etag === 'conditional' && { 304: NOT_MODIFIED }),
      }),
    };
  };

  const byStatus = (declared: Json): Json =>
    mapValues(declared, (response, status) => {
      const component = RESPONSES[status];
      const extracted = extract(response) as Json;
      if (extracted.description === 'Default Response') extracted.description = 'OK';
      if (component === undefined) return extracted;
      const described = status < '4' ? extracted : withHeaders(status, extracted);
      const { common } = recorded.errorCodes;
      return named(responses, 'responses', component, {
        ...described,
        ...(status === '400' && { 'x-error-codes': common }),
      });
    });

  const eachOperation = (items: unknown, describe: (described: Json, method: string) => Json) =>
    mapValues((items ?? {}) as Record<string, Record<string, Json>>, (methods) => mapValues(methods, describe));
  const paths = eachOperation(document.paths, (described, method) => operation(method, described));
  const webhooks = eachOperation(document.webhooks, ({ responses: declared, ...rest }) => ({
    ...(extract(rest) as Json),
    responses: byStatus(declared as Json),
  }));
  const operations = [paths, webhooks].flatMap((items) => Object.values(items).flatMap((each) => Object.values(each)));
  const parameters = extractParameters(operations);
  extractResponses(operations, responses);
  const registered = Object.entries(components.schemas ?? {}).map(([name, schema]) => {
    const { $id: _, title: __, ...rest } = schema as Json;
    return [name, rest];
  });
  const untitled = mapValues(schemas as Record<string, Json>, ({ title: _, ...rest }) => rest);
  const described = sorted({ ...Object.fromEntries(registered), ...untitled }) as Record<string, Json>;
  components.schemas = withInheritance(described, described);
  addExamples(components.schemas, recorded.schemas);
  if (Object.keys(parameters).length > 0) components.parameters = sorted(parameters);
  components.responses = sorted(responses);
  components.headers = RESPONSE_HEADERS;
  return { ...document, ...withInheritance({ paths, webhooks }, described), components };
}

interface Recorded {
  /** Examples of requests, by operation. */
  operations: Record<string, { parameters?: Json; body?: unknown }>;
  /** Examples of the members of responses, by component and JSON Pointer. */
  schemas: Record<string, Json>;
  errorCodes: { common: string[]; operations: Record<string, string[]> };
}

const NOTHING: Recorded = { operations: {}, schemas: {}, errorCodes: { common: [], operations: {} } };

function withExample(parameter: Json, { parameters = {} }: { parameters?: Json }): Json {
  const { name, content } = parameter as { name: string; content?: Record<string, Json> };
  if (!(name in parameters)) return parameter;
  const example = parameters[name];
  if (content === undefined) return { ...parameter, example };
  return { ...parameter, content: mapValues(content, (each) => ({ ...each, example })) };
}

/** Adds the examples of members, of which tools compose those of responses. */
function addExamples(schemas: Json, examples: Recorded['schemas']): void {
  for (const [name, members] of Object.entries(examples)) {
    for (const [pointer, example] of Object.entries(members)) {
      const path = pointer.split('/').slice(1);
      const schema = path.reduce<Json | undefined>((at, part) => at?.[part] as Json | undefined, schemas[name] as Json);
      // Fewer tools read `examples`.
      if (schema) schema.example = example;
    }
  }
}

/** Replaces parameters of several operations by references. */
function extractParameters(operations: Json[]): Json {
  const lists = operations.map((each) => (each.parameters ?? []) as Json[]);
  const nameOf = ({ name }: Json) => (String(name).match(/[A-Za-z0-9]+/g) ?? []).map(capitalized).join('');
  const components: Json = {};
  const references = extractRepeated('parameters', components, operations, lists, nameOf);
  operations.forEach((operation, i) => {
    const shared = lists[i]?.map((each) => references.get(JSON.stringify(each)) ?? each);
    if (shared?.length) operation.parameters = shared;
  });
  return components;
}

/** Replaces successes of several operations by references, where they are named schemas. */
function extractResponses(operations: Json[], components: Json): void {
  const all = operations.map((each) => each.responses as Record<string, Json>);
  const nameOf = (response: Json) => {
    const { schema } = (response.content as Record<string, { schema?: Json }> | undefined)?.['application/json'] ?? {};
    return typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  };
  const lists = all.map(({ 200: success }) => (success && nameOf(success) ? [success] : []));
  const references = extractRepeated('responses', components, operations, lists, (each) => nameOf(each) ?? '');
  for (const responses of all) {
    const reference = references.get(JSON.stringify(responses['200']));
    if (reference) responses['200'] = reference;
  }
}

/** References by the text of what several operations have. Of different ones with the same name, all but the most frequent are named after their first operation. */
function extractRepeated(
  kind: string,
  components: Json,
  operations: Json[],
  lists: Json[][],
  nameOf: (value: Json) => string,
): Map<string, Json> {
  const counts = new Map<string, number>();
  for (const text of lists.flat().map((each) => JSON.stringify(each))) counts.set(text, (counts.get(text) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
  const references = new Map<string, Json>();
  for (const [text] of repeated) {
    const first = lists.findIndex((list) => list.some((each) => JSON.stringify(each) === text));
    const name = nameOf(JSON.parse(text));
    const unique = name in components ? capitalized(String(operations[first]?.operationId)) + name : name;
    references.set(text, named(components, kind, unique, JSON.parse(text)));
  }
  return references;
}

/** Keywords that only the service reads. */
const INTERNAL = new Set(['x-list', 'x-texts', 'x-json', 'x-deep-object']);

/** Adds the objects whose members are query parameters, such as `filter[price][gte]`. */
function withDeepObjects(querystring: Json | undefined): Json | undefined {
  const { properties, 'x-deep-objects': objects = {} } = querystring ?? {};
  const deep = mapValues(objects as Record<string, Json>, (schema) => ({ ...schema, 'x-deep-object': true }));
  return querystring && { ...querystring, properties: { ...(properties as Json), ...deep } };
}

/** Describes how a parameter is sent: a list (`list-parameters.ts`), an object, or JSON. */
function asSent({ required, ...optional }: Json): Json {
  const parameter = required === true ? { ...optional, required } : optional;
  const { schema: sent = {}, ...rest } = parameter as { schema?: { anyOf?: Json[] } & Json };
  const { 'x-list': items, 'x-json': json, 'x-deep-object': isDeep, anyOf = [], title } = sent;
  if (isDeep) return { ...parameter, style: 'deepObject', explode: true };
  if (json !== undefined) return { ...rest, content: { 'application/json': { schema: json } } };
  if (items === undefined) return parameter;
  const list = anyOf.find(({ type }) => type === 'array') ?? { type: 'array', items };
  return { ...parameter, style: 'form', explode: true, schema: { ...(title !== undefined && { title }), ...list } };
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Adds a component, and returns a reference to it. */
function named(components: Json, kind: string, name: string, value: unknown): { $ref: string } {
  if (name in components && JSON.stringify(components[name]) !== JSON.stringify(value)) {
    throw new Error(`OpenAPI: two different components are called ${name}`);
  }
  components[name] = value;
  return { $ref: `#/components/${kind}/${name}` };
}

/** Generators of clients want the type of an enum said, though its values say it. Of a value or null, tools find the example beside its types. */
function withTypes(schema: Json): Json {
  const { anyOf, ...around } = schema;
  const [value = {}, nothing, ...more]: Json[] = Array.isArray(anyOf) ? anyOf : [];
  const isPlain =
    typeof value.type === 'string' && !Object.keys(value).some((name) => name in around || name === 'enum');
  if (nothing?.type === 'null' && more.length === 0 && isPlain && !('const' in value)) {
    return { ...value, ...around, type: [value.type, 'null'] };
  }
  if (!Array.isArray(schema.enum) || 'type' in schema) return schema;
  const types = [...new Set(schema.enum.map((each) => (each === null ? 'null' : typeof each)))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

/** Beside members, names of a pattern are described as any names: TypeScript has no type of both, and generators write one that does not compile. */
function withAnyNames(schema: Json): Json {
  const { properties, additionalProperties } = schema;
  return properties !== undefined && typeof additionalProperties === 'object'
    ? { ...schema, additionalProperties: true }
    : schema;
}

/** Defaults of members are told in words: generated types would require a member that has one. */
function withoutDefaults(schema: Json): Json {
  const { type, properties, required = [] } = schema;
  if (type !== 'object' || properties === undefined) return schema;
  const tell = (member: Json, name: string): Json => {
    if (!('default' in member) || (required as string[]).includes(name)) return member;
    const { default: value, description = '', ...rest } = member as { default: unknown; description?: string };
    const words = `by default \`${value}\``;
    if (/\bdefault/i.test(description)) return { ...rest, description };
    if (description === '') return { ...rest, description: capitalized(words) };
    return { ...rest, description: `${description.replace(/\.$/, '')}; ${words}` };
  };
  return { ...schema, properties: mapValues(properties as Record<string, Json>, tell) };
}

/** Members that a change does not have stay as they are. */
const asChange = (schema: Json): Json =>
  schema.properties === undefined
    ? schema
    : {
        ...schema,
        properties: mapValues(schema.properties as Record<string, Json>, ({ default: _, ...member }) => member),
      };

function isSchema(value: Json): boolean {
  return (
    'type' in value ||
    'description' in value ||
    'anyOf' in value ||
    'oneOf' in value ||
    'allOf' in value ||
    'enum' in value
  );
}

const mapValues = <Value, Result>(
  record: Record<string, Value>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

const sorted = (value: Json): Json => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
