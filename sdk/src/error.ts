import type { Problem } from './generated.ts';

/** Codes that a program is likely to tell apart; the service has more, and `code` is any of them. */
export type ErrorCode =
  | 'unauthorized'
  | 'not_found'
  | 'validation_failed'
  | 'version_conflict'
  | 'page_token_invalid'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'unreachable'
  | 'timeout'
  | (string & {});

/** Whatever the service refused, or that it could not be reached (`status` 0, code `unreachable` or `timeout`). */
export class HeadwaterError extends Error {
  override readonly name = 'HeadwaterError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Every fault of the request, by JSON Pointer into the body or `?name` of a query parameter. */
  readonly errors: Problem['errors'];
  /** To be quoted where the fault is the service's. */
  readonly requestId: string | undefined;

  constructor(problem: Partial<Problem> & { status: number; code: ErrorCode; detail: string }, cause?: unknown) {
    super(problem.detail, cause === undefined ? undefined : { cause });
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
  }
}

/** Whether something thrown is an error of the service, and of this code where one is given. */
export function isHeadwaterError(error: unknown, code?: ErrorCode): error is HeadwaterError {
  return error instanceof HeadwaterError && (code === undefined || error.code === code);
}

/** The error that an answer other than a success stands for; a proxy's answer need not be the service's JSON. */
export function errorOfAnswer(status: number, text: string, requestId: string | null): HeadwaterError {
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string') return new HeadwaterError({ ...problem, status });
  } catch {
    // Not JSON: told by its status below.
  }
  return new HeadwaterError({
    status,
    code: `http_${status}`,
    detail: `The service answered ${status}.`,
    ...(requestId !== null && { requestId }),
  });
}
