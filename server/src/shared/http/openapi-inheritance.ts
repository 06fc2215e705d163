type Json = Record<string, unknown>;

/** A schema of an object, whose members are compared as text. */
interface Members {
  properties: Map<string, string>;
  required: ReadonlySet<string>;
  isOpen: boolean;
  size: number;
}

/** Members that are shorter than a reference and its `allOf` are repeated. */
const MIN_LENGTH = 150;

/**
 * Describes objects that have all members of a component as that component and what they add (`allOf`).
 * @param value part of the document
 */
export function withInheritance<Value>(value: Value, schemas: Readonly<Record<string, Json>>): Value {
  const bases = Object.entries(schemas).flatMap(([name, schema]) => {
    const members = schema.type === 'object' ? membersOf(schema) : undefined;
    return members && members.size >= MIN_LENGTH ? [{ name, ...members }] : [];
  });
  // The largest one comes first.
  bases.sort((a, b) => b.size - a.size);

  const describe = (value: unknown, isComponent = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => describe(each));
    if (value === null || typeof value !== 'object') return value;
    const described = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, name === 'example' ? member : describe(member)]),
    );
    const members = membersOf(value as Json);
    const base = members && bases.find((each) => includes(members, each, isComponent));
    return base ? asExtension(described, base) : described;
  };
  return value === schemas
    ? (Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, describe(each, true)])) as Value)
    : (describe(value) as Value);
}

/** Only of objects that may have more members. */
function membersOf(schema: Json): Members | undefined {
  const { type, properties, required = [], additionalProperties } = schema;
  const isObject = type === 'object' || (Array.isArray(type) && type.join() === 'object,null');
  const mayHaveMore = additionalProperties === undefined || additionalProperties === true;
  if (!isObject || properties === undefined || !mayHaveMore) return undefined;
  const texts = Object.entries(properties as Json).map(([name, each]) => [name, JSON.stringify(each)] as const);
  return {
    properties: new Map(texts),
    required: new Set(required as string[]),
    isOpen: additionalProperties === true,
    size: texts.reduce((sum, [name, text]) => sum + name.length + text.length, 0),
  };
}

function includes(all: Members, some: Members, isComponent: boolean): boolean {
  return (
    (some.properties.size < all.properties.size || !isComponent) &&
    [...some.properties].every(([name, text]) => all.properties.get(name) === text) &&
    some.required.isSubsetOf(all.required) &&
    some.isOpen === all.isOpen
  );
}

function asExtension(schema: Json, base: Members & { name: string }): Json {
  const { type, properties, required = [], additionalProperties: _, ...around } = schema;
  if (Array.isArray(type)) {
    const extended = asExtension({ type: 'object', properties, required }, base);
    return { ...around, anyOf: [extended, { type: 'null' }] };
  }
  const reference = { $ref: `#/components/schemas/${base.name}` };
  const added = Object.entries(properties as Json).filter(([name]) => !base.properties.has(name));
  const alsoRequired = (required as string[]).filter((name) => !base.required.has(name));
  const extension = {
    type,
    ...(alsoRequired.length > 0 && { required: alsoRequired }),
    ...(added.length > 0 && { properties: Object.fromEntries(added) }),
  };
  if (Object.keys(extension).length > 1) return { ...around, allOf: [reference, extension] };
  return Object.keys(around).length > 0 ? { ...around, allOf: [reference] } : reference;
}
