/** Derives the forms and samples of the integrations from `openapi.json`, by the names in `catalog.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTIONS, type Action, LABELS, TRIGGERS, type Trigger } from './catalog.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: Json[];
  const?: Json;
  anyOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  maximum?: number;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  /** None: it is sent as JSON. */
  schema?: Schema;
}
type Content = Record<string, { schema: Schema; example?: Json }>;
interface Response {
  $ref?: string;
  content?: Content;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

export type FieldType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'json'
  | 'choice'
  | 'collection'
  | 'values'
  | 'identifier';

export interface Field {
  key: string;
  label: string;
  help: string;
  type: FieldType;
  isRequired: boolean;
  in: 'path' | 'query' | 'body';
  choices?: string[];
}

export interface DescribedTrigger extends Trigger {
  /** A message, as the webhook sends it. */
  sample: { [name: string]: Json };
}

export interface DescribedAction extends Omit<Action, 'fields'> {
  method: string;
  path: string;
  fields: Field[];
  sample: { [name: string]: Json };
}

export interface Description {
  triggers: DescribedTrigger[];
  actions: DescribedAction[];
  /** Operators of the conditions of a webhook. */
  operators: string[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
}

const MAX_DEPTH = 5;

export function describe(
  document = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8')) as Document,
): Description {
  const nameOf = (ref: string) => ref.split('/').at(-1) ?? '';
  const found = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Error(`openapi.json has no ${what}`);
    return value;
  };
  const { schemas, parameters, responses } = document.components;
  /** With the members of the schemas that it extends. */
  const resolved = ({ $ref, allOf, ...own }: Schema): Schema => {
    if ($ref) return resolved(found(schemas[nameOf($ref)], $ref));
    if (!allOf) return own;
    const all = [...allOf.map(resolved), own];
    return {
      ...own,
      type: 'object',
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required = [] }) => required),
    };
  };
  const declared = (parameter: Parameter): Parameter =>
    parameter.$ref ? found(parameters[nameOf(parameter.$ref)], parameter.$ref) : parameter;
  const success = (route: string): Content | undefined => {
    const { 200: response } = operationOf(route).responses;
    return (response?.$ref ? found(responses[nameOf(response.$ref)], response.$ref) : response)?.content;
  };
  const json = (content: Content | undefined, what: string): Schema =>
    resolved(found(content?.['application/json'], what).schema);
  /** The one of several schemas that a form asks for: text before numbers, which it may contain exactly, and one item before a batch. */
  const single = (schema: Schema): Schema => {
    const { anyOf = [], type: types, ...rest } = resolved(schema);
    const type = [types ?? []].flat().find((each) => each !== 'null');
    const first = anyOf.find((each) => each.type === 'string') ?? anyOf.find((each) => each.type !== 'null');
    return { ...rest, ...(type !== undefined && { type }), ...(first && single(first)) };
  };
  const operationOf = (route: string): Operation => {
    const [method = '', path = ''] = route.split(' ');
    return found(document.paths[path]?.[method.toLowerCase()], route);
  };
  const body = (operation: Operation, route: string): Schema =>
    single(json(operation.requestBody?.content, `body of ${route}`));
  const members = (schema: Schema, what: string) => found(schema.properties, `members of ${what}`);

  const identifiers = (() => {
    const parameter = operationOf('GET /v1/conversions/unmatched').parameters?.find(
      ({ name }) => name === 'identifier',
    );
    return found(parameter?.schema?.enum, 'identifiers of conversions').map(String);
  })();
  const reportable = members(body(operationOf('POST /v1/analytics/report-conversion'), 'reports'), 'reports');
  for (const name of identifiers) found(reportable[name], `identifier ${name} of reports`);

  function fieldOf(key: string, { route, required = [] }: Action): Field {
    const operation = operationOf(route);
    const parameter = (operation.parameters ?? []).map(declared).find(({ name }) => name === key);
    const common = { key, label: LABELS[key] ?? label(key) };
    if (parameter) {
      // A list is also one text with commas.
      const sent = single(parameter.schema ?? {});
      const schema: Schema = sent.type === 'array' ? { type: 'string' } : sent;
      return {
        ...common,
        ...typeOf(key, schema, parameter.in),
        help: help(parameter.description ?? schema.description),
        isRequired: parameter.required === true,
        in: parameter.in === 'path' ? 'path' : 'query',
      };
    }
    if (key === 'identifier') {
      const description = 'The name of what identifies the session, such as a click ID, and its value';
      return { ...common, type: 'identifier', help: description, isRequired: true, in: 'body', choices: identifiers };
    }
    const request = body(operation, route);
    const schema = found(request.properties?.[key], `member ${key} of ${route}`);
    return {
      ...common,
      ...typeOf(key, single(schema), 'body'),
      help: help(schema.description ?? single(schema).description),
      isRequired: required.includes(key) || (request.required ?? []).includes(key),
      in: 'body',
    };
  }

  function typeOf(key: string, schema: Schema, place: string): { type: FieldType; choices?: string[] } {
    if (key === 'collectionId') return { type: 'collection' };
    if (key === 'values') return { type: 'values' };
    if (schema.enum) return { type: 'choice', choices: schema.enum.map(String) };
    if (schema.format === 'date-time' || key === 'createdOn') return { type: 'time' };
    if (schema.type === 'integer') return { type: 'integer' };
    if (schema.type === 'number') return { type: 'number' };
    if (schema.type === 'boolean') return { type: 'boolean' };
    if (schema.type === 'object' || (place === 'query' && schema.type === undefined)) return { type: 'json' };
    if (schema.type === 'string') return { type: 'text' };
    throw new Error(`no form has a field for ${key}`);
  }

  /** A value that the schema allows. */
  function sampleOf(schema: Schema, depth = 0): Json {
    const { type, ...rest } = single(schema);
    if (rest.const !== undefined) return rest.const;
    if (rest.enum) return rest.enum[0] ?? null;
    if (rest.properties && depth < MAX_DEPTH) return sampleObject(rest, depth);
    switch (type) {
      case 'string':
        return rest.format === 'date-time' ? '2026-11-20T08:00:00.000Z' : 'text';
      case 'integer':
      case 'number':
        return 1;
      case 'boolean':
        return true;
      case 'array':
        return rest.items && depth < MAX_DEPTH ? [sampleOf(rest.items, depth + 1)] : [];
      default:
        return {};
    }
  }
  function sampleObject(schema: Schema, depth = 0): { [name: string]: Json } {
    const required = new Set(schema.required);
    const entries = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name));
    return Object.fromEntries(entries.map(([name, each]) => [name, sampleOf(each, depth + 1)]));
  }

  function responseOf({ route, list }: Action): { [name: string]: Json } {
    const response = single(json(success(route), `response of ${route}`));
    const item = list ? found(members(response, route)[list]?.items, `list ${list} of ${route}`) : response;
    return sampleObject(single(item));
  }

  const creation = members(body(operationOf('POST /v1/webhooks'), 'POST /v1/webhooks'), 'webhooks');
  const topic = found(single(found(creation.events, 'events of webhooks')).items, 'topics');
  const topics = found(resolved(topic).enum, 'topics');
  const filter = resolved(found(single(found(creation.filters, 'filters of webhooks')).items, 'filters of webhooks'));
  operationOf('DELETE /v1/webhooks/{id}');
  operationOf('GET /v1/webhooks/{id}');
  operationOf('GET /v1/webhooks/{id}/deliveries/{deliveryId}');
  operationOf('GET /v1/account');
  members(json(success('GET /v1/cms/collections'), 'collections'), 'collections');

  return {
    triggers: TRIGGERS.map((trigger) => {
      for (const topic of trigger.topics) {
        if (!topics.includes(topic)) throw new Error(`there is no topic ${topic}`);
      }
      if (trigger.recent) operationOf(`GET ${trigger.recent}`);
      const content = document.webhooks[trigger.topics[0] ?? '']?.post.requestBody.content;
      const example = found(content?.['application/json']?.example, `example of ${trigger.topics[0]}`);
      return { ...trigger, sample: example as { [name: string]: Json } };
    }),
    actions: ACTIONS.map((action) => {
      const [method = '', path = ''] = action.route.split(' ');
      const fields = action.fields.map((key) => fieldOf(key, action));
      for (const [, name] of path.matchAll(/\{(\w+)\}/g))
        found(
          action.fields.find((key) => key === name),
          `${name}`,
        );
      return { ...action, method, path, fields, sample: responseOf(action) };
    }),
    operators: found(filter.properties?.operator?.enum, 'operators of filters').map(String),
  };
}

export function label(key: string): string {
  const words = key.replace(/([A-Z])/g, ' $1').replace(/\bId\b/, 'ID');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One or more sentences without marks, and without a period if it is only one: forms show them as plain text. */
function help(description = ''): string {
  const text = description
    .replaceAll('`', '')
    .replace(/\b[Ii]d(s?)\b/g, 'ID$1')
    .trim();
  return /\. \S/.test(text) ? `${text.replace(/\.$/, '')}.` : text.replace(/\.$/, '');
}
