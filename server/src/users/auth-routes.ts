import { insertAccount, roleInsufficient, type SignedIn } from '../accounts/index.ts';
import { audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../shared/ids.ts';
import { accept, inspectInvitation } from './accept-invitation.ts';
import { changePassword, resetPassword } from './change-password.ts';
import {
  Acceptance,
  Done,
  Ended,
  FirstRunBody,
  FirstRunLink,
  InvitationLink,
  LinkBody,
  NewAccountBody,
  PasswordChange,
  PasswordReset,
  SessionPath,
  SessionState,
  SignIn,
  UserChange,
  UserSessions as UserSessionList,
} from './contract.ts';
import { completeFirstRun, inspectFirstRun } from './first-run.ts';
import { listUserSessions } from './list-sessions.ts';
import { dropLinks, endOtherSessions, endSession, insertMember, lockUser, ownsAny, renameUser } from './queries.ts';
import { sessionState } from './session-state.ts';
import { clearCookie, type UserSessions } from './sessions.ts';
import { SignIns } from './sign-in.ts';

const page = { access: 'page' } as const;
const read = { access: 'user', rate: 'read' } as const;
const write = { access: 'user', rate: 'write' } as const;

const about = { tags: ['People'], security: [] };
const signedInOnly = { tags: ['People'], security: [{ session: [] }] };
const state = withErrors(SessionState);

/** Who uses the dashboard: the first run, signing in and out, one's own sessions, links. Under `/auth`, for no account. */
export function authRoutes(app: App, deps: Deps, sessions: UserSessions): void {
  const { db, clock, publicUrl } = deps;
  const signIns = new SignIns(deps, sessions);
  const answer = (signedIn: SignedIn | undefined) => sessionState(deps, signedIn);

  app.get(
    '/auth/session',
    {
      config: page,
      schema: { ...about, operationId: 'getSession', summary: 'Who is signed in', response: state },
    },
    async (request) => {
      const signedIn = await sessions.find(request);
      // Whoever sees the page of the sign-in is about to sign in; that it cannot be loaded is told then.
      if (!signedIn) signIns.prepare().catch(() => {});
      return answer(signedIn);
    },
  );

  app.post(
    '/auth/first-run/inspect',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'inspectFirstRun',
        summary: 'What the link of the first run offers',
        body: LinkBody,
        response: withErrors(FirstRunLink),
      },
    },
    ({ body }) => inspectFirstRun(deps, body.token),
  );

  app.post(
    '/auth/first-run',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'completeFirstRun',
        summary: 'Make the first user',
        description: 'Who owns a new account, `accountName`, or one that there is, `accountId`; and signs in.',
        body: FirstRunBody,
        response: state,
      },
    },
    async (request, reply) => {
      const { body } = request;
      await completeFirstRun(deps, body, request.ip);
      return answer(await signIns.signInAgain(request, reply, body.email, body.password));
    },
  );

  app.post(
    '/auth/sign-in',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'signIn',
        summary: 'Sign in',
        description:
          'Sets the cookie of a new session. 401 `credentials_invalid` tells nothing of which was wrong; 429 `too_many_attempts` after failures, with a pause that grows.',
        body: SignIn,
        response: state,
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      return answer(await signIns.signIn(request, reply, email, password));
    },
  );

  app.post(
    '/auth/sign-out',
    {
      config: page,
      schema: { ...about, operationId: 'signOut', summary: 'Sign out', response: withErrors(Done) },
    },
    async (request, reply) => {
      await sessions.end(request);
      clearCookie(reply, publicUrl());
      return { success: true };
    },
  );

  app.patch(
    '/auth/user',
    {
      config: write,
      schema: {
        ...signedInOnly,
        operationId: 'changeUser',
        summary: 'Change one’s own name',
        body: UserChange,
        response: state,
      },
    },
    async ({ signedIn, body }) => {
      await renameUser(db, signedIn.userId, body.name.trim(), new Date(clock()));
      return answer(signedIn);
    },
  );

  app.post(
    '/auth/password',
    {
      config: write,
      schema: {
        ...signedInOnly,
        operationId: 'changePassword',
        summary: 'Change one’s own password',
        description: 'Every other session ends; this one goes on under a new cookie.',
        body: PasswordChange,
        response: state,
      },
    },
    async (request, reply) => {
      const { body, signedIn, ip } = request;
      const user = await changePassword(deps, signedIn.userId, body, ip);
      return answer(await signIns.signInAgain(request, reply, user.email, body.newPassword));
    },
  );

  app.get(
    '/auth/sessions',
    {
      config: read,
      schema: {
        ...signedInOnly,
        operationId: 'listSessions',
        summary: 'List one’s own sessions',
        response: withErrors(UserSessionList),
      },
    },
    async ({ signedIn }) => ({ sessions: await listUserSessions(deps, signedIn) }),
  );

  app.delete(
    '/auth/sessions/:sessionId',
    {
      config: write,
      schema: {
        ...signedInOnly,
        operationId: 'endSession',
        summary: 'End one of one’s own sessions',
        params: SessionPath,
        response: withErrors(Done),
      },
    },
    async ({ signedIn, params }) => {
      const id = parseId('uss', params.sessionId);
      const [ended] = id === undefined ? [] : await endSession(db, signedIn.userId, id);
      if (!ended) throw notFound('session');
      return { success: true };
    },
  );

  app.post(
    '/auth/sessions/end-others',
    {
      config: write,
      schema: {
        ...signedInOnly,
        operationId: 'endOtherSessions',
        summary: 'End all of one’s own sessions but this one',
        response: withErrors(Ended),
      },
    },
    async ({ signedIn: { userId, sessionId } }) => ({ ended: (await endOtherSessions(db, userId, sessionId)).length }),
  );

  app.post(
    '/auth/accounts',
    {
      config: write,
      schema: {
        ...signedInOnly,
        operationId: 'createAccount',
        summary: 'Make a further account',
        description: 'Its owner is who makes it; for who owns an account already.',
        body: NewAccountBody,
        response: state,
      },
    },
    async ({ signedIn, body, ip }) => {
      const { userId } = signedIn;
      const [row] = await ownsAny(db, userId);
      if (!row?.owns) throw roleInsufficient('owner');
      const now = clock();
      const accountId = newUuid(now);
      const name = body.name.trim();
      await db.transaction(async (tx) => {
        await insertAccount(tx, accountId, name, new Date(now));
        // A reset link was made by who owned all accounts of the user, which is so no more.
        await lockUser(tx, userId);
        await dropLinks(tx, 'reset', userId);
        await insertMember(tx, accountId, userId, 'owner', new Date(now));
        const subject = ['account', publicId('acc', accountId)] as const;
        const author = { accountId, kind: 'user', id: userId, address: ip } as const;
        await audit(tx, author, { action: 'account.created', subject, after: { name } }, now);
      });
      return answer(signedIn);
    },
  );

  app.post(
    '/auth/invitations/inspect',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'inspectInvitation',
        summary: 'What an invitation’s link offers',
        body: LinkBody,
        response: withErrors(InvitationLink),
      },
    },
    ({ body }) => inspectInvitation(deps, body.token),
  );

  app.post(
    '/auth/invitations/accept',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Whoever is signed in sends the link’s token alone. Whoever has a user sends e-mail and password as well, a new user a name, too.',
        body: Acceptance,
        response: state,
      },
    },
    async (request, reply) =>
      answer(await accept(deps, signIns, await sessions.find(request), request.body, request, reply)),
  );

  app.post(
    '/auth/reset-password',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'resetPassword',
        summary: 'Set a password by a reset link',
        description: 'Every session of the user ends; sign in with the new password.',
        body: PasswordReset,
        response: withErrors(Done),
      },
    },
    async ({ body, ip }) => {
      await resetPassword(deps, body, ip);
      return { success: true };
    },
  );
}
