import type { Outcome } from '../../shared/outbound/sender.ts';
import type { Verdict } from './platform.ts';

/** Failures after which the platform cannot have received the request. */
const NOT_SENT =
  /^(?:connection_refused|dns_failed|host_unreachable|address_not_allowed|tls_failed|internal_error|token_unavailable)/;

/** What the HTTP status of a response says, for what a platform does not document otherwise. */
export function readStatus({ status, error, response }: Outcome): Verdict {
  const message = response ?? error ?? '';
  if (status === null) return { type: NOT_SENT.test(error ?? '') ? 'unavailable' : 'lost', message };
  if (status === 429) return { type: 'throttled', message };
  if (status === 401 || status === 403 || status === 404 || status === 405) return { type: 'credentials', message };
  if (status >= 200 && status < 300) return error === null ? { type: 'accepted' } : { type: 'lost', message };
  if (status === 408 || status >= 500) return { type: 'lost', message };
  if (status >= 400) return { type: 'refused', reason: 'refused', message };
  return { type: 'unavailable', message };
}

/** The JSON of a response; undefined if it is none. */
export function jsonOf({ response }: Outcome): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(response ?? '');
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A member of a JSON object, if it is an object. */
export function objectAt(value: unknown, member: string): Record<string, unknown> | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const found = (value as Record<string, unknown>)[member];
  return found !== null && typeof found === 'object' ? (found as Record<string, unknown>) : undefined;
}

/** A member of a JSON object, if it is an array. */
export function arrayAt(value: unknown, member: string): unknown[] {
  const found = objectAt(value, member);
  return Array.isArray(found) ? found : [];
}
