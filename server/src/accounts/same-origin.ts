import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses what a page of another site makes a browser send along with its cookies. A browser names the origin of the page
 * with every request that changes something, and names the host as it sees it: the two are the same for the dashboard's
 * own pages. Behind a proxy that changes the host, PUBLIC_URL says the origin.
 * @throws ApiError 401 `origin_not_allowed`
 */
export function requireSameOrigin({ method, headers }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (SAFE.has(method)) {
    if (site === undefined || site === 'same-origin' || site === 'none') return;
  } else if (site === undefined || site === 'same-origin') {
    const origin = URL.parse(headers.origin ?? '');
    if (origin && (origin.host === headers.host || origin.origin === new URL(publicUrl).origin)) return;
  }
  throw new ApiError(401, 'origin_not_allowed', 'A session is good for the pages of the dashboard alone.', {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}
