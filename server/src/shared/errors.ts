/**
 * One fault of a request. `pointer` is a JSON Pointer into the body (`/fields/0/label`), `?name` for a query parameter, or empty
 * for the request as a whole.
 */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** Escapes a member name for a JSON Pointer (RFC 6901). Of a name that no schema has, only the start is returned. */
export function escapePointer(member: string): string {
  return (member.length > MAX_NAME ? `${member.slice(0, MAX_NAME)}…` : member)
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');
}

const MAX_NAME = 1_000;

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 429 | 500;

/** An error that is returned to the caller, rendered by `http/problem.ts`. Its `cause` only goes to the log. */
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
    // A 400 lists at least one fault, if necessary the request as a whole.
    this.errors = options.errors ?? (status === 400 ? [{ pointer: '', code, detail }] : []);
    this.headers = options.headers ?? {};
  }
}

/** 400 with every fault found. Its code is that of the first fault. */
export function invalid(errors: Fault[]): ApiError {
  const [first, ...more] = errors;
  if (!first) throw new Error('an invalid request has at least one fault');
  const detail =
    more.length === 0 ? first.detail : `${first.detail} In total, the request has ${errors.length} faults.`;
  return new ApiError(400, first.code, detail, { errors });
}

/** Runs work whose query is the body of the request: what a fault names as a parameter is a member of the body. */
export async function asBody<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors.some(({ pointer }) => pointer.startsWith('?'))) throw error;
    throw invalid(error.errors.map((fault) => ({ ...fault, pointer: fault.pointer.replace(/^\?/, '/') })));
  }
}

/** 400 for a request that is invalid as a whole. */
export function badRequest(code: string, detail: string, cause?: unknown): ApiError {
  return new ApiError(400, code, detail, { cause });
}

/** 404, the same whether the resource never existed, was deleted, or belongs to another account. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `There is no such ${what}.`);
}

/** Throws `invalid` when there is any fault. */
export function refuse(errors: Fault[]): void {
  if (errors.length > 0) throw invalid(errors);
}

/** The error of the database for a change of rows whose account is being moved to another cell. */
export const ACCOUNT_MOVING = 'HW001';

/** Whether nothing was changed because the account is being moved. */
export function isAccountMoving(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === ACCOUNT_MOVING || code === 'account_moving' || (cause !== undefined && isAccountMoving(cause));
}
