import type { FastifyRequest } from 'fastify';
import { ApiError } from '../shared/errors.ts';

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Refuses requests that another site makes a browser send with its cookies. With every request that changes something a
 * browser sends the origin of the page and the host it connects to: for the dashboard's own pages scheme and host agree.
 * Behind a proxy that changes the host, the origin is compared with PUBLIC_URL.
 * @throws ApiError 401 `origin_not_allowed`
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  if (SAFE.has(method)) {
    if (site === undefined || site === 'same-origin' || site === 'none') return;
  } else if (site === undefined || site === 'same-origin') {
    const origin = URL.parse(headers.origin ?? '');
    const isOwn = origin?.host === headers.host && origin?.protocol === `${schemeOf(request, publicUrl)}:`;
    if (origin && (isOwn || origin.origin === new URL(publicUrl).origin)) return;
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

/**
 * How browsers reach the service: a page that came over plain http must not act on one over https. The header is believed
 * from anyone, since a page of another site cannot make a browser send it.
 */
function schemeOf({ headers }: FastifyRequest, publicUrl: string): string {
  if (publicUrl.startsWith('https:')) return 'https';
  return (
    String(headers['x-forwarded-proto'] ?? 'http')
      .split(',', 1)[0]
      ?.trim()
      .toLowerCase() ?? 'http'
  );
}
