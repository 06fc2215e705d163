import type { Problem } from './generated.ts';

/** Common error codes. `code` can be any code of the service. */
export type ErrorCode =
  | 'unauthorized'
  | 'not_found'
  | 'version_conflict'
  | 'page_token_invalid'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'unreachable'
  | 'timeout'
  | (string & {});

/** An error response, or a failure to reach the service (`status` 0, code `unreachable` or `timeout`). */
export class HeadwaterError extends Error {
  override readonly name = 'HeadwaterError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Every error of the request. `pointer` is a JSON Pointer into the body, or `?name` for a query parameter. */
  readonly errors: Problem['errors'];
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Of the response; undefined without one. */
  readonly headers: Headers | undefined;

  constructor(
    problem: Partial<Problem> & { status: number; code: ErrorCode; detail: string; headers?: Headers },
    cause?: unknown,
  ) {
    super(problem.detail, cause === undefined ? undefined : { cause });
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.headers = problem.headers;
    this.requestId = problem.requestId ?? problem.headers?.get('x-request-id') ?? undefined;
  }
}

/** Whether a thrown value is a HeadwaterError, optionally with a specific code. */
export function isHeadwaterError(error: unknown, code?: ErrorCode): error is HeadwaterError {
  return error instanceof HeadwaterError && (code === undefined || error.code === code);
}

/** Creates the error for an unsuccessful response. A proxy's response may not be the service's JSON. */
export function errorOfResponse(status: number, text: string, headers: Headers): HeadwaterError {
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string') return new HeadwaterError({ ...problem, status, headers });
  } catch {
    // Not JSON. The status is all there is.
  }
  return new HeadwaterError({
    status,
    code: `http_${status}`,
    detail: `The service responded with status ${status}.`,
    headers,
  });
}

/** Creates the error for a request without a response. */
export function connectionError(cause: unknown): HeadwaterError {
  return (cause as Error).name === 'TimeoutError'
    ? new HeadwaterError({ status: 0, code: 'timeout', detail: 'The service did not respond in time.' }, cause)
    : new HeadwaterError({ status: 0, code: 'unreachable', detail: 'The service could not be reached.' }, cause);
}
