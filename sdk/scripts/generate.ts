/**
 * Writes `src/generated.ts` out of `openapi.json`: a type for each schema, and a table of the operations. With `--check` it
 * says whether the file is as it would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Schema, typeOf, withComment } from './schema-type.ts';

const DOCUMENT = join(import.meta.dirname, '../../openapi.json');
const FILE = join(import.meta.dirname, '../src/generated.ts');

/** They report something each time that they are called, and must not be called again by themselves. */
const ACTING_GETS = ['reportConversionByQuery'];

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: Schema }>;

const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = document.components;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

const jsonOf = (content: Content = {}) => content['application/json']?.schema;

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : schemas[name]) ?? {};
}

/** Name of the member of a page that holds its items; undefined for an operation that is no listing. */
function pageMember(answer: Schema | undefined): string | undefined {
  const { properties = {} } = resolved(answer);
  if (!('nextPageToken' in properties)) return undefined;
  return Object.keys(properties).find((name) => properties[name]?.type === 'array');
}

function parametersType(operation: Operation): string {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name, in: where, required: isRequired, description, schema } of operation.parameters ?? []) {
    if (where !== 'path' && where !== 'query') continue;
    if (name in properties) throw new Error(`${operation.operationId}: ${name} stands in the path and in the query`);
    properties[name] = description === undefined ? schema : { ...schema, description };
    if (isRequired) required.push(name);
  }
  return Object.keys(properties).length === 0 ? 'undefined' : typeOf({ type: 'object', properties, required }, '    ');
}

function typesOf(operation: Operation): string {
  const { requestBody, responses } = operation;
  const { content = {} } = requestBody ?? {};
  const answer = responses['200']?.content;
  const json = jsonOf(answer);
  const sent = jsonOf(content) ?? content['multipart/form-data']?.schema;
  const member = pageMember(json);
  const lines = [
    `    params: ${parametersType(operation)};`,
    `    body: ${sent ? typeOf(sent, '    ') : 'undefined'}${sent && !requestBody?.required ? ' | undefined' : ''};`,
    `    answer: ${json ? typeOf(json, '    ') : answer ? 'Blob' : 'undefined'};`,
    ...(member ? [`    item: ${typeOf(resolved(json).properties?.[member]?.items ?? {}, '    ')};`] : []),
  ];
  const comment = [operation.summary, operation.description].filter(Boolean).join('.\n\n');
  return withComment(comment, '  ', `  ${operation.operationId}: {\n${lines.join('\n')}\n  };`);
}

function rowOf(operation: (typeof operations)[number]): string {
  const { method, path, parameters = [], requestBody, responses } = operation;
  const member = pageMember(jsonOf(responses['200']?.content));
  const isForm = requestBody?.content['multipart/form-data'] !== undefined;
  const row = {
    method,
    path,
    ...(parameters.some((each) => each.in !== 'header') && { params: true }),
    ...(requestBody && { body: isForm ? 'form' : 'json' }),
    ...(member && { pages: member }),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') && { idempotencyKey: true }),
    ...('api_key' in (resolved(jsonOf(requestBody?.content)).properties ?? {}) && { open: true }),
    ...(ACTING_GETS.includes(operation.operationId) && { acts: true }),
  };
  return `  ${operation.operationId}: ${JSON.stringify(row)},`;
}

const declared = Object.entries(schemas).map(([name, schema]) => {
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  const text = typeOf(schema, '');
  return withComment(
    schema.description,
    '',
    isObject ? `export interface ${name} ${text}` : `export type ${name} = ${text};`,
  );
});

const text = `// Written by npm run sdk, out of openapi.json. Not to be edited.

${declared.join('\n\n')}

/** What goes into each operation (\`params\`: path and query, \`body\`) and what comes out; \`item\` is one of a listing's. */
export interface Operations {
${operations.map(typesOf).join('\n')}
}

/** How each operation is called. */
export const OPERATIONS = {
${operations.map(rowOf).join('\n')}
} as const;
`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('sdk/src/generated.ts is not as openapi.json is: run npm run sdk');
  process.exit(1);
}
