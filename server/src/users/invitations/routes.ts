import { viewOnly } from '../../accounts/index.ts';
import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { onceWithSecret } from '../../shared/http/idempotency.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import {
  Acceptance,
  CreatedInvitation,
  Invitation,
  InvitationLink,
  InvitationPage,
  InvitationPath,
  LinkBody,
  NewInvitation,
  PageQuery,
  SessionState,
} from '../contract.ts';
import type { UserSessions } from '../sign-in/sessions.ts';
import type { SignIns } from '../sign-in/sign-in.ts';
import { acceptInvitation, inspectInvitation } from './accept-invitation.ts';
import { createInvitation, revokeInvitation, serializeInvitation } from './invitations.ts';
import { listInvitations } from './queries.ts';

const page = { access: 'page' } as const;
const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Members'], security: [{ session: [], account: [] }] };
const aboutPage = { tags: ['Users'], security: [] };

/** `/v1/invitations` for owners, and `/auth/invitations` for those who are invited. */
export function invitationRoutes(app: App, deps: Deps, sessions: UserSessions, signIns: SignIns): void {
  const { control, clock, pageTokens, publicUrl } = deps;

  const { get, post, remove } = routesOf(app, about);
  get('/v1/invitations', {
    config: read,
    operationId: 'listInvitations',
    summary: 'List invitations',
    description: 'Newest first.',
    querystring: PageQuery,
    returns: InvitationPage,
    handle: async ({ caller: { accountId }, query }) => {
      const scope = [accountId, '/v1/invitations'];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
        listInvitations(control, { account_id: accountId, before, limit }),
      );
      return { invitations: rows.map((row) => serializeInvitation(row, clock())), nextPageToken };
    },
  });

  post('/v1/invitations', {
    config: { ...write, confirm: true },
    operationId: 'createInvitation',
    'x-idempotency-key': true,
    summary: 'Create an invitation',
    description:
      'Returns the link, once: repeating the request with the same `Idempotency-Key` is refused. Where the service sends email, the link of an ' +
      'invitation with an email is only sent to it.',
    body: NewInvitation,
    returns: CreatedInvitation,
    handle: (request) => {
      const author = authorOf(request);
      return onceWithSecret(control, request, author.accountId, (tx) =>
        createInvitation(tx, deps, author, request.caller, request.body, publicUrl(), clock()),
      );
    },
  });

  remove('/v1/invitations/:invitationId', {
    config: write,
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Its link becomes invalid. An accepted invitation cannot be revoked: 400 `invitation_accepted`.',
    params: InvitationPath,
    returns: Invitation,
    handle: (request) => revokeInvitation(deps, authorOf(request), request.params.invitationId),
  });

  post('/auth/invitations/inspect', {
    config: page,
    ...aboutPage,
    operationId: 'inspectInvitation',
    summary: 'Inspect an invitation link',
    description: 'Shows the account and role that the link invites to. The link stays valid.',
    body: LinkBody,
    returns: InvitationLink,
    handle: ({ body }) => inspectInvitation(deps, body.token),
  });

  post('/auth/invitations/accept', {
    config: page,
    ...aboutPage,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'A signed-in user sends only the token; other users also send email and password; a new user also sends a name.',
    body: Acceptance,
    returns: SessionState,
    handle: async (request, reply) => {
      const signedIn = await sessions.find(request);
      if (signedIn?.isViewing) throw viewOnly();
      return acceptInvitation(deps, signIns, signedIn, request.body, request, reply);
    },
  });
}
