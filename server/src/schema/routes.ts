import { type Caller, isGoverning, mayUseFeature, notGranted, readsEverything } from '../accounts/index.ts';
import { authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { hasMember } from '../shared/http/has-member.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { PushQuery, PushResult, ReadSchema, SchemaQuery, SentSchema, UndoBody, UndoPath } from './contract.ts';
import { pushSchema, readSchema, tookTooLong, undoPush } from './push-schema.ts';

const about = { tags: ['Schema'], security: [{ token: [] }] };
/** Only owners decide where an account's data is sent. */
const write = { access: 'secret', role: 'owner', rate: 'write', late: tookTooLong } as const;

/** Those of others name what a role may not read. */
const mayReadWebhooks = (access: Caller['access']) =>
  !access || (access.features.webhooks !== 'none' && readsEverything(access));

/** As for `/v1/roles`: owners, tokens without a role, and roles with the feature. */
const mayUseRoles = ({ access, role }: Caller, level: 'read' | 'write') =>
  access ? mayUseFeature(access.features, 'members', level) : role === undefined || role === 'owner';

/** @throws ApiError 400 `role_insufficient` */
function requireRoles(caller: Caller): void {
  if (!mayUseRoles(caller, 'write')) throw notGranted('it needs write access to members for roles');
}

/** A webhook of the schema is sent everything. @throws ApiError 400 `role_insufficient` */
function requireWebhooks({ access }: Caller): void {
  if (!access || (access.features.webhooks === 'write' && readsEverything(access))) return;
  throw notGranted('webhooks are sent everything, which it may not read');
}

/** `/v1/schema` @param onBackfill called when the index of new fields was left to the worker */
export function schemaRoutes(app: App, deps: Deps, onBackfill: () => void): void {
  const { get, post, put } = routesOf(app, about);
  get('/v1/schema', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'getSchema',
    summary: 'Get the schema',
    description:
      'What describes the account apart from its data: collections, components, locales, roles, and webhooks without their secrets, ' +
      'in the form that `PUT` takes. What is absent has its default.',
    querystring: SchemaQuery,
    returns: ReadSchema,
    handle: async ({ caller }) => {
      const { access } = caller;
      const { webhooks, roles, ...others } = await readSchema(deps, caller.accountId, access);
      return {
        ...others,
        ...(mayUseRoles(caller, 'read') && { roles }),
        ...(mayReadWebhooks(access) && { webhooks }),
      };
    },
  });

  put('/v1/schema', {
    config: { ...write, confirm: (body) => hasMember('webhooks')(body) || hasMember('roles')(body) },
    operationId: 'putSchema',
    summary: 'Replace the schema',
    description:
      'Makes the schema what is sent, in one transaction: what it does not have is deleted, and sections that are not sent stay. ' +
      'What has the same ID is the same, whatever its name or key. With `dryRun=true`, returns the changes without making them. ' +
      'Changes that lose data need `allowDataLoss`.',
    querystring: PushQuery,
    body: SentSchema,
    returns: PushResult,
    handle: async (request) => {
      const { webhooks, roles } = request.body as { webhooks?: unknown; roles?: unknown };
      if (webhooks !== undefined) requireWebhooks(request.caller);
      if (roles !== undefined) requireRoles(request.caller);
      return pushSchema(deps, authorOf(request), request.body as object, {
        ...request.query,
        keepsReview: !isGoverning(request.caller),
        caller: request.caller,
        answerMs: request.answerMs,
        onBackfill,
      });
    },
  });

  post('/v1/schema/undo/:undoId', {
    config: { ...write, confirm: true },
    operationId: 'undoSchema',
    summary: 'Undo a push',
    description:
      'Restores what a push of the last 30 days changed or deleted, unless that was changed since (`schema_changed`). Values of what the push had added are lost, which needs `allowDataLoss`.',
    params: UndoPath,
    querystring: PushQuery,
    body: UndoBody,
    returns: PushResult,
    handle: async (request) => {
      requireWebhooks(request.caller);
      const { dryRun, allowDataLoss = request.body.allowDataLoss } = request.query;
      return undoPush(deps, authorOf(request), request.params.undoId, {
        ...{ dryRun, allowDataLoss, onBackfill, answerMs: request.answerMs },
        keepsReview: !isGoverning(request.caller),
        caller: request.caller,
        onRoles: () => requireRoles(request.caller),
      });
    },
  });
}
