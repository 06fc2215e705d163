import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses requests that another site makes a browser send with its cookies. With every request that changes something a
 * browser sends the origin of the page and the host it connects to: for the dashboard's own pages the two agree. Behind a
 * proxy that changes the host, the origin is compared with PUBLIC_URL.
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
  throw new ApiError(
    401,
    'origin_not_allowed',
    'A dashboard session can only be used from the pages of the dashboard.',
    {
      headers: { 'www-authenticate': 'Bearer realm="headwater"' },
    },
  );
}
