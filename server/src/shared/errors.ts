/** One fault of a request. `pointer` is a JSON Pointer into the body (`/fields/0/label`), or `?name` for a query parameter. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** A member's name as a part of a JSON Pointer (RFC 6901). */
export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

export type ErrorStatus = 400 | 401 | 404 | 405 | 429 | 500;

/**
 * A refusal that the caller is told of. Made where it is known, rendered in one place (`http/problem.ts`).
 * `cause` is for the log alone.
 */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly errors: Fault[];
  readonly headers: Record<string, string>;

  constructor(
    status: ErrorStatus,
    code: string,
    detail: string,
    options: { errors?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
  }
}

/** 400 with every fault found. The code of a single fault is the error's own; of several it is `validation_failed`. */
export function invalid(errors: Fault[]): ApiError {
  const first = errors[0];
  if (first && errors.length === 1) return new ApiError(400, first.code, first.detail, { errors });
  return new ApiError(400, 'validation_failed', `The request has ${errors.length} faults.`, { errors });
}

/** 400 for a request that is wrong as a whole. */
export function badRequest(code: string, detail: string, cause?: unknown): ApiError {
  return new ApiError(400, code, detail, { cause });
}

/** 404, the same whether the thing never was, was deleted, or is another account's. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `There is no such ${what}.`);
}

/** Throws `invalid` when there is any fault. */
export function refuse(errors: Fault[]): void {
  if (errors.length > 0) throw invalid(errors);
}
