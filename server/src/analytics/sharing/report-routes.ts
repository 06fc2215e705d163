import type { FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { findAnnotations, serializeNote } from '../annotations/annotation.ts';
import { SharedAnnotations } from '../annotations/contract.ts';
import { Breakdown, Overview } from '../contract.ts';
import { getBreakdown } from '../reports/breakdown.ts';
import type { ContextOf } from '../reports/context.ts';
import { Funnel } from '../reports/contract.ts';
import { getFunnel } from '../reports/funnel.ts';
import { getOverview } from '../reports/overview.ts';
import { parsePeriod } from '../reports/periods.ts';
import {
  SharedAnnotationsQuery,
  SharedBreakdownQuery,
  SharedFunnelQuery,
  SharedOverviewQuery,
  SharedReport,
  Unlock,
  Unlocked,
} from './contract.ts';
import { accountOfToken } from './link-token.ts';
import { openLink, readingOf, unlockLink } from './open-link.ts';
import type { LinkRow } from './queries.ts';

/** `/shared`: the report of a shared link, for anyone who has it. The token is in a header, not in URLs, which are logged. */
export function sharedReportRoutes(app: App, deps: Deps, contextOf: ContextOf): void {
  const config = {
    access: 'page',
    accountOf: ({ headers }: FastifyRequest) => accountOfToken(headers['x-shared-link']),
  } as const;
  const common = { tags: ['Shared reports'], security: [{ sharedLink: [], sharedAccess: [] }] };
  const isOverview = (link: LinkRow) => {
    if (link.report.funnel) throw badRequest('not_shared', 'This link shares a funnel.');
    return link;
  };

  const { get, post } = routesOf(app, common);
  get('/shared/report', {
    config,
    operationId: 'getSharedReport',
    summary: 'Get what a link shares',
    description: '404 for a link that was revoked; 401 `password_required` until it is unlocked.',
    returns: SharedReport,
    handle: async (request, reply) => {
      const link = await openLink(deps, request);
      const { context, range } = await readingOf(contextOf, { link, reply, query: {} });
      const [account] = await findAccount(deps.control, { id: link.account_id });
      const { compare = 'previous', filters = {}, funnel = null } = link.report;
      reply.header('cache-control', 'no-store');
      return {
        ...{ name: link.name, account: account?.name ?? '', isInteractive: link.is_interactive },
        hasAnnotations: link.has_annotations,
        ...{ ...range, timeZone: context.settings.timeZone, compare, filters, funnel },
      };
    },
  });

  post('/shared/unlock', {
    config,
    security: [{ sharedLink: [] }],
    operationId: 'unlockSharedReport',
    summary: 'Unlock a shared report by its password',
    description: 'After failures, 429 `too_many_attempts` with a growing `Retry-After`.',
    body: Unlock,
    returns: Unlocked,
    handle: async (request) => ({ access: await unlockLink(deps, request, request.body.password) }),
  });

  get('/shared/overview', {
    config,
    operationId: 'getSharedOverview',
    summary: 'Get the overview that a link shares',
    description: 'Of an interactive link, the filters of the query apply besides those of the link.',
    querystring: SharedOverviewQuery,
    returns: Overview,
    handle: async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      const { query } = request;
      const { context, range } = await readingOf(contextOf, { link, reply, query });
      reply.header('cache-control', 'no-store');
      return getOverview(context, { compare: link.report.compare ?? 'previous', ...query, ...range });
    },
  });

  get('/shared/breakdown', {
    config,
    operationId: 'getSharedBreakdown',
    summary: 'Get a breakdown of the overview that a link shares',
    description: 'As `GET /v1/analytics/breakdown`, for the period and filters of the link.',
    querystring: SharedBreakdownQuery,
    returns: Breakdown,
    handle: async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      const { query } = request;
      const { context, range } = await readingOf(contextOf, { link, reply, query });
      reply.header('cache-control', 'no-store');
      return getBreakdown(context, { ...query, ...range });
    },
  });

  get('/shared/annotations', {
    config,
    operationId: 'listSharedAnnotations',
    summary: 'List the annotations of the overview that a link shares',
    description: 'Those of the period. A link without annotations is 400 `not_shared`.',
    querystring: SharedAnnotationsQuery,
    returns: SharedAnnotations,
    handle: async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      if (!link.has_annotations) throw badRequest('not_shared', 'This link shares no annotations.');
      const { range } = await readingOf(contextOf, { link, reply, query: request.query });
      const period = parsePeriod(range, '?');
      const rows = await findAnnotations(deps.db, link.account_id, period, range.timeZone);
      reply.header('cache-control', 'no-store');
      return { annotations: rows.map((row) => serializeNote(row, range.timeZone)) };
    },
  });

  get('/shared/funnel', {
    config,
    operationId: 'getSharedFunnel',
    summary: 'Get the funnel that a link shares',
    description:
      'As `POST /v1/analytics/funnel`, with the steps of the link. A link to the overview is 400 `not_shared`.',
    querystring: SharedFunnelQuery,
    returns: Funnel,
    handle: async (request, reply) => {
      const link = await openLink(deps, request);
      const { funnel } = link.report;
      if (!funnel) throw badRequest('not_shared', 'This link shares the overview.');
      const { context, range } = await readingOf(contextOf, { link, reply, query: request.query });
      reply.header('cache-control', 'no-store');
      return getFunnel(context, { ...funnel, ...range, compare: link.report.compare ?? 'none' });
    },
  });
}
