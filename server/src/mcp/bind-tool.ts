import type { RouteOptions } from 'fastify';
import type { Tool } from './tools.ts';

type Json = Record<string, unknown>;
type Place = 'params' | 'query' | 'body';

/** A tool with the schema of its arguments, which is that of its route. */
export interface BoundTool {
  inputSchema: Json & { type: 'object' };
  /** The request of the route. @throws ArgumentFault */
  request(args: Json): { method: 'GET' | 'POST'; url: string; payload?: string };
}

/** An argument that no request can be made of. */
export class ArgumentFault extends Error {}

/** Derives a tool from its route, so that each schema is declared once. */
export function bindTool(tool: Tool, routes: readonly RouteOptions[]): BoundTool {
  const [method = '', path = ''] = tool.route.split(' ');
  const route = routes.find((each) => each.url === path && [each.method].flat().includes(method));
  if (route === undefined) throw new Error(`there is no route ${tool.route}`);
  const { params, querystring, body } = (route.schema ?? {}) as Record<string, unknown>;
  const places = new Map<string, { name: string; place: Place }>();
  const properties: Json = {};
  const required: string[] = [];
  for (const [place, schema] of [
    ['params', params],
    ['query', querystring],
    ['body', body],
  ] as const) {
    const described = plain(schema) as { properties?: Json; required?: string[] };
    for (const [name, property] of Object.entries(described.properties ?? {})) {
      if (tool.without?.includes(name) || (tool.only && place === 'query' && !tool.only.includes(name))) continue;
      const own = tool.names?.[name] ?? name;
      properties[own] = asJson(property as Json);
      places.set(own, { name, place });
      if (described.required?.includes(name)) required.push(own);
    }
  }
  return {
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    request(args) {
      const sent: Record<Place, Json> = { params: {}, query: {}, body: {} };
      for (const [own, value] of Object.entries(args)) {
        const found = places.get(own);
        if (found === undefined) throw new ArgumentFault(`There is no argument \`${own}\`.`);
        if (value !== undefined) sent[found.place][found.name] = value;
      }
      const missing = required.filter((own) => args[own] === undefined);
      if (missing.length > 0) throw new ArgumentFault(`Required: ${missing.map((own) => `\`${own}\``).join(', ')}.`);
      const query = new URLSearchParams(
        Object.entries(sent.query).flatMap(([name, value]) => [value].flat().map((each) => [name, textOf(each)])),
      );
      const url = `${path.replace(/:(\w+)/g, (_, name: string) => segment(sent.params[name]))}?${query}`;
      return method === 'POST' ? { method, url, payload: JSON.stringify(sent.body) } : { method: 'GET', url };
    },
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A path parameter. A client that normalizes URLs would leave the path with `..`. */
function segment(value: unknown): string {
  const text = textOf(value);
  if (text === '' || text === '.' || text === '..') throw new ArgumentFault('An ID is empty or invalid.');
  return encodeURIComponent(text);
}

const OURS = new Set(['x-schema', 'x-component', 'x-list', 'x-texts', 'readOnly']);

/** What a request may send as a text of JSON is sent as JSON. */
const asJson = ({ 'x-json': json, ...property }: Json): Json => ({ ...(json as Json | undefined), ...property });

/** A schema as JSON, without what only the service understands. */
function plain(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema ?? {}, (name, value) => (OURS.has(name) || name.startsWith('~') ? undefined : value)),
  );
}
