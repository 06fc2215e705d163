import type { FastifyRequest } from 'fastify';
import { readUserAgent } from './user-agent.ts';

type Headers = FastifyRequest['headers'];

/** Whether no person is behind a request: by its user agent, or because the browser only looks ahead. */
export function isBot({ headers }: { headers: Headers }): boolean {
  return readUserAgent(headers['user-agent']).isBot || isPrefetch(headers) || isHeadless(headers);
}

/**
 * Whether a request comes from a server's own HTTP library, which is no bot (interface: POST /v1/events). A browser names
 * the origin of every POST it makes, so where there is none, what calls itself a library, or nothing, is one.
 */
export function isServer({ headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>): boolean {
  return caller.kind === 'secret' || (headers.origin === undefined && readUserAgent(headers['user-agent']).isLibrary);
}

/** Speculative loading: `Sec-Purpose: prefetch;prerender`, and what browsers sent before it was agreed on. */
function isPrefetch(headers: Headers): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz'];
  return typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose);
}

/** Driven browsers whose user agent was changed still name themselves in the client hint. */
function isHeadless(headers: Headers): boolean {
  const brands = headers['sec-ch-ua'];
  return typeof brands === 'string' && brands.includes('Headless');
}
