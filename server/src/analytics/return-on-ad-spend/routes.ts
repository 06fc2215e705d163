import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import type { ContextOf } from '../reports/context.ts';
import { Roas, RoasQuery } from './contract.ts';
import { getRoas } from './get-roas.ts';
import type { EntriesOfPaths } from './keys.ts';

/** `GET /v1/analytics/roas`. */
export function roasRoutes(app: App, contextOf: ContextOf, entriesOfPaths: EntriesOfPaths): void {
  const { get } = routesOf(app);
  get('/v1/analytics/roas', {
    config: { access: 'secret', rate: 'read' },
    tags: ['Analytics'],
    security: [{ token: [] }],
    operationId: 'getRoas',
    summary: 'Get the return on ad spend by the day of the click',
    description:
      'Revenue counts for the day of the click that it is from, cost for the day it was spent, so both speak of the same people. What recent clicks will still earn is forecast from how earlier ones developed (Mack’s chain ladder on the age of each report in days), with an interval. Costs that name no ad group, ad, page or entry are shared by the sessions of their campaign and day.',
    querystring: RoasQuery,
    returns: Roas,
    handle: async ({ caller, query }, reply) =>
      getRoas(await contextOf(caller.accountId, reply), query, entriesOfPaths),
  });
}
