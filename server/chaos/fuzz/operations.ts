import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzedRoute } from '../../test/arbitrary-request.ts';

type Json = Record<string, unknown>;

/** An operation of `openapi.json`, with its schemas resolved. */
export interface Operation extends FuzzedRoute {
  /** `POST /v1/events` */
  name: string;
  method: string;
  statuses: ReadonlySet<number>;
  /** The schema of a success. */
  success: Json | undefined;
}

const FILE = join(import.meta.dirname, '../../../openapi.json');

export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as Json & { security: Json[] };
  // A schema within itself is any value there.
  const resolve = (value: unknown, within: readonly string[] = []): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, within));
    if (value === null || typeof value !== 'object') return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref !== 'string') {
      return merged(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, within)])));
    }
    if (within.includes($ref)) return {};
    const path = $ref.slice(2).split('/');
    const named = path.reduce<unknown>((node, name) => (node as Json)[name], document);
    return resolve(named, [...within, $ref]);
  };
  return Object.entries(resolve(document.paths) as Record<string, Record<string, Described>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        operationOf(path, method.toUpperCase(), described, document.security),
      ),
  );
}

/** One schema with the members of those that it extends. */
function merged({ allOf, ...own }: Json): Json {
  if (!Array.isArray(allOf)) return own;
  return {
    ...own,
    type: 'object',
    properties: Object.assign({}, ...allOf.map((each) => each.properties)),
    required: allOf.flatMap((each) => each.required ?? []),
  };
}

interface Described {
  parameters?: { in: string; name: string; required?: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
  security?: Json[];
}

function operationOf(path: string, method: string, described: Described, common: Json[]): Operation {
  const { parameters = [], requestBody, responses, security = common } = described;
  const url = path.replace(/\{(\w+)\}/g, ':$1');
  const inQuery = parameters.filter((each) => each.in === 'query');
  const querystring = {
    type: 'object',
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
  };
  const body = requestBody?.content['application/json']?.schema;
  const streams = requestBody?.content['multipart/form-data'] !== undefined;
  return {
    name: `${method} ${url}`,
    method,
    url,
    config: { access: accessOf(url, security), ...(streams && { streams }) },
    schema: { querystring, ...(body && { body }) },
    statuses: new Set(Object.keys(responses).map(Number)),
    success: responses['200']?.content?.['application/json']?.schema,
  };
}

/** What records visits and events has its key in the body. */
const INGEST = ['/v1/visits', '/v1/events', '/v1/batch'];

function accessOf(url: string, security: Json[]): NonNullable<NonNullable<FuzzedRoute['config']>['access']> {
  if (INGEST.includes(url)) return 'ingest';
  const schemes = new Set(security.flatMap((each) => Object.keys(each)));
  if (schemes.has('postbackKey')) return 'postback';
  if (schemes.has('publishableKey')) return 'publishable';
  if (schemes.has('token')) return 'secret';
  return schemes.has('session') ? 'member' : 'page';
}
