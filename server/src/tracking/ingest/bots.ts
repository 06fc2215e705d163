import type { FastifyRequest } from 'fastify';
import { readUserAgent } from './user-agent.ts';

type Headers = FastifyRequest['headers'];

/** Whether a request comes from a bot, by its user agent, or from a browser that only loads the page in advance. */
export function isBot({ headers }: { headers: Headers }): boolean {
  return readUserAgent(headers['user-agent']).isBot || isPrefetch(headers) || isHeadless(headers);
}

/** What crawlers and automated browsers call themselves, but libraries that send requests do not. */
const CRAWLER = /^Mozilla\/|[a-z](?:bot|crawler|spider)\b|externalhit/i;

/**
 * Whether a visit without an `Origin` is one of a bot. Pages send an `Origin` with every POST, so it comes from a server: its library, or a missing
 * user agent, says nothing about the visitor, but a server may pass on the user agent of one.
 */
export function isPassedOnBot(request: { headers: Headers }): boolean {
  return isBot(request) && CRAWLER.test(request.headers['user-agent'] ?? '');
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
