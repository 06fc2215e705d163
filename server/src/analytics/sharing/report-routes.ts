import type { FastifyRequest } from 'fastify';
import { findAccount } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { withErrors } from '../../shared/http/problem.ts';
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

  app.get(
    '/shared/report',
    {
      config,
      schema: {
        ...common,
        operationId: 'getSharedReport',
        summary: 'Get what a link shares',
        description: '404 for a link that was revoked; 401 `password_required` until it is unlocked.',
        response: withErrors(SharedReport),
      },
    },
    async (request, reply) => {
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
  );

  app.post(
    '/shared/unlock',
    {
      config,
      schema: {
        ...common,
        security: [{ sharedLink: [] }],
        operationId: 'unlockSharedReport',
        summary: 'Unlock a shared report by its password',
        description: 'After failures, 429 `too_many_attempts` with a growing `Retry-After`.',
        body: Unlock,
        response: withErrors(Unlocked),
      },
    },
    async (request) => ({ access: await unlockLink(deps, request, request.body.password) }),
  );

  app.get(
    '/shared/overview',
    {
      config,
      schema: {
        ...common,
        operationId: 'getSharedOverview',
        summary: 'Get the overview that a link shares',
        description: 'Of an interactive link, the filters of the query apply besides those of the link.',
        querystring: SharedOverviewQuery,
        response: withErrors(Overview),
      },
    },
    async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      const { query } = request;
      const { context, range } = await readingOf(contextOf, { link, reply, query });
      reply.header('cache-control', 'no-store');
      return getOverview(context, { compare: link.report.compare ?? 'previous', ...query, ...range });
    },
  );

  app.get(
    '/shared/breakdown',
    {
      config,
      schema: {
        ...common,
        operationId: 'getSharedBreakdown',
        summary: 'Get a breakdown of the overview that a link shares',
        querystring: SharedBreakdownQuery,
        response: withErrors(Breakdown),
      },
    },
    async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      const { query } = request;
      const { context, range } = await readingOf(contextOf, { link, reply, query });
      reply.header('cache-control', 'no-store');
      return getBreakdown(context, { ...query, ...range });
    },
  );

  app.get(
    '/shared/annotations',
    {
      config,
      schema: {
        ...common,
        operationId: 'listSharedAnnotations',
        summary: 'List the annotations of the overview that a link shares',
        querystring: SharedAnnotationsQuery,
        response: withErrors(SharedAnnotations),
      },
    },
    async (request, reply) => {
      const link = isOverview(await openLink(deps, request));
      if (!link.has_annotations) throw badRequest('not_shared', 'This link shares no annotations.');
      const { range } = await readingOf(contextOf, { link, reply, query: request.query });
      const period = parsePeriod(range, '?');
      const rows = await findAnnotations(deps.db, link.account_id, period, range.timeZone);
      reply.header('cache-control', 'no-store');
      return { annotations: rows.map((row) => serializeNote(row, range.timeZone)) };
    },
  );

  app.get(
    '/shared/funnel',
    {
      config,
      schema: {
        ...common,
        operationId: 'getSharedFunnel',
        summary: 'Get the funnel that a link shares',
        querystring: SharedFunnelQuery,
        response: withErrors(Funnel),
      },
    },
    async (request, reply) => {
      const link = await openLink(deps, request);
      const { funnel } = link.report;
      if (!funnel) throw badRequest('not_shared', 'This link shares the overview.');
      const { context, range } = await readingOf(contextOf, { link, reply, query: request.query });
      reply.header('cache-control', 'no-store');
      return getFunnel(context, { ...funnel, ...range, compare: link.report.compare ?? 'none' });
    },
  );
}
