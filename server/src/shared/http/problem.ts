import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { ApiError, type ErrorStatus, escapePointer, type Fault } from '../errors.ts';
import { isConnectionError } from '../postgres/database.ts';

export { escapePointer };

/** The one error body: RFC 9457's members, and `code`, `requestId` and `errors`. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A URI that names the kind of error; it ends in `code`' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: 'Stable, snake_case' }),
    requestId: Type.String({ description: 'Also in the `x-request-id` header and in the log' }),
    errors: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'JSON Pointer into the body; `?name` for a query parameter' }),
        code: Type.String(),
        detail: Type.String(),
      }),
      { description: 'Every fault of the request' },
    ),
  },
  { $id: 'Problem', title: 'Problem' },
);

/** The answers that every operation of the interface lists besides its 200. */
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
    400: problem('The request is wrong; `errors` names every fault'),
    401: problem('The token is missing, malformed or revoked, or the session has ended'),
    404: problem('There is no such thing in this account'),
    405: problem('The path exists, the method does not; see `Allow`'),
    429: problem('Too many requests; see `Retry-After`'),
    500: problem('An unexpected condition; quote `requestId`'),
  } as const;
}

export function problemBody(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    type: `urn:headwater:error:${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
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
  message?: string;
  params: Record<string, unknown>;
}

/** Codes of a schema's keywords; any other keyword is its own code. */
const KEYWORD_CODES: Record<string, string> = {
  additionalProperties: 'unknown_property',
  enum: 'not_allowed',
  const: 'not_allowed',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  format: 'format',
  pattern: 'format',
  'x-max-bytes': 'too_large',
  'x-max-depth': 'too_deep',
};

const FORMATS: Record<string, { code: string; detail: string }> = {
  'date-time': {
    code: 'timestamp_invalid',
    detail: 'must be an RFC 3339 time with its offset, such as 2026-11-20T08:00:00Z',
  },
  email: { code: 'email_invalid', detail: 'must be an e-mail address' },
  'http-url': { code: 'url_invalid', detail: 'must be an http or https address' },
};

function faultOf(error: AjvError, isQuery: boolean): Fault {
  const { keyword, params } = error;
  const member = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  const path = member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(String(member))}`;
  const pointer =
    isQuery && path.startsWith('/') ? `?${path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')}` : path;
  const format = FORMATS[String(params.format)];
  if (format) return { pointer, ...format };
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : '';
  const sentence =
    keyword === 'type'
      ? `must be ${String(params.type).split(',').join(' or ')}`
      : keyword === 'required'
        ? 'is required'
        : keyword === 'additionalProperties'
          ? 'is not known here'
          : `${error.message ?? 'is wrong'}${allowed}`;
  return { pointer, code: KEYWORD_CODES[keyword] ?? keyword, detail: sentence };
}

/** Refusals that the framework makes by itself, in the words of the contract: nothing but 400, 401, 404, 405, 429, 500. */
const FRAMEWORK: Record<string, [ErrorStatus, string, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [400, 'content_type_unsupported', 'This content type is not accepted here.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    400,
    'body_too_large',
    'The body is larger than this operation takes; see GET /v1/limits.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body_empty', 'A JSON body is needed.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'json_malformed', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'content_length_wrong', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: [400, 'url_malformed', 'The URL is malformed.'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'not_found', 'There is nothing at this address.'],
  FST_ERR_NOT_FOUND: [404, 'not_found', 'There is nothing at this address.'],
  ECONNRESET: [400, 'request_aborted', 'The request ended before it was complete.'],
  ERR_HTTP_REQUEST_TIMEOUT: [400, 'request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [400, 'headers_too_large', 'The URL and headers are larger than 16 kB.'],
};

/** Where a value may be null or something else, that it is not null says nothing beside what is wrong with it as the other. */
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

/** A body can hold more faults than it has bytes worth answering: the detail counts them all, so many are named. */
const MAX_FAULTS = 1_000;

/** Any thrown thing as the error that the caller is told of. What is not known is a 500 that keeps its cause for the log. */
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
    // A branch's own errors say what is wrong; that no branch fitted says nothing more.
    const told = withoutNulls(
      known.validation.filter((each, _, all) => all.length === 1 || !['anyOf', 'oneOf', 'if'].includes(each.keyword)),
    );
    const errors = told.slice(0, MAX_FAULTS).map((each) => faultOf(each, isQuery));
    const count = told.length === 1 ? 'a fault' : `${told.length} faults`;
    return new ApiError(400, 'validation_failed', `The request has ${count}.`, { errors });
  }
  const mapped = FRAMEWORK[known.code ?? ''];
  if (mapped) return new ApiError(...mapped, { cause: error });
  if (known.statusCode !== undefined && known.statusCode >= 400 && known.statusCode < 500) {
    return new ApiError(400, 'request_malformed', 'The request is malformed.', { cause: error });
  }
  const headers: Record<string, string> = isConnectionError(error) ? { 'retry-after': '1' } : {};
  return new ApiError(500, 'internal_error', 'The service met an unexpected condition.', { cause: error, headers });
}
