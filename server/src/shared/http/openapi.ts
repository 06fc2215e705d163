import swagger from '@fastify/swagger';
import type { App } from './server.ts';

type Json = Record<string, unknown>;

const BASE = {
  openapi: '3.1.0',
  info: {
    title: 'Headwater',
    version: '1',
    description: 'Content, tracking, conversions, exports and files of one account, behind one API.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  components: {
    securitySchemes: {
      token: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-api-key',
        description: '`Bearer ` and a secret API token',
      },
      session: {
        type: 'apiKey' as const,
        in: 'cookie' as const,
        name: 'headwater',
        description: 'The session of a user of the dashboard; `__Host-headwater` by https',
      },
      account: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'x-headwater-account',
        description: 'With a session: the account that the request is for',
      },
      postbackKey: { type: 'apiKey' as const, in: 'query' as const, name: 'key', description: 'A postback key' },
    },
  },
};

declare module 'fastify' {
  interface FastifySchema {
    /** The operation heeds an `Idempotency-Key`; its description says so. */
    'x-idempotency-key'?: true;
  }
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description: 'The same key and request within 24 h is answered as the first was, and not carried out again',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Names of the answers that every operation lists, by their status. */
const RESPONSES: Record<string, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  500: 'InternalError',
};

/**
 * Makes the OpenAPI document out of the routes that are registered after this; `app.swagger()` has it.
 * @param webhooks what the service sends by itself: path items by their names
 */
export async function describeApi(app: App, webhooks: Record<string, object> = {}): Promise<void> {
  await app.register(swagger, {
    openapi: { ...BASE, webhooks } as typeof BASE,
    transform: ({ schema, url, route }) => {
      const { access = '' } = (route.config ?? {}) as { access?: string };
      const isForMembers = access === 'secret' || access === 'postback';
      const security = [...(schema.security ?? []), ...(isForMembers ? [{ session: [], account: [] }] : [])];
      return { schema: { ...schema, ...(schema.security && { security }) }, url };
    },
    refResolver: {
      buildLocalReference: (json: { $id?: unknown }, _base: unknown, _fragment: unknown, i: number) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
    transformObject: (document) =>
      ('openapiObject' in document ? nameComponents(document.openapiObject as Json) : document.swaggerObject) as never,
  });
}

/**
 * Gives what is described inline a name, so that it is described once: a schema goes by its title, a request and an answer
 * without one by their operation, an error by its status.
 * @throws where two different schemas have one title
 */
export function nameComponents(document: Json): Json {
  const components = { ...(document.components as Record<string, Json>) };
  const schemas: Json = {};
  const responses: Json = {};

  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (value === null || typeof value !== 'object') return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hoist(member)]));
    return isSchema(inner) && typeof inner.title === 'string'
      ? { $ref: `#/components/schemas/${keep(schemas, inner.title, inner)}` }
      : inner;
  };

  const operation = ({ 'x-idempotency-key': takesKey, ...declared }: Json): Json => {
    const described = takesKey
      ? { ...declared, parameters: [...((declared.parameters as Json[]) ?? []), IDEMPOTENCY_KEY] }
      : declared;
    const id = String(described.operationId);
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    const title = (content: unknown, suffix: string) => {
      for (const { schema } of Object.values((content ?? {}) as Record<string, { schema?: Json }>)) {
        if (schema?.type === 'object') schema.title ??= name + suffix;
      }
    };
    const { requestBody, responses: answers = {} } = described as { requestBody?: Json; responses?: Json };
    title(requestBody?.content, 'Request');
    title((answers['200'] as Json | undefined)?.content, 'Response');
    const named = Object.entries(answers).map(([status, answer]) => {
      const shared = RESPONSES[status];
      const hoisted = hoist(answer) as Json;
      if (hoisted.description === 'Default Response') hoisted.description = 'Success';
      if (shared === undefined) return [status, hoisted];
      return [status, { $ref: `#/components/responses/${keep(responses, shared, hoisted)}` }];
    });
    return { ...(hoist({ ...described, responses: {} }) as Json), responses: Object.fromEntries(named) };
  };

  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, described]) => [method, operation(described)])),
  ]);
  const webhooks = hoist(document.webhooks ?? {});
  const declared = Object.fromEntries(
    Object.entries(components.schemas ?? {}).map(([name, schema]) => {
      const { $id: _, ...rest } = schema as Json;
      return [name, rest];
    }),
  );
  components.schemas = sorted({ ...declared, ...schemas });
  components.responses = sorted(responses);
  return { ...document, paths: Object.fromEntries(paths), webhooks, components };
}

function keep(all: Json, name: string, value: unknown): string {
  if (name in all && JSON.stringify(all[name]) !== JSON.stringify(value)) {
    throw new Error(`OpenAPI: two different things are called ${name}`);
  }
  all[name] = value;
  return name;
}

function isSchema(value: Json): boolean {
  return 'type' in value || 'anyOf' in value || 'oneOf' in value || 'allOf' in value || 'enum' in value;
}

const sorted = (value: Json): Json => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
