import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import { FIELDS, type Furnished } from './furnished-account.ts';
import { type GoodRequest, pathOf } from './route-table.ts';
import { dashboardHeaders } from './users.ts';

/** Requests of every kind for a route, made from its schemas: good ones, nearly good ones, and anything else. */
export interface AnyRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: Buffer | undefined;
}

/** The schemas of a route, from `openapi.json` or from the route itself. */
export type FuzzedRoute = Pick<RouteOptions, 'url' | 'schema' | 'config'>;

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** Texts that PostgreSQL, Date, Number or regular expressions read differently than JSON. */
const NASTY_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufffe',
  '𝒳\u202e\u200b',
  '__proto__',
  'constructor',
  "'; drop table accounts; --",
  '%',
  '\\',
  '{}',
  'null',
  'NaN',
  '1e400',
  '-0',
  '9'.repeat(400),
  '0x10',
  '١٢',
  '2024-02-30',
  '2024-02-29',
  '0000-01-01',
  '9999-12-31T23:59:60+14:00',
  '+275760-09-13T00:00:00Z',
  '2024-01-01T00:00:00.123456789Z',
  'http://',
  'https://a.example/?gclid=%ff&GCLID=x&gclid=y&wbraid',
  'javascript:alert(1)',
  'a@b.example',
  'x'.repeat(300),
  'é'.repeat(5_000),
  'a'.repeat(40_000),
];

const NASTY_NUMBERS = [0, -0, 1, -1, 0.1, 1e-9, 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1.5];

export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);

const anyNumber = fc.oneof(fc.constantFrom(...NASTY_NUMBERS), fc.double({ noNaN: true }), fc.integer());

/** Any JSON; object keys include those with a meaning in the API. */
function anyJson(keys: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)) },
      { weight: 1, arbitrary: fc.array(tie('tree'), { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.dictionary(fc.oneof(keys, anyText), tie('tree'), { maxKeys: 4 }) },
    ),
  }));
  return tree;
}

/**
 * Requests for a route. Ids and hashes are often those of `of`, so that they exist.
 * @param good a request that is known to succeed, which is then varied as well
 */
export function requestFor(
  route: FuzzedRoute,
  method: string,
  as: Furnished,
  of: Furnished,
  good?: GoodRequest,
): fc.Arbitrary<AnyRequest> {
  const known = knownTexts(of);
  const keys = fc.constantFrom(...FIELDS, ...Object.keys(KNOWN_NAMES(of)), 'email', 'value', 'event', 'type', 'label');
  const json = anyJson(keys);
  const schemas = (route.schema ?? {}) as { body?: Schema; querystring?: Schema; params?: Schema };

  const queries = query(schemas.querystring, known, of);
  const madeUp = fc
    .array(fc.oneof({ weight: 5, arbitrary: known }, anyText), { minLength: 6, maxLength: 6 })
    .map((parts) =>
      route.url
        .split('/')
        .map((part) => (/^[:*]/.test(part) ? inUrl(named(part.slice(1), of) ?? parts.pop() ?? '') : part))
        .join('/'),
    );
  const paths = good ? fc.oneof({ weight: 3, arbitrary: fc.constant(pathOf(route.url, good)) }, madeUp) : madeUp;
  const url = fc.tuple(paths, fc.oneof(fc.constant(''), queries)).map(([path, text]) => {
    const separator = text === '' ? '' : path.includes('?') ? '&' : '?';
    return path + separator + text;
  });

  const fitting = schemas.body ? fromSchema(schemas.body, json, known, of) : json;
  const isJson = good?.body !== undefined && !Buffer.isBuffer(good.body);
  const structured = isJson ? fc.oneof(fc.constant(good.body), fitting) : fitting;
  const body = fc.oneof(
    { weight: 4, arbitrary: structured },
    {
      weight: 5,
      arbitrary: fc.tuple(structured, json, fc.nat()).map(([value, other, at]) => mutate(value, other, at)),
    },
    { weight: 1, arbitrary: json },
  );
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  const content = !hasBody
    ? fc.constant({ payload: undefined, type: {} as Record<string, string> })
    : fc.oneof(
        {
          weight: 12,
          arbitrary: body.map((value) => ({ payload: asJson(withKey(route, value, as)), type: JSON_TYPE })),
        },
        {
          weight: 1,
          arbitrary: fc.uint8Array({ maxLength: 60 }).map((b) => ({ payload: Buffer.from(b), type: JSON_TYPE })),
        },
        { weight: route.config?.streams ? 12 : 1, arbitrary: multipart() },
        { weight: Buffer.isBuffer(good?.body) ? 6 : 0, arbitrary: fc.constant(asSent(good)) },
        { weight: 1, arbitrary: fc.constant({ payload: undefined, type: {} as Record<string, string> }) },
      );
  const extra = fc.oneof(
    { weight: 6, arbitrary: fc.constant({} as Record<string, string>) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('k', 'x'.repeat(255), 'x'.repeat(256)).map((key) => ({ 'idempotency-key': key })),
    },
    { weight: 1, arbitrary: fc.constantFrom('bytes=0-', 'bytes=9-1', 'bytes=-', 'x').map((range) => ({ range })) },
    { weight: 1, arbitrary: fc.constant({ 'content-type': 'text/plain' }) },
    { weight: 1, arbitrary: fc.constant({ origin: 'https://shop.example', accept: 'application/problem+json' }) },
  );
  return fc.tuple(url, content, extra).map(([address, { payload, type }, more]) => ({
    method,
    url: address,
    headers: { ...credentials(route, as), ...type, ...more },
    payload,
  }));
}

function credentials({ config }: FuzzedRoute, as: Furnished): Record<string, string> {
  const isByKey = ['secret', 'postback', 'ingest', 'publishable', 'open'].includes(config?.access ?? 'open');
  return isByKey ? { 'x-api-key': `Bearer ${as.token}` } : dashboardHeaders(as.owner);
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Members that name resources of an account. */
const KNOWN_NAMES = (of: Furnished): Record<string, string | number> => ({
  collectionId: of.collectionId,
  entryId: of.entryId,
  assetId: of.assetId,
  id: of.jobId,
  fieldId: 'title',
  displayFieldId: 'title',
  sessionId: of.sessionId,
  sessionHash: of.sessionHash,
  hash: of.sessionHash,
  shortSessionHash: of.shortSessionHash,
  visitorId: of.visitorId,
  gclid: of.gclid,
  eventId: of.conversionEventId,
  event_id: of.clientEventId,
  pageToken: of.pageToken,
  email: of.email,
  userId: of.colleague.userId,
  keyId: of.keyId,
  invitationId: of.invitationId,
});

const knownTexts = (of: Furnished) =>
  fc.constantFrom(...Object.values(KNOWN_NAMES(of)).map(String), of.eventId, of.conversionId);

const named = (name: string, of: Furnished): string | undefined =>
  name in KNOWN_NAMES(of) ? String(KNOWN_NAMES(of)[name]) : undefined;

/** Adds the caller's key to the body of a route that reads it there. */
function withKey(route: FuzzedRoute, value: unknown, as: Furnished): unknown {
  if (route.config?.access !== 'ingest' || value === null || typeof value !== 'object' || Array.isArray(value))
    return value;
  return { ...value, api_key: as.apiKey };
}

/** The body of a good request that is not JSON. */
function asSent(good: GoodRequest | undefined) {
  return { payload: Buffer.isBuffer(good?.body) ? good.body : undefined, type: good?.headers ?? {} };
}

function asJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

/** Encodes any text for a URL. */
function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2e');
}

function query(schema: Schema | undefined, known: fc.Arbitrary<string>, of: Furnished): fc.Arbitrary<string> {
  const names = [
    ...Object.keys(schema?.properties ?? {}),
    ...['pageSize', 'key', 'q', 'sort', 'unknown'],
    ...FIELDS.flatMap((field) => ['eq', 'in', 'lt', 'contains', 'exists', 'x'].map((op) => `filter[${field}][${op}]`)),
    'filter',
    'filter[',
    'filter[title]',
    'filter[title][eq][x]',
  ];
  const value = fc.oneof(
    known,
    anyText,
    fc.constantFrom('1', '0', '-1', '101', 'true', 'title:asc', 'count:desc', 'a,b'),
  );
  const pair = fc.tuple(fc.constantFrom(...names), value, fc.boolean()).map(([name, text, own]) => {
    const mine = own ? named(name, of) : undefined;
    return `${name.replaceAll('[', '%5B').replaceAll(']', '%5D')}=${inUrl(mine ?? text)}`;
  });
  return fc.oneof(
    fc.constant(''),
    fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')),
    fc.constant('%ff=%&&=&a'),
  );
}

/** Values that mostly match a schema. Complex formats and patterns use known texts. */
function fromSchema(
  schema: Schema,
  json: fc.Arbitrary<unknown>,
  known: fc.Arbitrary<string>,
  of: Furnished,
): fc.Arbitrary<unknown> {
  const inner = (each: Schema) => fromSchema(each, json, known, of);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map(inner));
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })));
  switch (types[0]) {
    case 'object':
      return members(schema, inner, json, of);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = 3 } = schema;
      return fc.array(inner(items), { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 3)) });
    }
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 });
    case 'number':
      return fc.double({ noNaN: true, min: schema.minimum ?? -1e12, max: schema.maximum ?? 1e12 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return text(schema, known);
    default:
      return json;
  }
}

function members(
  schema: Schema,
  inner: (each: Schema) => fc.Arbitrary<unknown>,
  json: fc.Arbitrary<unknown>,
  of: Furnished,
) {
  const declared = Object.entries(schema.properties ?? {}).map(([name, each]) => {
    const own = KNOWN_NAMES(of)[name];
    return [name, own === undefined ? inner(each) : fc.oneof(fc.constant(own), inner(each))] as const;
  });
  const required = (schema.required ?? []).filter((name) => name in (schema.properties ?? {}));
  const named = fc.record(Object.fromEntries(declared), { requiredKeys: required });
  // An object without declared members: the values of an entry, or metadata.
  const free = fc.dictionary(fc.constantFrom(...FIELDS), json, { maxKeys: 4 });
  if (schema.additionalProperties === false) return named;
  return fc.tuple(named, free).map(([a, b]) => ({ ...b, ...a }));
}

function text(schema: Schema, known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const plain = fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 20, 20) });
  if (schema.pattern) return fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), known);
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.format?.includes('ur')) return fc.webUrl({ withQueryParameters: true });
  return fc.oneof(plain, known, anyText);
}

/** The value with one part replaced, chosen by `at`. */
function mutate(value: unknown, other: unknown, at: number): unknown {
  if (value === null || typeof value !== 'object') return other;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  if (name === undefined) return Array.isArray(value) ? [...value, other] : { ...value, unknown: other };
  const deeper = mutate((value as Record<string, unknown>)[name], other, Math.floor(at / (names.length + 1)));
  return Array.isArray(value) ? value.with(Number(name), deeper) : { ...value, [name]: deeper };
}

function multipart() {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .constantFrom(
        '\x89PNG\r\n\x1a\n',
        '\xff\xd8\xff\xe0',
        'GIF89a',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '',
        'RIFF',
      )
      .chain((magic) => fc.uint8Array({ maxLength: 100 }).map((rest) => [...Buffer.from(magic, 'latin1'), ...rest])),
  );
  const part = fc
    .tuple(fc.constantFrom('file', 'other', ''), anyText, content, fc.boolean())
    .map(([name, fileName, bytes, isFile]) =>
      Buffer.concat([
        Buffer.from(
          `--b\r\ncontent-disposition: form-data; name="${name}"${isFile ? `; filename="${fileName}"` : ''}\r\n\r\n`,
        ),
        Buffer.from(bytes as number[]),
        Buffer.from('\r\n'),
      ]),
    );
  return fc.tuple(fc.array(part, { maxLength: 3 }), fc.boolean()).map(([parts, isWhole]) => ({
    payload: Buffer.concat([...parts, Buffer.from(isWhole ? '--b--\r\n' : '')]),
    type: { 'content-type': 'multipart/form-data; boundary=b' } as Record<string, string>,
  }));
}
