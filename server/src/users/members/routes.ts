import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { toApiError, withErrors } from '../../shared/http/problem.ts';
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

  app.get(
    '/v1/account',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        tags: ['Members'],
        security: [{ token: [] }],
        operationId: 'getAccount',
        summary: 'Get the account',
        description: 'The account that the token belongs to, with its time zone, currency and publishable key.',
        response: withErrors(Account),
      },
    },
    ({ caller }) => readAccount(deps, caller.accountId),
  );

  app.patch(
    '/v1/account',
    {
      config: write,
      // The response reports the schema's faults together with those of `changeAccount`.
      attachValidation: true,
      schema: {
        ...about,
        operationId: 'changeAccount',
        summary: 'Change the account',
        description: 'Its name, time zone, currency and exchange rates. Omitted members stay unchanged.',
        body: AccountChange,
        response: withErrors(Account),
      },
    },
    (request) => {
      const faults = request.validationError ? toApiError(request.validationError).errors : [];
      return changeAccount(deps, authorOf(request), request.body, faults);
    },
  );

  app.post(
    '/auth/accounts',
    {
      config: { access: 'user', rate: 'write' },
      schema: {
        tags: ['Users'],
        security: [{ session: [] }],
        operationId: 'createAccount',
        summary: 'Create another account',
        description: 'The user owns it. Requires that the user already owns an account.',
        body: NewAccount,
        response: withErrors(SessionState),
      },
    },
    ({ signedIn, body, ip }) => addAccount(deps, signedIn, body, ip),
  );

  app.post(
    '/v1/account/delete',
    {
      config: sensitive,
      schema: {
        ...about,
        operationId: 'deleteAccount',
        summary: 'Delete the account',
        description:
          'Its keys are refused and its members lose access at once; its data and files are erased within minutes. This ' +
          'cannot be undone: export what you need first.',
        body: AccountDeletion,
        response: withErrors(Done),
      },
    },
    async (request) => {
      await deleteAccount(deps, authorOf(request), request.body.name);
      return { success: true };
    },
  );

  app.post(
    '/v1/account/leave',
    {
      config: { access: 'member', role: 'viewer', rate: 'write' },
      schema: {
        ...about,
        operationId: 'leaveAccount',
        summary: 'Leave the account',
        description: 'The last owner cannot leave: 400 `last_owner`.',
        response: withErrors(Done),
      },
    },
    async (request) => {
      const author = authorOf(request);
      await removeMember(deps, author, request.caller, publicId('usr', author.id ?? ''));
      return { success: true };
    },
  );

  app.get(
    '/v1/members',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listMembers',
        summary: 'List members',
        description: 'The users with access to the account, each with a role and area. Oldest first.',
        querystring: PageQuery,
        response: withErrors(MemberPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const scope = [accountId, '/v1/members'];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'oldest first', (after, limit) =>
        listMembers(control, { account_id: accountId, after, limit }),
      );
      return { members: rows.map(serializeMember), nextPageToken };
    },
  );

  app.patch(
    '/v1/members/:userId',
    {
      config: sensitive,
      schema: {
        ...about,
        operationId: 'changeMember',
        summary: "Change a member's role or area",
        description:
          'The last owner must remain an owner: 400 `last_owner`. An owner cannot be limited: 400 `owner_limited`.',
        params: MemberPath,
        body: MemberChange,
        response: withErrors(Member),
      },
    },
    (request) => changeMember(deps, authorOf(request), request.caller, request.params.userId, request.body),
  );

  app.delete(
    '/v1/members/:userId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'removeMember',
        summary: 'Remove a member',
        description: 'Returns the removed member. The last owner cannot be removed: 400 `last_owner`.',
        params: MemberPath,
        response: withErrors(Member),
      },
    },
    (request) => removeMember(deps, authorOf(request), request.caller, request.params.userId),
  );

  app.post(
    '/v1/members/:userId/reset-link',
    {
      config: sensitive,
      schema: {
        ...about,
        operationId: 'makeResetLink',
        summary: 'Create a password reset link for a member',
        description:
          'Valid once and for a day, or until the rights of the member grow. The link is sent to the member. Where the service sends no email, it ' +
          'is returned, but only for a member without other accounts who is no operator; otherwise 400 `reset_not_allowed`.',
        params: MemberPath,
        response: withErrors(ResetLink),
      },
    },
    (request) => resetMember(deps, authorOf(request), request.caller, request.params.userId),
  );
}
