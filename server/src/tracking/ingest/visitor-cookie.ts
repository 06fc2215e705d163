import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The name of the cookie, which proxies in front of the service let through. */
export const VISITOR_COOKIE = 'hw_id';
/** 400 days, the most that browsers accept. */
const MAX_AGE_S = 400 * 86_400;
const VISITOR = /^[0-9A-Za-z_-]{1,64}$/;

/** Pages of several accounts may share a site: each reads only its own visitors. */
const tagOf = (accountId: string) => hash('sha256', accountId).slice(0, 8);

const readCookie = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${VISITOR_COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1];

/** How the browser says that the site of the page relates to that of the request. No page can set this header. */
export const siteOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  headers['sec-fetch-site'] as string | undefined;

/** Whether the account wants the cookie, and page and service are of one site: never a third party's. */
const usesCookie = (request: FastifyRequest) =>
  request.trackingSettings.firstPartyId &&
  request.caller.type !== 'secret' &&
  ['same-origin', 'same-site'].includes(siteOf(request) ?? '');

/** The visitor that the browser's cookie names. */
export function visitorOf(request: FastifyRequest): string | undefined {
  if (!usesCookie(request)) return undefined;
  const [tag, visitorId = ''] = readCookie(request)?.split('.') ?? [];
  return tag === tagOf(request.caller.accountId) && VISITOR.test(visitorId) ? visitorId : undefined;
}

const cookieOf = (value: string, maxAge: number) =>
  `${VISITOR_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`;

interface Reply {
  header(name: string, value: string): unknown;
}

export const hasCookie = (request: FastifyRequest) => readCookie(request) !== undefined;

export const forgetVisitor = (reply: Reply) => reply.header('set-cookie', cookieOf('', 0));

/**
 * Keeps the visitor of a request in the cookie, for another 400 days.
 * @param visitorId of a visit that was sent with one, which pages do with consent only
 */
export function keepVisitor(request: FastifyRequest, reply: Reply, visitorId: string | undefined): void {
  if (!usesCookie(request)) {
    // The account does not want it any more.
    if (!request.trackingSettings.firstPartyId && hasCookie(request)) forgetVisitor(reply);
    return;
  }
  if (visitorId === undefined) return;
  reply.header('set-cookie', cookieOf(`${tagOf(request.caller.accountId)}.${visitorId}`, MAX_AGE_S));
}
