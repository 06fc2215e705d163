import type { FastifyRequest } from 'fastify';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError, badRequest, type ErrorStatus, invalid, notFound } from '../shared/errors.ts';
import { callAs } from '../shared/http/call-as.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { newUuid, parseId, publicId, uuidTime } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { MINUTE } from '../shared/units.ts';
import { nameAuthors } from '../users/index.ts';
import {
  BulkChange,
  ConversionReports,
  EntryChanges,
  Plan,
  PlanPage,
  PlanPath,
  PlansQuery,
  SchemaChanges,
} from './contract.ts';
import type { CallRoute, Draft } from './kind.ts';
import { type KindName, kindOf } from './kinds.ts';
import { planConversions } from './plan-conversions.ts';
import { planBulkChange, planEntries } from './plan-entries.ts';
import { planSchema } from './plan-schema.ts';
import { claimPlan, findPlan, finishPlan, insertPlan, listPlans, type PlanRow } from './queries.ts';

const URL = '/v1/plans';
const MAX_BYTES = 1_000_000;
const MAX_CLIENT_LENGTH = 100;
/** A plan that is being applied for longer was left by a process that ended. */
const LEFT_MS = MINUTE;

/** What a change was refused for because something is no longer as it was planned. */
const OUTDATED = new Set(['version_conflict', 'not_found', 'count_changed', 'schema_changed']);

export function planRoutes(app: App, deps: Deps): void {
  const { db, clock, pageTokens } = deps;
  const read = { access: 'secret', rate: 'read' } as const;
  // Each change that a plan consists of is checked as a request of whoever asks, and again of whoever applies it.
  const decide = { access: 'secret', rate: 'write', takesLong: true } as const;
  const propose = { ...decide, role: 'viewer' } as const;
  const { get, post } = routesOf(app, { tags: ['Plans'], security: [{ token: [] }] });

  const plan = async (request: FastifyRequest, kind: KindName, draft: Draft<unknown>): Promise<Plan> => {
    const [sent, preview] = [JSON.stringify(draft.request), JSON.stringify(draft.preview)];
    if (sent.length + preview.length > MAX_BYTES) {
      throw badRequest('plan_too_large', 'The plan is larger than 1 MB. Plan it in parts.');
    }
    const author = authorOf(request);
    const row = await db.transaction(async (tx) => {
      const [made] = await insertPlan(tx, {
        account_id: author.accountId,
        id: newUuid(clock()),
        kind,
        request: sent,
        preview,
        state: draft.state,
        client: clientOf(request),
        author_type: author.type,
        author_id: author.id,
      });
      if (!made) throw new Error('a plan was not stored');
      await auditPlan(tx, request, 'plan.made', made, clock());
      return made;
    });
    return serialize(deps, author.accountId, row);
  };

  post(`${URL}/entry-changes`, {
    config: propose,
    operationId: 'planEntryChanges',
    summary: 'Plan changes of entries',
    description:
      'Stores what would change, by field, and changes nothing. The plan waits for `POST /v1/plans/{planId}/apply`.',
    body: EntryChanges,
    returns: Plan,
    handle: async (request) => plan(request, 'entries', await planEntries(callFor(request), request.body.operations)),
  });
  post(`${URL}/bulk-changes`, {
    config: propose,
    operationId: 'planBulkChange',
    summary: 'Plan a change of all entries that match',
    description: 'As the plan of single entries, for the entries that match now, up to 1,000.',
    body: BulkChange,
    returns: Plan,
    handle: async (request) => plan(request, 'entries', await planBulkChange(callFor(request), request.body)),
  });
  post(`${URL}/conversions`, {
    config: propose,
    operationId: 'planConversions',
    summary: 'Plan reports of conversions',
    description: 'Stores which conversions the reports would create or restate, and by how much their value changes.',
    body: ConversionReports,
    returns: Plan,
    handle: async (request) =>
      plan(request, 'conversions', await planConversions(callFor(request), request.body.reports)),
  });
  post(`${URL}/schema`, {
    // The schema has the webhooks, as in its own route.
    config: { ...decide, role: 'owner' },
    operationId: 'planSchema',
    summary: 'Plan a change of the schema',
    description: 'Stores the changes that `PUT /v1/schema` would make, and what they would lose.',
    body: SchemaChanges,
    returns: Plan,
    handle: async (request) => {
      const { schema, allowDataLoss = false } = request.body;
      return plan(request, 'schema', await planSchema(callFor(request), { schema, allowDataLoss }));
    },
  });

  get(URL, {
    config: read,
    operationId: 'listPlans',
    summary: 'List plans',
    description: 'Newest first, for 90 days. A role of the account sees the plans that were made with it.',
    querystring: PlansQuery,
    returns: PlanPage,
    handle: async ({ caller, query }) => {
      const { accountId } = caller;
      const { status = null } = query;
      const author_id = ownerOf(caller);
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, URL, status, author_id],
        query,
        'newest first',
        (before, limit) => listPlans(db, { account_id: accountId, before, status, author_id, limit }),
      );
      return { plans: await serializeAll(deps, accountId, rows), nextPageToken };
    },
  });
  get(`${URL}/:planId`, {
    config: read,
    operationId: 'getPlan',
    summary: 'Get a plan',
    description:
      'With a preview of its changes, and who decided about it. Callers with a limited role get only their own plans.',
    params: PlanPath,
    returns: Plan,
    handle: async ({ caller, params }) => serialize(deps, caller.accountId, await find(caller, params.planId)),
  });

  const find = async (caller: FastifyRequest['caller'], planId: string): Promise<PlanRow> => {
    const id = parseId('pln', planId);
    const [row] = id === undefined ? [] : await findPlan(db, { account_id: caller.accountId, id });
    const owner = ownerOf(caller);
    if (!row || (owner !== null && row.author_id !== owner)) throw notFound('plan');
    return row;
  };

  /** @throws ApiError 400 `plan_not_…` if it has another status */
  const claim = async (request: FastifyRequest, row: PlanRow, from: PlanRow['status'], to: PlanRow['status']) => {
    const { accountId: account_id, type: by_type, id: by_id } = authorOf(request);
    const now = clock();
    const [claimed] = await claimPlan(db, {
      ...{ account_id, id: row.id, from, to, by_type, by_id, now: new Date(now), left: new Date(now - LEFT_MS) },
    });
    if (claimed) return claimed;
    const [{ status } = row] = await findPlan(db, { account_id, id: row.id });
    throw badRequest(`plan_not_${from}`, `The plan is ${status}, not ${from}.`);
  };

  const finish = async (
    request: FastifyRequest,
    row: PlanRow,
    status: PlanRow['status'],
    more: { reason?: string; result?: unknown } = {},
  ) => {
    const { accountId } = request.caller;
    const finished = await db.transaction(async (tx) => {
      const [done] = await finishPlan(tx, {
        ...{ account_id: accountId, id: row.id, status, reason: more.reason ?? null },
        result: more.result === undefined ? null : JSON.stringify(more.result),
      });
      if (!done) throw notFound('plan');
      if (status !== 'waiting') await auditPlan(tx, request, `plan.${status}`, done, clock());
      return done;
    });
    return serialize(deps, accountId, finished);
  };

  post(`${URL}/:planId/apply`, {
    config: decide,
    operationId: 'applyPlan',
    summary: 'Apply a plan',
    description:
      'Carries out exactly what was planned, with the rights of the caller, if nothing that it depends on has changed since. Otherwise nothing ' +
      'changes, the plan is `stale`, and the response 400 `plan_stale`.',
    params: PlanPath,
    returns: Plan,
    handle: async (request) => {
      const found = await find(request.caller, request.params.planId);
      const row = await claim(request, found, 'waiting', 'applying');
      const call = callFor(request);
      const kind = kindOf(row.kind);
      const key = publicId('pln', row.id);
      try {
        const known = found.status === 'applying' ? await kind.findResult?.(call, row.request, key) : undefined;
        if (known !== undefined) return await finish(request, row, 'applied', { result: known });
        const state = await kind.readState?.(call, row.request);
        if (state !== undefined && state !== row.state)
          throw badRequest('version_conflict', 'It has changed since it was planned.');
        const result = await kind.apply(call, row.request, key, clock());
        return await finish(request, row, 'applied', { result });
      } catch (error) {
        if (!(error instanceof ApiError) || !OUTDATED.has(error.code)) {
          // Whoever may do it, or later, can apply it.
          if (found.status === 'waiting' && error instanceof ApiError && error.status < 500)
            await finish(request, row, 'waiting');
          throw error;
        }
        await finish(request, row, 'stale', { reason: error.message });
        throw badRequest('plan_stale', `Nothing was changed: ${error.message} Make a new plan.`, error);
      }
    },
  });
  post(`${URL}/:planId/undo`, {
    config: decide,
    operationId: 'undoPlan',
    summary: 'Undo a plan',
    description: 'Takes back what a plan changed, unless that was changed since.',
    params: PlanPath,
    returns: Plan,
    handle: async (request) => {
      const row = await find(request.caller, request.params.planId);
      if (row.status !== 'applied') throw badRequest('plan_not_applied', `The plan is ${row.status}, not applied.`);
      await kindOf(row.kind).undo(callFor(request), row.request, row.result, `${publicId('pln', row.id)} undo`);
      return finish(request, await claim(request, row, 'applied', 'undone'), 'undone');
    },
  });
  post(`${URL}/:planId/dismiss`, {
    config: decide,
    operationId: 'dismissPlan',
    summary: 'Dismiss a plan',
    description: 'It is not applied, and stays in the list.',
    params: PlanPath,
    returns: Plan,
    handle: async (request) => {
      const row = await find(request.caller, request.params.planId);
      return finish(request, await claim(request, row, 'waiting', 'dismissed'), 'dismissed');
    },
  });
}

/** Whose plans a caller sees: undefined for all, as they may contain what a role must not read. */
function ownerOf(caller: FastifyRequest['caller']): string | null {
  const isLimited = caller.access !== undefined || (caller.type === 'user' && caller.area !== null);
  if (!isLimited) return null;
  return caller.type === 'user' ? caller.userId : caller.keyId;
}

const clientOf = ({ headers }: FastifyRequest) => headers['user-agent']?.slice(0, MAX_CLIENT_LENGTH) ?? null;

async function auditPlan(
  tx: Parameters<typeof audit>[0],
  request: FastifyRequest,
  action: string,
  row: PlanRow,
  now: number,
) {
  const after = { kind: row.kind, rows: row.preview.rows, client: clientOf(request) };
  await audit(tx, authorOf(request), { action, subject: ['plan', publicId('pln', row.id)], after }, now);
}

/** Calls routes as whoever makes a request. */
function callFor(request: FastifyRequest): CallRoute {
  return async <Response>(route: string, body?: unknown, headers?: Record<string, string>) => {
    const [method, url = ''] = route.split(' ');
    const payload = method === 'GET' ? {} : { payload: JSON.stringify(body ?? {}) };
    const response = await callAs(request, { method: method as 'GET' | 'POST' | 'PUT', url, ...payload }, headers);
    const answer = JSON.parse(response.body);
    if (response.status === 200) return answer as Response;
    const { code, detail, errors } = answer;
    throw response.status === 400 && errors.length > 0
      ? invalid(errors)
      : new ApiError(response.status as ErrorStatus, code, detail);
  };
}

async function serializeAll(deps: Deps, accountId: string, rows: readonly PlanRow[]): Promise<Plan[]> {
  const people = rows.flatMap(({ author_type, author_id, decided_by_type, decided_by_id }) => [
    { author_type, author_id },
    { author_type: decided_by_type, author_id: decided_by_id },
  ]);
  const names = await nameAuthors(deps.control, accountId, people);
  return rows.map((row, i) => ({
    id: publicId('pln', row.id),
    kind: row.kind,
    status: row.status,
    reason: row.reason,
    ...row.preview,
    client: row.client,
    createdBy: names[2 * i] ?? null,
    createdAt: isoTime(uuidTime(row.id)),
    decidedBy: names[2 * i + 1] ?? null,
    decidedAt: row.decided_at && isoTime(row.decided_at),
  }));
}

async function serialize(deps: Deps, accountId: string, row: PlanRow): Promise<Plan> {
  const [plan] = await serializeAll(deps, accountId, [row]);
  if (!plan) throw notFound('plan');
  return plan;
}
