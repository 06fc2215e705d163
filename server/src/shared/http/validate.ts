import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseTimestamp } from '../time.ts';

// Something on both sides of one @, no white space: whether it can be delivered to, only a letter would tell.
const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface ObjectSchema {
  properties?: Record<string, { type?: string }>;
}

/**
 * Compiles a route's schemas, so that one validation names every fault. Bodies are taken as they are. A query is text: only
 * its integers and booleans are read, and only if written plainly.
 *
 * Beyond JSON Schema: the formats `date-time` (RFC 3339, a time that exists), `email` and `http-url`, and the keywords
 * `x-max-bytes` (of the value as JSON) and `x-max-depth` (of nesting, the value itself being the first level).
 */
export function validatorCompiler() {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', (text) => parseTimestamp(text) !== undefined);
  ajv.addFormat('email', (text) => text.length <= 320 && EMAIL.test(text.trim()));
  ajv.addFormat('http-url', (text) => {
    const protocol = URL.parse(text)?.protocol;
    return protocol === 'http:' || protocol === 'https:';
  });
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    validate: (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit,
    error: { message: ({ schema }) => `must have at most ${schema} bytes as JSON` },
  });
  ajv.addKeyword({
    keyword: 'x-max-depth',
    validate: (limit: number, value: unknown) => depthOf(value) <= limit,
    error: { message: ({ schema }) => `must be nested at most ${schema} deep` },
  });
  return ({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
    const validate = ajv.compile(schema as object);
    return (httpPart === 'querystring' ? queryValidator(schema as ObjectSchema, validate) : validate) as never;
  };
}

function queryValidator(schema: ObjectSchema, validate: ReturnType<Ajv['compile']>) {
  const typed = Object.entries(schema.properties ?? {}).filter(
    ([, { type }]) => type === 'integer' || type === 'boolean',
  );
  return (query: Record<string, unknown>) => {
    for (const [name, { type }] of typed) {
      const text = query[name];
      if (typeof text !== 'string') continue;
      if (type === 'integer' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
      if (type === 'boolean' && (text === 'true' || text === 'false')) query[name] = text === 'true';
    }
    return validate(query) ? { value: query } : { error: validate.errors };
  };
}

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let deepest = 0;
  for (const key in value) deepest = Math.max(deepest, depthOf((value as Record<string, unknown>)[key]));
  return deepest + 1;
}
