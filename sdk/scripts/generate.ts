/**
 * Generates `src/generated.ts` from `openapi.json`: a type for each schema, and a table of the operations. With `--check`, it
 * fails if the file is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Schema, typeOf, withComment } from './schema-type.ts';

const DOCUMENT = join(import.meta.dirname, '../../openapi.json');
const FILE = join(import.meta.dirname, '../src/generated.ts');

/** GET operations with side effects, which must not be retried. */
const GETS_WITH_EFFECT = ['reportConversionByQuery'];

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}
interface Response {
  content?: Content;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  content?: Content;
  style?: string;
}
type Content = Record<string, { schema: Schema }>;
interface Reference {
  $ref: string;
}

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<
    string,
    Record<
      string,
      Omit<Operation, 'parameters' | 'responses'> & {
        parameters?: (Parameter | Reference)[];
        responses: Record<string, Response | Reference>;
      }
    >
  >;
  webhooks: Record<string, { post: { summary?: string; requestBody: { content: Content } } }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
};
const { schemas } = document.components;

/** Members of a named type that is no interface are described by it: editors show only its name. */
function describeMembers({ properties = {}, items, anyOf = [], allOf = [] }: Schema): void {
  for (const member of Object.values(properties)) {
    const { properties: own, allOf: base, description } = schemas[member.$ref?.split('/').at(-1) ?? ''] ?? {};
    if (description && !own && !base) member.description ??= description;
  }
  for (const each of [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...allOf])
    describeMembers(each);
}
for (const each of Object.values(schemas)) describeMembers(each);

function declared<Value extends object>(components: Record<string, Value>, value: Value | Reference): Value {
  if (!('$ref' in value)) return value;
  const named = components[value.$ref.split('/').at(-1) ?? ''];
  if (!named) throw new Error(`there is no ${value.$ref}`);
  return named;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], responses, ...operation }]) => ({
    path,
    method: method.toUpperCase(),
    ...operation,
    parameters: parameters.map((each) => declared(document.components.parameters, each)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [status, declared(document.components.responses, each)]),
    ),
  })),
);

/** A list may also be sent as one value, or as several separated by commas. */
const orText = (list: Schema): Schema => ({ anyOf: [{ type: 'string' }, list] });
for (const { schema, style } of operations.flatMap(({ parameters }) => parameters)) {
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  const list = schemas[name];
  if (style === 'form' && list?.type === 'array') schemas[name] = orText(list);
}

const jsonOf = (content: Content = {}) => content['application/json']?.schema;

/** With the members of the schemas that it extends. */
function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  const { allOf, ...own } = (name === undefined ? schema : schemas[name]) ?? {};
  return allOf ? { ...own, properties: Object.assign({}, ...allOf.map((each) => resolved(each).properties)) } : own;
}

/** The member of a page that holds its items; undefined if the operation is not paged. */
function pageMember(response: Schema | undefined): string | undefined {
  const { properties = {} } = resolved(response);
  if (!('nextPageToken' in properties)) return undefined;
  return Object.keys(properties).find((name) => properties[name]?.type === 'array');
}

function parametersType(operation: Operation): string {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name, in: where, required: isRequired, description, ...sent } of operation.parameters ?? []) {
    if (where !== 'path' && where !== 'query') continue;
    if (name in properties) throw new Error(`${operation.operationId}: ${name} is both a path and a query parameter`);
    const schema = sent.schema ?? jsonOf(sent.content) ?? {};
    const mayBeText = (sent.style === 'form' && !schema.$ref) || sent.content !== undefined;
    const type = mayBeText ? orText(schema) : schema;
    properties[name] = description === undefined ? type : { ...type, description };
    if (isRequired) required.push(name);
  }
  return Object.keys(properties).length === 0 ? 'undefined' : typeOf({ type: 'object', properties, required }, '    ');
}

function typesOf(operation: Operation): string {
  const { requestBody, responses } = operation;
  const { content = {} } = requestBody ?? {};
  const response = responses['200']?.content;
  const json = jsonOf(response);
  const sent = jsonOf(content) ?? content['multipart/form-data']?.schema;
  const member = pageMember(json);
  const lines = [
    `    params: ${parametersType(operation)};`,
    `    body: ${sent ? typeOf(sent, '    ') : 'undefined'}${sent && !requestBody?.required ? ' | undefined' : ''};`,
    `    response: ${json ? typeOf(json, '    ') : response ? 'Blob' : 'undefined'};`,
    ...(member ? [`    item: ${typeOf(resolved(json).properties?.[member]?.items ?? {}, '    ')};`] : []),
  ];
  const comment = [operation.summary, operation.description].filter(Boolean).join('.\n\n');
  return withComment(comment, '  ', `  ${operation.operationId}: {\n${lines.join('\n')}\n  };`);
}

function webhookType([topic, { post }]: [string, (typeof document.webhooks)[string]]): string {
  const type = typeOf(jsonOf(post.requestBody.content) ?? {}, '  ');
  return withComment(post.summary, '  ', `  '${topic}': ${type};`);
}

function infoOf(operation: (typeof operations)[number]): string {
  const { method, path, parameters = [], requestBody, responses } = operation;
  const member = pageMember(jsonOf(responses['200']?.content));
  const isForm = requestBody?.content['multipart/form-data'] !== undefined;
  const info = {
    method,
    path,
    ...(parameters.some((each) => each.in !== 'header') && { params: true }),
    ...(requestBody && { body: isForm ? 'form' : 'json' }),
    ...(member && { pages: member }),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') && { idempotencyKey: true }),
    ...('api_key' in (resolved(jsonOf(requestBody?.content)).properties ?? {}) && { open: true }),
    ...(GETS_WITH_EFFECT.includes(operation.operationId) && { hasEffect: true }),
  };
  return `  ${operation.operationId}: ${JSON.stringify(info)},`;
}

const types = Object.entries(schemas).map(([name, schema]) => {
  const [base, ...added] = schema.allOf ?? [{}, schema];
  const [own] = added;
  const isInterface = own?.type === 'object' && own.properties !== undefined && added.length === 1;
  const extended = base?.$ref ? ` extends ${typeOf(base, '')}` : '';
  const text = isInterface
    ? `export interface ${name}${extended} ${typeOf(own, '')}`
    : `export type ${name} = ${typeOf(schema, '')};`;
  return withComment(schema.description, '', text);
});

const fieldTypes = (schemas.FieldType as { 'x-sdk-types'?: object } | undefined)?.['x-sdk-types'];
const textFormats = (schemas.TextFormat as { 'x-sdk-types'?: object } | undefined)?.['x-sdk-types'];
const rowTypes = (schemas.ExportDataset as { 'x-sdk-types'?: Record<string, string> } | undefined)?.['x-sdk-types'];
if (!rowTypes) throw new Error('openapi.json does not describe the rows of exports');
if (!fieldTypes || !textFormats) throw new Error('openapi.json does not describe the TypeScript types of fields');

const text = `// Generated from openapi.json by npm run sdk. Do not edit.

${types.join('\n\n')}

/** The types of each operation: \`params\` (path and query), \`body\`, \`response\`, and \`item\` of a paged list. */
export interface Operations {
${operations.map(typesOf).join('\n')}
}

/** What webhooks send, by topic. With \`fields\` or as a thin payload, \`data\` has only what was chosen. */
export interface WebhookMessages {
${Object.entries(document.webhooks).map(webhookType).join('\n')}
}
export type WebhookMessage = WebhookMessages[keyof WebhookMessages];

/** A line of an export as \`ndjson\`, with all columns, by dataset. */
export interface ExportRows {
${Object.entries(rowTypes)
  .map(([dataset, columns]) => `  ${dataset}: { ${columns} };`)
  .join('\n')}
}

/** The TypeScript types of the values of each field type; see collection-types.ts. */
export const FIELD_TYPES: Record<FieldType, { read: string; write: string }> = ${JSON.stringify(fieldTypes, undefined, 2)};

/** The same for each format of text. */
export const TEXT_FORMATS: Record<TextFormat, { read: string; write: string }> = ${JSON.stringify(textFormats, undefined, 2)};

/** The HTTP request of each operation. */
export const OPERATIONS = {
${operations.map(infoOf).join('\n')}
} as const;
`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('sdk/src/generated.ts is out of date. Run npm run sdk.');
  process.exit(1);
}
