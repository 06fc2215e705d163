import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { toApiError } from '../../shared/http/problem.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { publicId } from '../../shared/ids.ts';
import {
  Account,
  AccountChange,
  AccountDeletion,
  Done,
  Member,
  MemberChange,
  MemberPage,
  MemberPath,
  NewAccount,
  PageQuery,
  ResetLink,
  SessionState,
} from '../contract.ts';
import { addAccount, changeAccount, readAccount } from './accounts.ts';
import { deleteAccount } from './delete-account.ts';
import { changeMember, removeMember, resetMember, serializeMember } from './members.ts';
import { listMembers } from './queries.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const sensitive = { ...write, confirm: true } as const;
const about = { tags: ['Members'], security: [{ session: [], account: [] }] };

/** Accounts and their members. */
export function memberRoutes(app: App, deps: Deps): void {
  const { control, pageTokens } = deps;

  const { get, post, patch, remove } = routesOf(app, about);
  get('/v1/account', {
    config: { access: 'secret', rate: 'read' },
    tags: ['Members'],
    security: [{ token: [] }],
    operationId: 'getAccount',
    summary: 'Get the account',
    description: 'The account that the token belongs to, with its time zone, currency and publishable key.',
    returns: Account,
    handle: ({ caller }) => readAccount(deps, caller.accountId),
  });

  patch('/v1/account', {
    config: write,
    // The response reports the schema's faults together with those of `changeAccount`.
    attachValidation: true,
    operationId: 'changeAccount',
    summary: 'Change the account',
    description: 'Its name, time zone, currency and exchange rates. Omitted members stay unchanged.',
    body: AccountChange,
    returns: Account,
    handle: (request) => {
      const faults = request.validationError ? toApiError(request.validationError).errors : [];
      return changeAccount(deps, authorOf(request), request.body, faults);
    },
  });

  post('/auth/accounts', {
    config: { access: 'user', rate: 'write' },
    tags: ['Users'],
    security: [{ session: [] }],
    operationId: 'createAccount',
    summary: 'Create another account',
    description: 'The user owns it. Requires that the user already owns an account.',
    body: NewAccount,
    returns: SessionState,
    handle: ({ signedIn, body, ip }) => addAccount(deps, signedIn, body, ip),
  });

  post('/v1/account/delete', {
    config: sensitive,
    operationId: 'deleteAccount',
    summary: 'Delete the account',
    description:
      'Its keys are refused and its members lose access at once; its data and files are erased within minutes. This ' +
      'cannot be undone: export what you need first.',
    body: AccountDeletion,
    returns: Done,
    handle: async (request) => {
      await deleteAccount(deps, authorOf(request), request.body.name);
      return { success: true };
    },
  });

  post('/v1/account/leave', {
    config: { access: 'member', role: 'viewer', rate: 'write' },
    operationId: 'leaveAccount',
    summary: 'Leave the account',
    description: 'The last owner cannot leave: 400 `last_owner`.',
    returns: Done,
    handle: async (request) => {
      const author = authorOf(request);
      await removeMember(deps, author, request.caller, publicId('usr', author.id ?? ''));
      return { success: true };
    },
  });

  get('/v1/members', {
    config: read,
    operationId: 'listMembers',
    summary: 'List members',
    description: 'The users with access to the account, each with a role and area. Oldest first.',
    querystring: PageQuery,
    returns: MemberPage,
    handle: async ({ caller: { accountId }, query }) => {
      const scope = [accountId, '/v1/members'];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'oldest first', (after, limit) =>
        listMembers(control, { account_id: accountId, after, limit }),
      );
      return { members: rows.map(serializeMember), nextPageToken };
    },
  });

  patch('/v1/members/:userId', {
    config: sensitive,
    operationId: 'changeMember',
    summary: "Change a member's role or area",
    description:
      'The last owner must remain an owner: 400 `last_owner`. An owner cannot be limited: 400 `owner_limited`.',
    params: MemberPath,
    body: MemberChange,
    returns: Member,
    handle: (request) => changeMember(deps, authorOf(request), request.caller, request.params.userId, request.body),
  });

  remove('/v1/members/:userId', {
    config: write,
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'Returns the removed member. The last owner cannot be removed: 400 `last_owner`.',
    params: MemberPath,
    returns: Member,
    handle: (request) => removeMember(deps, authorOf(request), request.caller, request.params.userId),
  });

  post('/v1/members/:userId/reset-link', {
    config: sensitive,
    operationId: 'makeResetLink',
    summary: 'Create a password reset link for a member',
    description:
      'Valid once and for a day, or until the rights of the member grow. The link is sent to the member. Where the service sends no email, it ' +
      'is returned, but only for a member without other accounts who is no operator; otherwise 400 `reset_not_allowed`.',
    params: MemberPath,
    returns: ResetLink,
    handle: (request) => resetMember(deps, authorOf(request), request.caller, request.params.userId),
  });
}
