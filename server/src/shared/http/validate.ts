import SerializerSelector, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { _, Ajv, type ValidateFunction } from 'ajv';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { isDate, isoTime, parseTimestamp } from '../time.ts';
import type { CompileInTurns, SchemaPlace } from './compile-in-turns.ts';
import { listReader } from './list-parameters.ts';

// Something on both sides of one @, without white space. Whether it can be delivered to cannot be checked here.
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/**
 * A body with more values gets its first fault only: to find and render 100,000 faults takes most of a second.
 */
const MAX_EXPLAINED_VALUES = 10_000;

interface ObjectSchema {
  properties?: Record<string, { type?: string; format?: string; 'x-list'?: unknown }>;
}

function once<Value>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** To optimize the code takes half of the time of compiling a schema, and it is not faster then: the engine optimizes it anyway. */
const UNOPTIMIZED = { optimize: false };

type Serializer = (value: unknown) => string;
/** By schema: the services of one process, such as those of tests, share them. */
const serializers = new WeakMap<object, Serializer>();

/** Compiles the response schemas of a route. */
export const serializerFactory =
  (turns: CompileInTurns): SerializerFactory =>
  (schemas, options) => {
    const compile = SerializerSelector()(schemas, { ...options, ajv: { code: UNOPTIMIZED } });
    return (route) => {
      const compiled = once(() => serializers.getOrInsertComputed(route.schema as object, () => compile(route)));
      turns.add(route as SchemaPlace, compiled);
      return (value) => compiled()(value);
    };
  };

/** All routes share them: each takes 100 kB. */
const quick = once(() => createAjv(false));
const thorough = once(() => createAjv(true));

/**
 * Compiles the schemas of a route such that one validation reports every fault. Bodies are not coerced. Of a query, which
 * is text, plainly written numbers and booleans are converted.
 *
 * Extends JSON Schema by the formats `date` and `date-time` (RFC 3339, an existing time), `email` and `http-url`, and the keywords
 * `x-max-bytes` (size of the value as JSON), `x-max-depth` (nesting, where the value itself is the first level) and `x-schema` (a function
 * that returns the schema of the value).
 */
export function validatorCompiler(turns?: CompileInTurns) {
  return ({ schema, httpPart, ...place }: { schema: unknown; httpPart?: string } & SchemaPlace) => {
    let findFaults: ValidateFunction | undefined;
    // The schemas of all routes take 0.7 s, which most processes never need.
    const compiled = once(() => quick().compile(schema as object));
    turns?.add(place, compiled);
    const validate = (value: unknown) => {
      const passes = compiled();
      if (passes(value)) return { value };
      if (!hasAtMost(value, MAX_EXPLAINED_VALUES)) return { error: passes.errors };
      findFaults ??= thorough().compile(schema as object);
      findFaults(value);
      return { error: findFaults.errors };
    };
    return (httpPart === 'querystring' ? queryValidator(schema as ObjectSchema, validate) : validate) as never;
  };
}

/** Compiles the schema of a route before the first request, which would wait for it: a tenth of a second for many parameters. */
export function prepareValidator(schema: object): void {
  quick().compile(schema);
}

/** All faults of a value. */
export function findFaults(schema: object, value: unknown) {
  if (quick().compile(schema)(value)) return [];
  const validate = thorough().compile(schema);
  validate(value);
  return validate.errors ?? [];
}

/** For a body whose schema only documents it, because it is read as a stream. The rest of the request is validated. */
export function validatorCompilerExceptBody(part: { schema: unknown; httpPart?: string }): never {
  return part.httpPart === 'body' ? ((() => true) as never) : validatorCompiler()(part);
}

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({
    allErrors,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
    code: UNOPTIMIZED,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', (text) => parseTimestamp(text) !== undefined);
  // Years that PostgreSQL reads as this one does.
  ajv.addFormat('date', (text) => isDate(text) && text >= '1000');
  ajv.addFormat('email', (text) => text.length <= 320 && EMAIL.test(text.trim()));
  ajv.addFormat('http-url', (text) => {
    const protocol = URL.parse(text)?.protocol;
    return protocol === 'http:' || protocol === 'https:';
  });
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    validate: (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit,
    error: { message: '', params: ({ schema }) => _`{limit: ${schema}}` },
  });
  ajv.addKeyword({
    keyword: 'x-max-depth',
    validate: (limit: number, value: unknown) => depthOf(value) <= limit,
    error: { message: '', params: ({ schema }) => _`{limit: ${schema}}` },
  });
  ajv.addKeyword({
    keyword: 'x-schema',
    errors: 'full',
    compile: (schema: () => object) => validateWithin(ajv, schema),
  });
  return ajv;
}

/** Validates a value within the schema that is being compiled by that schema. */
function validateWithin(ajv: Ajv, schema: () => object) {
  const compiled = once(() => ajv.compile(schema()));
  const validate: DataValidateFunction = (value: unknown, at?: DataValidationCxt) => {
    const passes = compiled()(value);
    validate.errors = (compiled().errors ?? []).map((error) => ({
      ...error,
      instancePath: `${at?.instancePath ?? ''}${error.instancePath}`,
    }));
    return passes as boolean;
  };
  return validate;
}

function queryValidator(schema: ObjectSchema, validate: (query: unknown) => unknown) {
  const typed = Object.entries(schema.properties ?? {}).filter(
    ([, { type, format }]) => type === 'integer' || type === 'number' || type === 'boolean' || format === 'date-time',
  );
  const readLists = listReader(schema.properties ?? {});
  return (query: Record<string, unknown>) => {
    readLists(query);
    for (const [name, { type, format }] of typed) {
      const text = query[name];
      if (typeof text !== 'string') continue;
      if (type === 'integer' && /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) {
        query[name] = Number(text);
      }
      if (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) query[name] = Number(text);
      if (type === 'boolean' && (text === 'true' || text === 'false')) query[name] = text === 'true';
      if (format === 'date-time') {
        const time = parseTimestamp(text);
        // Normalized, because PostgreSQL does not read every time that RFC 3339 allows (offsets of 16 hours, second 60).
        if (time !== undefined) query[name] = isoTime(time);
      }
    }
    return validate(query);
  };
}

function hasAtMost(value: unknown, limit: number): boolean {
  let left = limit;
  const count = (each: unknown): boolean => {
    if (--left < 0) return false;
    if (each === null || typeof each !== 'object') return true;
    for (const key in each) if (!count((each as Record<string, unknown>)[key])) return false;
    return true;
  };
  return count(value);
}

/** The nesting of a value: 0 for what is neither an array nor an object. */
export function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object' || JSON.isRawJSON(value)) return 0;
  let deepest = 0;
  for (const key in value) deepest = Math.max(deepest, depthOf((value as Record<string, unknown>)[key]));
  return deepest + 1;
}
