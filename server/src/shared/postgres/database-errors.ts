import { ApiError } from '../errors.ts';

/** Errors that a retry can resolve: serialization failure, deadlock. */
export const RETRY = new Set(['40001', '40P01']);

/** Thrown by the work of a transaction so that it runs again, as what it has read is outdated. */
export class SerializationError extends Error {
  readonly code = '40001';

  constructor(cause: unknown) {
    super('a concurrent change', { cause });
  }
}

/** The server is gone, starting or stopping. */
const CONNECTION = new Set(['57P01', '57P02', '57P03', '08000', '08001', '08003', '08006']);
const SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/** Whether the database could not be reached or was lost during a query. It may be back in a moment. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof ApiError) return isConnectionError(error.cause);
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined) return CONNECTION.has(code) || SYSTEM.has(code);
  return /Connection terminated|connection timeout|is not queryable/.test(message ?? '');
}

/** Whether the database has no space, memory or descriptors left, or cannot read or write a file. That may pass. */
export function isOutOfResources(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: unknown };
  return /^(53[0-9A-Z]{3}|58030|58P01)$/.test(String(code));
}

/** Whether the server allows no more connections. */
export const isOverload = (error: unknown) => (error as { code?: string } | undefined)?.code === '53300';

/** Whether a row or table was locked by other work for too long. */
export const isLockTimeout = (error: unknown) => (error as { code?: string } | undefined)?.code === '55P03';

/** Whether other work was in the way: of the same rows (locks, deadlocks), or of all connections. */
export function isContention(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'overloaded';
  const { code = '' } = (error ?? {}) as { code?: string };
  return RETRY.has(code) || isLockTimeout(error);
}

/** The error of a request that found no free connection or waited too long for a lock. */
export function overloaded(cause?: unknown): ApiError {
  const detail = 'The service is overloaded. Retry after the time in Retry-After.';
  return new ApiError(429, 'overloaded', detail, { cause, headers: { 'retry-after': '1' } });
}

/** The error of a request that ends when something of it may have been committed, and the rest may not. */
export function timedOut(cause: unknown = new Error('the request was not answered in time')): ApiError {
  const detail = 'The request took too long and was given up. It may still take effect; retry it.';
  return new ApiError(500, 'timed_out', detail, { cause, headers: { 'retry-after': '1' } });
}

/** The error of a statement whose request has ended. Its client has gone or has another answer. */
export function requestEnded(cause?: unknown): ApiError {
  return new ApiError(400, 'request_aborted', 'The client closed the connection before the request was complete.', {
    cause,
  });
}
