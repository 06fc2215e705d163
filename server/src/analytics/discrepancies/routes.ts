import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { isoTime } from '../../shared/time.ts';
import type { ContextOf } from '../reports/context.ts';
import { getRoas } from '../return-on-ad-spend/get-roas.ts';
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
      return getDiscrepancies(context, query, async (from, to, knownOn) => {
        const { total } = await getRoas(context, { from, to, asKnownOn: isoTime(knownOn) }, async () => new Map());
        return total.maturity;
      });
    },
  });
}
