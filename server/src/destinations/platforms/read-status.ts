import type { Outcome } from '../../shared/outbound/sender.ts';
import type { Verdict } from './platform.ts';

/** Failures after which the platform cannot have received the request. */
const NOT_SENT =
  /^(?:connection_refused|dns_failed|host_unreachable|address_not_allowed|tls_failed|internal_error|token_unavailable)/;

/** Statuses that say something about the events of a request. Every other 4xx is about the request as such. */
const OF_EVENTS = new Set([400, 409, 413, 422]);

/** What the HTTP status of a response says, for what a platform does not document otherwise. */
export function readStatus({ status, error, response }: Outcome): Verdict {
  const message = response ?? error ?? '';
  if (status === null) return { type: NOT_SENT.test(error ?? '') ? 'unavailable' : 'lost', message };
  if (status === 429) return { type: 'throttled', message };
  if (status === 401) return { type: 'credentials', message };
  if (status >= 200 && status < 300) return error === null ? { type: 'accepted' } : { type: 'lost', message };
  if (status === 408 || status >= 500) return { type: 'lost', message };
  if (OF_EVENTS.has(status)) return { type: 'refused', reason: 'refused', message };
  // A missing permission (403), a retired version or endpoint (404, 410, 426, a redirection): no event is at fault.
  return { type: 'access', message };
}

/** The JSON of a response; undefined if it is none. */
export function jsonOf({ response }: Pick<Outcome, 'response'>): Record<string, unknown> | undefined {
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
