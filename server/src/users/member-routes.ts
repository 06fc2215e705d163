import { findAccount } from '../accounts/index.ts';
import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { onceWithSecret } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { publicId } from '../shared/ids.ts';
import { pageById } from '../shared/page-by-id.ts';
import { isoTime } from '../shared/time.ts';
import {
  Account,
  AccountChange,
  Done,
  Invitation,
  InvitationPage,
  InvitationPath,
  MadeInvitation,
  Member,
  MemberChange,
  MemberPage,
  MemberPath,
  NewInvitation,
  PageQuery,
  ResetLink,
} from './contract.ts';
import { listInvitations } from './invitation-queries.ts';
import { createInvitation, invitationAnswer, revoke } from './invitations.ts';
import { changeMember, memberAnswer, removeMember, resetMember } from './members.ts';
import { listMembers, renameAccount } from './queries.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Members'], security: [{ session: [], account: [] }] };

/** The account itself and who is in it. */
export function memberRoutes(app: App, deps: Deps): void {
  const { db, clock, pageTokens } = deps;

  app.get(
    '/v1/account',
    {
      config: { access: 'secret', rate: 'read' },
      schema: {
        tags: ['Members'],
        security: [{ token: [] }],
        operationId: 'getAccount',
        summary: 'Get the account',
        response: withErrors(Account),
      },
    },
    async ({ caller }) => {
      const [row] = await findAccount(db, caller.accountId);
      if (!row) throw notFound('account');
      return { id: publicId('acc', row.id), name: row.name, createdAt: isoTime(row.created_at) };
    },
  );

  app.patch(
    '/v1/account',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'changeAccount',
        summary: 'Change the account’s name',
        body: AccountChange,
        response: withErrors(Account),
      },
    },
    async (request) => {
      const author = authorOf(request);
      return db.transaction(async (tx) => {
        const [row] = await renameAccount(tx, author.accountId, request.body.name.trim());
        if (!row) throw notFound('account');
        const { id, name, old_name } = row;
        const subject = ['account', publicId('acc', id)] as const;
        const change = { action: 'account.changed', subject, before: { name: old_name }, after: { name } };
        await audit(tx, author, change, clock());
        return { id: publicId('acc', id), name, createdAt: isoTime(row.created_at) };
      });
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
        description: 'Its last owner cannot: 400 `last_owner`.',
        response: withErrors(Done),
      },
    },
    async (request) => {
      const author = authorOf(request);
      await removeMember(deps, author, publicId('usr', author.id ?? ''));
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
        querystring: PageQuery,
        response: withErrors(MemberPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/members'],
        query,
        'oldest first',
        (after, limit) => listMembers(db, accountId, after, limit),
      );
      return { members: rows.map(memberAnswer), nextPageToken };
    },
  );

  app.patch(
    '/v1/members/:userId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'changeMember',
        summary: 'Change a member’s role',
        description: 'The last owner stays one: 400 `last_owner`.',
        params: MemberPath,
        body: MemberChange,
        response: withErrors(Member),
      },
    },
    (request) => changeMember(deps, authorOf(request), request.params.userId, request.body.role),
  );

  app.delete(
    '/v1/members/:userId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'removeMember',
        summary: 'Remove a member',
        description: 'Answers it as it was. The last owner stays: 400 `last_owner`.',
        params: MemberPath,
        response: withErrors(Member),
      },
    },
    (request) => removeMember(deps, authorOf(request), request.params.userId),
  );

  app.post(
    '/v1/members/:userId/reset-link',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'makeResetLink',
        summary: 'Make a link by which a member sets a password anew',
        description:
          'Good once and for a day. Only for a user all of whose accounts you own, else 400 `reset_not_allowed`.',
        params: MemberPath,
        response: withErrors(ResetLink),
      },
    },
    (request) => resetMember(deps, authorOf(request), request.params.userId),
  );
}

export function invitationRoutes(app: App, deps: Deps): void {
  const { db, clock, pageTokens, publicUrl } = deps;

  app.get(
    '/v1/invitations',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listInvitations',
        summary: 'List invitations',
        description: 'The newest first.',
        querystring: PageQuery,
        response: withErrors(InvitationPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/invitations'],
        query,
        'newest first',
        (before, limit) => listInvitations(db, accountId, before, limit),
      );
      return { invitations: rows.map((row) => invitationAnswer(row, clock())), nextPageToken };
    },
  );

  app.post(
    '/v1/invitations',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'createInvitation',
        'x-idempotency-key': true,
        summary: 'Invite somebody',
        description: 'Answers the link, once: a repetition with the same `Idempotency-Key` is refused.',
        body: NewInvitation,
        response: withErrors(MadeInvitation),
      },
    },
    (request) => {
      const author = authorOf(request);
      return onceWithSecret(db, request, author.accountId, (tx) =>
        createInvitation(tx, author, request.body, publicUrl(), clock()),
      );
    },
  );

  app.delete(
    '/v1/invitations/:invitationId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
        description: 'Its link is good no more. One that was accepted is 400 `invitation_accepted`.',
        params: InvitationPath,
        response: withErrors(Invitation),
      },
    },
    (request) => revoke(deps, authorOf(request), request.params.invitationId),
  );
}
