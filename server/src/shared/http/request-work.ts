import { currentWork, type Lane, RequestWork, runAs } from '../postgres/work.ts';
import type { App } from './app.ts';
import { networkOf } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What connections of the route are for; by default that follows from its URL. */
    lane?: Lane;
  }
  interface FastifyRequest {
    work: RequestWork | undefined;
    /** Of ingest, which has no work of its own: see `Refusable`. */
    isRefused: boolean;
    mayHaveEffect: boolean;
    /** See `TurnsOfAccounts`. */
    leaveTurn: (() => void) | undefined;
  }
}

const REPORTS = /^\/v1\/(?:analytics(?!\/report-conversion)|sessions|leads|conversions|unmatched|rejected-requests)\b/;

/** What connections of a route are for, unless it declares that. */
const laneOf = (url: string): Lane => (REPORTS.test(url) ? 'reports' : 'requests');

/**
 * Lets the statements of a request count for its account, and cancels them when the request ends: it was answered, also because
 * its time was over, or its client has gone. What visitors do, and conversions, are recorded all the same.
 */
export function workOfRequests(app: App): void {
  app.decorateRequest('work', undefined);
  app.decorateRequest('isRefused', false);
  app.decorateRequest('leaveTurn', undefined);
  app.decorateRequest('mayHaveEffect', false);
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, lane: route.config?.lane ?? laneOf(route.url) };
  });
  app.addHook('onRequest', (request, reply, next) => {
    const { access, rate, lane = 'requests' } = request.routeOptions.config;
    // Written in batches, which have connections of their own.
    if (access === 'ingest') return next();
    const isPart = currentWork() !== undefined;
    const work = new RequestWork(lane, () => request.caller?.accountId ?? networkOf(request.ip), isPart);
    reply.raw.once('close', () => {
      if (rate !== 'conversion') work.end();
      request.leaveTurn?.();
    });
    request.work = work;
    runAs(work, next);
  });
  // What follows the body follows from the connection that it came from, as far as Node is concerned.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.work === undefined || request.method === 'GET') return next();
    runAs(request.work, next);
  });
}
