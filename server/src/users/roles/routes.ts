import { NewRole, RoleChange, RoleList, RolePath, RoleResponse } from '../../accounts/index.ts';
import { authorOf } from '../../shared/audit.ts';
import type { Deps, Module } from '../../shared/deps.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { Done } from '../contract.ts';
import { changeRole, createRole, type ResolvePermissions, readRoles, removeRole } from './manage-roles.ts';
import { startView } from './view-as-role.ts';

const read = { access: 'secret', role: 'owner', rate: 'read' } as const;
const write = { access: 'secret', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Roles'], security: [{ token: [] }] };

/**
 * The roles of an account. They are in the control database, and checked against the collections of its cell.
 * @param resolve checks permissions
 */
export function rolesModule(given: Deps, resolve: ResolvePermissions): Module {
  const deps = { ...given, resolve };
  const { control } = deps;
  return {
    workers: [],
    routes(app) {
      const { get, post, patch, remove } = routesOf(app, about);
      get('/v1/roles', {
        config: read,
        operationId: 'listRoles',
        summary: 'List roles',
        description: 'The built-in roles, then those of the account, the oldest first.',
        returns: RoleList,
        handle: async ({ caller }) => ({ roles: await readRoles(deps, caller.accountId), nextPageToken: null }),
      });

      post('/v1/roles', {
        config: write,
        operationId: 'createRole',
        'x-idempotency-key': true,
        summary: 'Create a role',
        description:
          'For members, invitations and secret tokens. Nobody creates a role that may do more than they may: 400 `role_exceeds_own`.',
        body: NewRole,
        returns: RoleResponse,
        handle: (request) =>
          idempotently(control, request, request.caller.accountId, (tx) =>
            createRole(tx, deps, request.caller, authorOf(request), request.body),
          ),
      });

      patch('/v1/roles/:id', {
        // It may give access to everybody who has the role.
        config: { ...write, confirm: true },
        operationId: 'updateRole',
        summary: 'Update a role',
        description:
          'Changes only the members that are sent; `permissions` replaces all. It applies to everybody who has the role once this returns.',
        params: RolePath,
        body: RoleChange,
        returns: RoleResponse,
        handle: (request) => changeRole(deps, request.caller, authorOf(request), request.params.id, request.body),
      });

      remove('/v1/roles/:id', {
        config: write,
        operationId: 'deleteRole',
        summary: 'Delete a role',
        description:
          'Returns the deleted role. One that a member, token or invitation has is refused: 400 `role_in_use`.',
        params: RolePath,
        returns: RoleResponse,
        handle: (request) => removeRole(deps, request.caller, authorOf(request), request.params.id),
      });

      post('/v1/roles/:id/view', {
        config: { ...write, access: 'member' },
        tags: ['Roles'],
        security: [{ session: [], account: [] }],
        operationId: 'viewAsRole',
        summary: 'View the account as a role',
        description:
          'Until `POST /auth/view/end` or the end of the session, it reads the account as a member with the role does. Whatever changes something is 403 `view_only`. The role may do no more than the user: 400 `role_exceeds_own`. A session by single sign-on views no role: 401 `sso_session`.',
        params: RolePath,
        returns: Done,
        handle: async (request) => {
          await startView(deps, request.caller, authorOf(request), request.params.id);
          return { success: true };
        },
      });
    },
  };
}
