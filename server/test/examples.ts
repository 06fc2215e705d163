import { createHash } from 'node:crypto';
import type { Furnished } from './furnished-account.ts';
import { IMAGE_URL } from './image-server.ts';
import type { GoodRequest } from './route-table.ts';

type Json = Record<string, unknown>;

/** The part of a schema that says where examples belong. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  style?: string;
  content?: object;
  $ref?: string;
}

interface DescribedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, object> };
  responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  content?: Record<string, { schema?: Schema }>;
  $ref?: string;
}

/** The API document. */
export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DescribedResponse>;
  };
}

/** Examples of the members of components: by the name of the component and a JSON Pointer into it. */
type Leaves = Record<string, Record<string, unknown>>;

export interface Examples {
  /** Of requests, by operation. */
  operations: Record<string, { parameters?: Json; body?: unknown }>;
  /** Of responses. */
  schemas: Leaves;
}

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;
const BACKUP = /\bheadwater-\d{8}T\d{9}Z/g;
const KEY = /\bhw_([a-z]{2})_\w{20,}/g;

/** When everything in the examples happened. */
const NOW = Date.parse('2026-11-20T08:00:00Z');
const HOUR = 3_600_000;

/** Values of the shop that are others in every run, as all examples show them. */
const SHOWN: Json = {
  sessionId: 48211907346128,
  sessionHash: 'k3Vn8QxTj2LmR5wZpY7cDa',
  shortSessionHash: 'k3Vn8Qx',
  gclid: 'CjwKCAiA0eTJBhBaEiwA-Pa-hXk2',
  unmatchedGclid: 'EAIaIQobChMI5tqDyJ3uhQMVk2',
  conversionEventId: 'order-1001',
};

function idShown(type: string, role: string): string {
  const hash = createHash('sha256').update(`${type} ${role}`).digest();
  return `${type}_01kaf9m8t0${Array.from({ length: 16 }, (_, i) => ALPHABET[(hash[i] ?? 0) & 31]).join('')}`;
}

/** A value with the ids, times and secrets that the examples show, the same in every run. */
export function canonical<Value>(value: Value, mine: Furnished, now: number, backups: string): Value {
  const { owner, colleague } = mine;
  const names = new Map(
    Object.entries({ ...mine, userId: owner.userId, colleagueId: colleague.userId }).map(([name, each]) => [
      each,
      name,
    ]),
  );
  let text = JSON.stringify(value);
  for (const [name, shown] of Object.entries(SHOWN))
    text = text.replaceAll(String(mine[name as keyof Furnished]), String(shown));
  text = text
    .replaceAll(IMAGE_URL, 'https://shop.example/images/trail-shoes.png')
    .replaceAll('http://headwater.test', 'https://headwater.example')
    .replaceAll('headwater.test', 'headwater.example')
    .replaceAll('http://127.0.0.1:9', 'https://s3.example')
    .replaceAll(backups, '/var/backups/headwater')
    .replace(BACKUP, 'headwater-20261120T080000000Z')
    .replaceAll('lightMyRequest', 'headwater-sdk/0.1.0')
    .replace(ID, (id, type) => idShown(type, names.get(id) ?? ''))
    .replace(UUID, '019a92fa-2340-7b3e-9c51-2f8d60a4e7c1')
    .replace(KEY, (_, type) => `hw_${type}_${'0'.repeat(38)}`)
    .replace(TIME, (time) => {
      const distance = Date.parse(time) - now;
      return Math.abs(distance) > 100 * 24 * HOUR
        ? time
        : new Date(NOW + Math.round(distance / HOUR) * HOUR).toISOString();
    });
  return JSON.parse(text);
}

/** What of a value is the same in every run. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
  if (typeof value !== 'string') return value === null ? null : typeof value;
  const [, type] = /^([a-z]{3})_[\da-z]{26}$/.exec(value) ?? [];
  if (type) return `${type}_`;
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(value)) return value.length > 10 ? 'time' : 'date';
  return /^https?:/.test(value) ? 'URL' : 'text';
}

/** Members of requests that are others in every run. */
const VARYING = new Set(['token', 'code', 'credential']);

/** Requests, with only the form of what is another in every run. */
export const withForms = (requests: Examples['operations']): unknown =>
  JSON.parse(JSON.stringify(requests, (name, value) => (VARYING.has(name) ? formOf(value) : value)));

/** The example of a request, and the schema of its response. */
export function requestOf(
  { paths, components }: Described,
  { url, method }: { url: string; method: string },
  seed: GoodRequest,
  payload: Buffer | undefined,
) {
  const found = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`the document has no ${method} ${url}`);
  const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? '';
  const parameters = (found.parameters ?? []).map((each) => {
    const { schema, ...rest } = (each.$ref ? components.parameters[nameOf(each.$ref)] : each) ?? each;
    return { ...rest, schema: (schema?.$ref ? components.schemas[nameOf(schema.$ref)] : schema) ?? {} };
  });
  const sent = parametersOf(parameters, seed);
  const request = {
    ...(Object.keys(sent).length > 0 && { parameters: sent }),
    ...(payload && !Buffer.isBuffer(seed.body) && { body: JSON.parse(String(payload)) }),
  };
  const { 200: success } = found.responses;
  const { content } = (success?.$ref ? components.responses[nameOf(success.$ref)] : success) ?? {};
  return { id: found.operationId, request, schema: content?.['application/json']?.schema };
}

/** The parameters of a request, as they are described. */
function parametersOf(parameters: Parameter[], { params = {}, query = '' }: GoodRequest): Json {
  const sent = new URLSearchParams(query);
  const values = parameters.map(({ name, in: where, schema = {}, style, content }) => {
    if (where === 'path') return [name, typed(params[name], schema)];
    if (style === 'deepObject') return [name, deepObject(name, sent)];
    const all = sent.getAll(name);
    if (where !== 'query' || all.length === 0) return [name, undefined];
    if (content) return [name, JSON.parse(all[0] ?? '')];
    return [name, schema.type === 'array' ? all.flatMap((each) => each.split(',')) : typed(all[0], schema)];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const typed = (text: string | undefined, { type }: Schema): unknown =>
  text !== undefined && ['integer', 'number', 'boolean'].includes(String(type)) ? JSON.parse(text) : text;

function deepObject(name: string, sent: URLSearchParams): Json | undefined {
  const result: Json = {};
  for (const [key, value] of sent) {
    if (!key.startsWith(`${name}[`)) continue;
    const path = [...key.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part);
    const last = path.pop() ?? '';
    let at = result;
    for (const part of path) {
      at[part] ??= {};
      at = at[part] as Json;
    }
    at[last] = value;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

/** Adds the values of a response whose members had none before. */
export function addLeaves(leaves: Leaves, schemas: Record<string, Schema>, root: Schema, response: unknown): void {
  const add = (schema: Schema, value: unknown, name: string, pointer: string): void => {
    if (value === undefined) return;
    const { $ref, anyOf, allOf, properties, items } = schema;
    allOf?.forEach((each, i) => {
      add(each, value, name, `${pointer}/allOf/${i}`);
    });
    if (allOf) return;
    if ($ref !== undefined) {
      const component = $ref.split('/').at(-1) ?? '';
      add(schemas[component] ?? {}, value, component, '');
      return;
    }
    if (anyOf && value !== null) {
      const i = anyOf.findIndex((each) => fits(each, value, schemas));
      const chosen = anyOf[i];
      if (chosen === undefined) return;
      // Of a text or null, the example is one of both.
      const isLeaf = chosen.$ref === undefined && !chosen.properties && !chosen.items && !chosen.anyOf;
      add(chosen, value, name, isLeaf ? pointer : `${pointer}/anyOf/${i}`);
      return;
    }
    if (properties && isObject(value)) {
      for (const [member, each] of Object.entries(properties))
        add(each, value[member], name, `${pointer}/properties/${member}`);
      return;
    }
    if (items && Array.isArray(value)) {
      for (const item of value.slice(0, 3)) add(items, item, name, `${pointer}/items`);
      return;
    }
    if (name === '' || schema.enum || 'const' in schema || schema.type === 'boolean' || schema.format === 'date-time')
      return;
    leaves[name] ??= {};
    // Of texts only, null is an example: tools write `string`.
    const isText = [schema.type].flat().includes('string');
    if (isTrivial(leaves[name][pointer])) leaves[name][pointer] = value === null && !isText ? 0 : value;
  };
  add(root, response, '', '');
}

/** Whether tools choose this value themselves. */
export const isTrivial = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (isObject(value) && Object.keys(value).length === 0);

/** One schema with the members of those that it extends. */
function merged({ $ref, allOf = [], ...own }: Schema, schemas: Record<string, Schema>): Schema {
  if ($ref !== undefined) return merged(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const all = [...allOf.map((each) => merged(each, schemas)), own];
  return {
    ...own,
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}

/** Whether a value is of this branch of a union, as far as its type and members say. */
function fits(schema: Schema, value: unknown, schemas: Record<string, Schema>): boolean {
  const { $ref, anyOf, allOf, properties = {}, required = [], type, enum: values } = schema;
  if ($ref !== undefined) return fits(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, value, schemas);
  if (allOf) return fits(merged(schema, schemas), value, schemas);
  if (anyOf) return anyOf.some((each) => fits(each, value, schemas));
  if ('const' in schema) return schema.const === value;
  if (values) return values.includes(value);
  const is = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const types = [type].flat().map((each) => (each === 'integer' ? 'number' : each));
  if (type !== undefined && !types.includes(is)) return false;
  if (!isObject(value)) return true;
  const members = Object.keys(value);
  return (
    required.every((name) => name in value) &&
    (Object.keys(properties).length === 0 || members.every((name) => name in properties)) &&
    Object.entries(properties).every(
      ([name, each]) => !(name in value) || !('const' in each || each.enum) || fits(each, value[name], schemas),
    )
  );
}
