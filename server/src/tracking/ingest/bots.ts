import type { FastifyRequest } from 'fastify';
import { readUserAgent } from './user-agent.ts';

type Headers = FastifyRequest['headers'];

/** Whether a request comes from a bot, by its user agent, or from a browser that only loads the page in advance. */
export function isBot({ headers }: { headers: Headers }): boolean {
  return readUserAgent(headers['user-agent']).isBot || isPrefetch(headers) || isHeadless(headers);
}

/** Speculative loading: `Sec-Purpose: prefetch;prerender`, and the headers that browsers sent before it was standardized. */
function isPrefetch(headers: Headers): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz'];
  return typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose);
}

/** An automated browser with a changed user agent still identifies itself in the client hint. */
function isHeadless(headers: Headers): boolean {
  const brands = headers['sec-ch-ua'];
  return typeof brands === 'string' && brands.includes('Headless');
}
