import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { enqueueJob, Job } from '../jobs/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, refuse } from '../shared/errors.ts';
import { hasMember } from '../shared/http/has-member.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import type { MayConnect } from '../shared/outbound/connect-policy.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { DAY } from '../shared/units.ts';
import {
  CostPlatformList,
  CostSource,
  CostSourceChange,
  CostSourcePage,
  CostSourcePath,
  CostSourcesQuery,
  DeleteQuery,
  NewCostSource,
  RefreshBody,
} from './contract.ts';
import { LIMITS } from './limits.ts';
import { CLEAR_JOB, type ClearParams } from './manage/clear-job.ts';
import { changeSource, createSource } from './manage/manage.ts';
import { deleteSource, findSource, listSources } from './manage/queries.ts';
import { readSource, requireSource, serializePlatforms, serializeSource, sourceUuid } from './manage/serialize.ts';
import type { SourceCredentials } from './manage/source-credentials.ts';
import { READ_JOB, type ReadParams } from './read/read-job.ts';

const URL = '/v1/analytics/cost-sources';
const read = { access: 'secret', rate: 'read' } as const;
/** Only owners decide whose credentials are used. */
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;

/** `/v1/analytics/cost-sources`. */
export function costRoutes(app: App, deps: Deps, store: SourceCredentials, mayConnect: MayConnect): void {
  const { db, clock, pageTokens } = deps;
  const given = () => ({ store, mayConnect, now: clock() });
  const log = (tx: Tx, request: FastifyRequest, action: string, id: string, change: object) =>
    audit(tx, authorOf(request), { action: `cost_source.${action}`, subject: ['cost_source', id], ...change }, clock());

  const { get, post, patch, remove } = routesOf(app, { tags: ['Analytics'], security: [{ token: [] }] });
  get(`${URL}/platforms`, {
    config: read,
    operationId: 'listCostPlatforms',
    summary: 'List the platforms whose costs can be read',
    description: 'With the credentials that each needs.',
    returns: CostPlatformList,
    handle: async () => serializePlatforms(deps.config),
  });

  post(URL, {
    config: { ...write, confirm: true },
    'x-idempotency-key': true,
    operationId: 'createCostSource',
    summary: 'Create a cost source',
    description:
      'Reads what ads cost from an account of an ad platform: each hour the last 30 days, by campaign, ad group and ad, in the currency of the account. Costs of its days and campaigns that were imported by hand are replaced. The credentials are stored encrypted and never returned.',
    body: NewCostSource,
    returns: CostSource,
    handle: (request) => {
      const { accountId } = request.caller;
      return idempotently(db, request, accountId, async (tx) => {
        const created = await createSource(tx, accountId, request.body, given());
        await log(tx, request, 'created', created.id, { after: auditedState(created) });
        return created;
      });
    },
  });

  get(URL, {
    config: read,
    operationId: 'listCostSources',
    summary: 'List cost sources',
    description: 'Oldest first.',
    querystring: CostSourcesQuery,
    returns: CostSourcePage,
    handle: async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, URL],
        query,
        'oldest first',
        (after, limit) => listSources(db, { account_id: accountId, after, limit }),
      );
      return { costSources: rows.map((row) => serializeSource(row)), nextPageToken };
    },
  });

  get(`${URL}/:costSourceId`, {
    config: read,
    operationId: 'getCostSource',
    summary: 'Get a cost source',
    description: 'With what was read last, when it is read next, and why it is paused. Secrets are never returned.',
    params: CostSourcePath,
    returns: CostSource,
    handle: ({ caller, params }) => readSource(db, caller.accountId, params.costSourceId),
  });

  patch(`${URL}/:costSourceId`, {
    config: { ...write, confirm: hasMember('credentials') },
    operationId: 'updateCostSource',
    summary: 'Update a cost source',
    description:
      'Updates the members that are sent, and of `credentials` those that are sent. New credentials or a `mode` resume a paused source, which is then read at once.',
    params: CostSourcePath,
    body: CostSourceChange,
    returns: CostSource,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const { before, after } = await changeSource(tx, caller.accountId, params.costSourceId, body, given());
        await log(tx, request, 'changed', after.id, { before: auditedState(before), after: auditedState(after) });
        if (body.credentials) await log(tx, request, 'credentials_changed', after.id, {});
        return after;
      }),
  });

  remove(`${URL}/:costSourceId`, {
    config: write,
    operationId: 'deleteCostSource',
    summary: 'Delete a cost source',
    description: 'Nothing more is read. What was read stays, unless `deleteCosts` is true.',
    params: CostSourcePath,
    querystring: DeleteQuery,
    returns: CostSource,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, query } = request;
        const key = { account_id: caller.accountId, id: sourceUuid(params.costSourceId) };
        const [row] = await deleteSource(tx, key);
        const deleted = serializeSource(requireSource(row), true);
        const clear: ClearParams = { costSourceId: deleted.id };
        if (query.deleteCosts) await enqueueJob(deps, tx, caller.accountId, CLEAR_JOB, clear, authorOf(request));
        await log(tx, request, 'deleted', deleted.id, { before: auditedState(deleted) });
        return deleted;
      }),
  });

  post(`${URL}/:costSourceId/refresh`, {
    config: { ...write, role: 'editor' },
    operationId: 'refreshCostSource',
    summary: 'Read a cost source now',
    description:
      'Starts a job that reads its costs, or with `dryRun` shows what would be read and stored: `result` has the period, the currency, the totals, the campaigns, and how many costs that were imported by hand are replaced.',
    params: CostSourcePath,
    body: Type.Union([RefreshBody, Type.Null()]),
    returns: Job,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { caller, params, body } = request;
        const [row] = await findSource(tx, { account_id: caller.accountId, id: sourceUuid(params.costSourceId) });
        const source = requireSource(row);
        if (source.pause_reason === 'credentials') {
          throw badRequest('credentials_refused', 'The platform refused the credentials. Replace them first.');
        }
        const from = body?.from ?? undefined;
        if (from !== undefined && clock() - Date.parse(from) > LIMITS.days * DAY) {
          const detail = `\`from\` must be within the last ${LIMITS.days} days.`;
          refuse([{ pointer: '/from', code: 'out_of_range', detail }]);
        }
        if (from !== undefined && Date.parse(from) > clock()) {
          refuse([{ pointer: '/from', code: 'out_of_range', detail: '`from` must not be in the future.' }]);
        }
        const job: ReadParams = {
          costSourceId: params.costSourceId,
          ...(from && { from }),
          ...(body?.dryRun && { dryRun: true }),
        };
        return enqueueJob(deps, tx, caller.accountId, READ_JOB, job, authorOf(request));
      }),
  });
}

const auditedState = ({ platform, name, connection, destinationId, source, mode }: CostSource) => ({
  ...{ platform, name, connection, destinationId, source, mode },
});
