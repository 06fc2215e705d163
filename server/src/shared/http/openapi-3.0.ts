/** Schemas, or parts of the document in which some are. */
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Members whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'required', 'security', 'x-sdk-types']);
/** Members that map names to schemas, so that their own names mean nothing. */
const MAPS = new Set(['properties', 'schemas', 'parameters', 'responses', 'headers', 'paths', 'content']);

/** The OpenAPI 3.1 document for tools that read 3.0 only. What 3.0 cannot say is left out, so that everything valid stays valid. */
export function asOpenApi30(document: Json): Json {
  const { webhooks, info, ...rest } = document;
  const { identifier, name } = (info as { license: Json }).license;
  const license = { name, url: `https://spdx.org/licenses/${identifier}.html` };
  const older = converted({ ...rest, 'x-webhooks': webhooks }) as Json;
  return { ...older, openapi: '3.0.3', info: { ...(info as Json), license } };
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  // Beside a reference, 3.0 ignores everything.
  if (typeof value.$ref === 'string') return { $ref: value.$ref };
  const members = Object.entries(schema(value)).map(([name, member]) => {
    if (DATA.has(name)) return [name, member];
    if (MAPS.has(name) && isObject(member)) return [name, mapped(member)];
    return [name, converted(member)];
  });
  return Object.fromEntries(members);
}

const mapped = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, converted(member)]));

/** The keywords of a schema; other objects have none of these. */
function schema({ type, const: value, patternProperties, propertyNames, examples, ...rest }: Json): Json {
  const { exclusiveMinimum, exclusiveMaximum, anyOf, ...others } = rest;
  const types = [type].flat().filter((each) => each !== undefined);
  const choices = Array.isArray(anyOf) ? anyOf.filter((each) => each.type !== 'null') : [];
  const isNullable = types.includes('null') || (Array.isArray(anyOf) && choices.length < anyOf.length);
  const named = types.filter((each) => each !== 'null');
  const patterns = Object.values((patternProperties ?? {}) as Json);
  const described: Json = {
    ...(named.length === 1 && asType(named[0])),
    ...(named.length > 1 && { anyOf: named.map(asType) }),
    ...(value !== undefined && { type: typeof value, enum: [value] }),
    ...(patterns.length > 0 && { additionalProperties: patterns.length === 1 ? patterns[0] : { anyOf: patterns } }),
    ...(isObject(examples) && { examples }),
    ...others,
    ...(typeof exclusiveMinimum === 'number' && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(typeof exclusiveMaximum === 'number' && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
    ...(choices.length > 0 && { anyOf: choices }),
  };
  if (!isNullable) return described;
  const [only] = choices;
  if (choices.length === 1 && only.$ref === undefined) {
    const { anyOf: _, ...around } = described;
    return orNull({ ...schema(only), ...around });
  }
  return orNull(described);
}

/** An array says what its items are. */
const asType = (type: unknown): Json => (type === 'array' ? { type, items: {} } : { type });

const NULL = { type: 'string', nullable: true, enum: [null] };

/** `nullable` belongs beside a type. Generators do not expect null among the texts of an enum. */
function orNull(schema: Json): Json {
  if (Array.isArray(schema.enum)) {
    const { type, enum: values, ...around } = schema;
    return { ...around, anyOf: [{ type, enum: (values as unknown[]).filter((each) => each !== null) }, NULL] };
  }
  if (typeof schema.type === 'string') return { ...schema, nullable: true };
  return Array.isArray(schema.anyOf) ? { ...schema, anyOf: [...schema.anyOf, NULL] } : { ...schema, ...NULL };
}
