/** The part of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  format?: string;
  description?: string;
  readOnly?: boolean;
}

/** The TypeScript type of a schema. `indent` precedes every line but the first. @throws for unsupported schemas */
export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((each) => typeOf(each, indent)));
  if (schema.allOf) return schema.allOf.map((each) => parenthesized(typeOf(each, indent))).join(' & ');
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  }
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `${parenthesized(typeOf(schema.items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return schema.properties ? objectType(schema, indent) : 'unknown';
    default:
      throw new Error(`unsupported schema type: ${schema.type}`);
  }
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, patternProperties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
    const type = typeOf(member, inner);
    const line = required.includes(name) ? `${key}: ${type};` : `${key}?: ${type} | undefined;`;
    return withComment(member.description ?? (member.readOnly && 'Ignored in requests'), inner, inner + line);
  });
  const rest = [
    ...Object.values(patternProperties),
    ...(additionalProperties === true ? [{}] : typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ].map((each) => typeOf(each, inner));
  if (members.length === 0) return rest.length === 0 ? 'Record<string, unknown>' : `Record<string, ${union(rest)}>`;
  if (rest.length > 0) members.push(`${inner}[name: string]: unknown;`);
  return `{\n${members.join('\n')}\n${indent}}`;
}

/** Puts a description before a declaration as a comment. */
export function withComment(description: string | false | undefined, indent: string, declaration: string): string {
  if (!description) return declaration;
  const lines = description.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n${declaration}`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n${declaration}`;
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value);
const union = (types: string[]) => [...new Set(types)].join(' | ');
const parenthesized = (type: string) => (/ \| /.test(type) ? `(${type})` : type);
