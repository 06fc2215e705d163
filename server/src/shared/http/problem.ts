import { type TSchema, Type } from 'typebox';
import { ApiError, type ErrorStatus, escapePointer, type Fault, invalid, isAccountMoving } from '../errors.ts';
import { isConnectionError, isContention, overloaded } from '../postgres/database-errors.ts';
import { http } from './node-http.ts';

/**
 * Of every response of the API, and of every error. None is a document: a browser that is led to display one loads nothing, and no
 * page frames it.
 */
export const API_SECURITY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export { escapePointer };

/** The body of every error: the members of RFC 9457, and `code`, `requestId` and `errors`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URI for the type of error, which ends in `code`' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: 'Stable, in snake_case. The same as the code of the first entry of `errors`' }),
    requestId: Type.String({ description: 'Also in the `x-request-id` header and in the log' }),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({
          description: 'JSON Pointer into the body; `?name` for a query parameter; empty for the request as a whole',
        }),
        code: Type.String(),
        detail: Type.String(),
      }),
      { description: 'Every fault of the request' },
    ),
  },
  { $id: 'Problem', title: 'Problem' },
);

/** The responses of an operation: its 200 and the errors that every operation can return. */
export function withErrors<T extends TSchema>(ok: T) {
  const problem = (description: string) => ({
    description,
    content: {
      'application/json': { schema: Type.Ref('Problem') },
      'application/problem+json': { schema: Type.Ref('Problem') },
    },
  });
  return {
    200: ok,
    400: problem('The request is invalid; `errors` lists every fault'),
    401: problem('The token is missing, malformed or revoked, or the session has ended'),
    403: problem('The session views the account as a role, and changes nothing meanwhile'),
    404: problem('Not found in this account'),
    405: problem('The path does not support this method; see `Allow`'),
    429: problem('Too many requests; see `Retry-After`'),
    500: problem('Unexpected error; quote `requestId` when reporting it'),
  } as const;
}

export function problemBody(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    type: `urn:headwater:error:${error.code}`,
    title: http.STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    errors: error.errors,
  };
}

interface AjvError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
}

/** Codes of a schema's keywords; any other keyword is its own code, in snake_case. */
const KEYWORD_CODES: Record<string, string> = {
  additionalProperties: 'unknown_property',
  enum: 'not_allowed',
  const: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate',
  format: 'format',
  pattern: 'format',
  'x-max-bytes': 'too_large',
  'x-max-depth': 'too_deep',
};

const FORMATS: Record<string, { code: string; detail: string }> = {
  'date-time': {
    code: 'timestamp_invalid',
    detail: 'must be an RFC 3339 time with an offset, such as 2026-11-20T08:00:00Z',
  },
  date: { code: 'date_invalid', detail: 'must be a day, such as 2026-11-20' },
  email: { code: 'email_invalid', detail: 'must be an email address' },
  'http-url': { code: 'url_invalid', detail: 'must be an http or https URL' },
};

const characters = (limit: unknown) => `${limit} character${limit === 1 ? '' : 's'}`;

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** What a violated keyword means, as the end of a sentence that starts with the pointer. */
const SENTENCES: Record<string, (params: Record<string, unknown>) => string> = {
  type: ({ type }) =>
    `must be ${String(type)
      .split(',')
      .map((each) => TYPES[each] ?? each)
      .join(' or ')}`,
  required: () => 'is required',
  additionalProperties: () => 'is not a known member',
  enum: ({ allowedValues }) => `must be one of: ${(allowedValues as unknown[]).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) => `must have at least ${characters(limit)}`,
  maxLength: ({ limit }) => `must have at most ${characters(limit)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be above ${limit}`,
  minItems: ({ limit }) => `must have at least ${limit} items`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minProperties: ({ limit }) => `must have at least ${limit} members`,
  maxProperties: ({ limit }) => `must have at most ${limit} members`,
  uniqueItems: ({ i, j }) =>
    `must not contain an item twice (items ${Math.min(Number(i), Number(j))} and ${Math.max(Number(i), Number(j))})`,
  pattern: ({ pattern }) => (pattern === '\\S' ? 'must not be blank' : `must match the pattern ${pattern}`),
  'x-max-bytes': ({ limit }) => `must have at most ${limit} bytes as JSON`,
  'x-max-depth': ({ limit }) => `must be nested at most ${limit} levels deep`,
};

const snakeCase = (keyword: string) => keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function faultOf(error: AjvError, isQuery: boolean): Fault {
  const { keyword, params } = error;
  const member = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  const path = member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(String(member))}`;
  const pointer =
    isQuery && path.startsWith('/') ? `?${path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')}` : path;
  const format = FORMATS[String(params.format)];
  const name = pointer === '' ? 'The body' : `\`${pointer}\``;
  if (format) return { pointer, code: format.code, detail: `${name} ${format.detail}.` };
  const sentence = SENTENCES[keyword]?.(params) ?? 'is invalid';
  return { pointer, code: KEYWORD_CODES[keyword] ?? snakeCase(keyword), detail: `${name} ${sentence}.` };
}

/** Errors of the framework, mapped to the statuses of the contract: 400, 401, 404, 405, 429, 500. */
const FRAMEWORK: Record<string, [ErrorStatus, string, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    400,
    'content_type_unsupported',
    'This operation does not accept this content type. Send application/json.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    400,
    'body_too_large',
    'The body exceeds the limit of this operation; see GET /v1/limits.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body_empty', 'A JSON body is required.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'json_malformed', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'content_length_wrong',
    'The length of the body does not match Content-Length.',
  ],
  FST_ERR_BAD_URL: [400, 'url_malformed', 'The URL is malformed.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found', 'There is no such path.'],
  FST_ERR_NOT_FOUND: [404, 'not_found', 'There is no such path.'],
  Z_DATA_ERROR: [400, 'content_encoding_invalid', 'The body is not valid gzip.'],
  Z_BUF_ERROR: [400, 'content_encoding_invalid', 'The gzip body is incomplete.'],
  ERR_HTTP_REQUEST_TIMEOUT: [400, 'request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [400, 'headers_too_large', 'The URL and headers exceed 16 kB.'],
};

/** Drops `must be null` for a value that may also have another type, when a more specific error explains it. */
function withoutNulls(errors: readonly AjvError[]): AjvError[] {
  const isNull = ({ keyword, params }: AjvError) => keyword === 'type' && params.type === 'null';
  const nullable = new Set(errors.filter(isNull).map(({ instancePath }) => instancePath));
  if (nullable.size === 0) return [...errors];
  const explained = new Set<string>();
  for (const error of errors) {
    if (isNull(error)) continue;
    for (let path = error.instancePath; ; path = path.slice(0, path.lastIndexOf('/'))) {
      explained.add(path);
      if (path === '') break;
    }
  }
  return errors
    .filter((error) => !isNull(error) || !explained.has(error.instancePath))
    .map((error) =>
      error.keyword === 'type' && !isNull(error) && nullable.has(error.instancePath)
        ? { ...error, params: { type: `${error.params.type},null` } }
        : error,
    );
}

/** A body can have more faults than are worth returning; only so many are listed. */
const MAX_FAULTS = 1_000;

/** Converts anything thrown to the error to return. An unknown error is a 500 that keeps its cause for the log. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = error as {
    code?: string;
    statusCode?: number;
    validation?: AjvError[];
    validationContext?: string;
  } & Error;
  if (known.validation) {
    const isQuery = known.validationContext === 'querystring';
    // The errors of the branches say what is wrong; that no branch matched adds nothing.
    const found = withoutNulls(
      known.validation.filter((each, _, all) => all.length === 1 || !['anyOf', 'oneOf', 'if'].includes(each.keyword)),
    );
    return invalid(found.slice(0, MAX_FAULTS).map((each) => faultOf(each, isQuery)));
  }
  const mapped = FRAMEWORK[known.code ?? ''];
  if (mapped) return new ApiError(...mapped, { cause: error });
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500) {
    return new ApiError(400, 'request_malformed', 'The request is malformed.', { cause: error });
  }
  // Rolled back, after it ran several times.
  if (isContention(error)) return overloaded(error);
  if (isAccountMoving(error)) {
    const detail = 'The account is being moved. Retry after the time in Retry-After.';
    return new ApiError(500, 'account_moving', detail, { cause: error, headers: { 'retry-after': '1' } });
  }
  const headers: Record<string, string> = isConnectionError(error) ? { 'retry-after': '1' } : {};
  return new ApiError(500, 'internal_error', 'An unexpected error occurred. Quote the requestId when you report it.', {
    cause: error,
    headers,
  });
}
