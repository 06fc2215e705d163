import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { ContextOf } from '../reports/context.ts';
import { readValueFactors } from '../return-on-ad-spend/value-factors.ts';
import { Discrepancies, DiscrepanciesQuery } from './contract.ts';
import { getDiscrepancies } from './get-discrepancies.ts';

/** `GET /v1/analytics/discrepancies`. */
export function discrepancyRoutes(app: App, contextOf: ContextOf): void {
  const { get } = routesOf(app);
  get('/v1/analytics/discrepancies', {
    config: { access: 'secret', rate: 'read' },
    tags: ['Analytics'],
    security: [{ token: [] }],
    operationId: 'getDiscrepancies',
    summary: 'Compare what ad platforms were told with what is true',
    description:
      'For each destination, the conversions of a period by `createdOn`: what it accepted, what they are worth now, and why these differ, in money.',
    querystring: DiscrepanciesQuery,
    returns: Discrepancies,
    handle: async ({ caller, query }, reply) => {
      const context = await contextOf(caller.accountId, reply);
      const { db, accountId, settings } = context;
      return getDiscrepancies(context, query, (knownOn) => readValueFactors(db, accountId, settings, knownOn));
    },
  });
}
