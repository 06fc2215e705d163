import type { SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import {
  Done,
  Ended,
  FirstRunBody,
  FirstRunLink,
  LinkBody,
  PasswordChange,
  PasswordReset,
  SessionPath,
  SessionState,
  SignIn,
  UserChange,
  UserSessions as UserSessionList,
} from '../contract.ts';
import { renameUser } from '../queries.ts';
import { changePassword, resetPassword } from './change-password.ts';
import { completeFirstRun, inspectFirstRun } from './first-run.ts';
import { endOtherSessions, endSession } from './queries.ts';
import { listUserSessions, readSessionState } from './serialize.ts';
import { clearCookie, type UserSessions } from './sessions.ts';
import type { SignIns } from './sign-in.ts';

const page = { access: 'page' } as const;
const read = { access: 'user', rate: 'read' } as const;
const write = { access: 'user', rate: 'write' } as const;

const about = { tags: ['Users'], security: [] };
const aboutUser = { tags: ['Users'], security: [{ session: [] }] };
const state = withErrors(SessionState);

/** `/auth`, independent of an account: the first run, signing in and out, the user's own sessions and password. */
export function signInRoutes(app: App, deps: Deps, sessions: UserSessions, signIns: SignIns): void {
  const { control, clock, publicUrl } = deps;
  const stateOf = (signedIn: SignedIn | undefined) => readSessionState(deps, signedIn);

  app.get(
    '/auth/session',
    {
      config: page,
      schema: { ...about, operationId: 'getSession', summary: 'Get the current session', response: state },
    },
    async (request) => {
      const signedIn = await sessions.find(request);
      // The dashboard shows its sign-in page next. If loading fails, the sign-in reports it.
      if (!signedIn) signIns.prepare().catch(() => {});
      return stateOf(signedIn);
    },
  );

  app.post(
    '/auth/first-run/inspect',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'inspectFirstRun',
        summary: 'Inspect a first-run link',
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
        summary: 'Create the first user',
        description: 'The user owns a new account (`accountName`) or an existing one (`accountId`), and is signed in.',
        body: FirstRunBody,
        response: state,
      },
    },
    async (request, reply) => {
      const { body } = request;
      await completeFirstRun(deps, body, request.ip);
      return stateOf(await signIns.signInAgain(request, reply, body.email, body.password));
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
          'Starts a session and sets its cookie. 401 `credentials_invalid` does not reveal whether the email exists. ' +
          'After failures, 429 `too_many_attempts` with a growing `Retry-After`. With two-factor authentication, the right ' +
          'password without a `code` is 401 `two_factor_required`, and with a wrong one 401 `code_invalid`.',
        body: SignIn,
        response: state,
      },
    },
    async (request, reply) => {
      return stateOf(await signIns.signIn(request, reply, request.body));
    },
  );

  app.post(
    '/auth/sign-out',
    { config: page, schema: { ...about, operationId: 'signOut', summary: 'Sign out', response: withErrors(Done) } },
    async (request, reply) => {
      await sessions.end(request);
      clearCookie(reply, publicUrl());
      return { success: true };
    },
  );

  app.post(
    '/auth/reset-password',
    {
      config: page,
      schema: {
        ...about,
        operationId: 'resetPassword',
        summary: 'Set a password with a reset link',
        description: 'Ends all sessions of the user. Sign in with the new password.',
        body: PasswordReset,
        response: withErrors(Done),
      },
    },
    async ({ body, ip }) => {
      await resetPassword(deps, body, ip);
      return { success: true };
    },
  );

  app.patch(
    '/auth/user',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'changeUser',
        summary: 'Change your name',
        body: UserChange,
        response: state,
      },
    },
    async ({ signedIn, body }) => {
      await renameUser(control, { user_id: signedIn.userId, name: body.name.trim(), now: new Date(clock()) });
      return stateOf(signedIn);
    },
  );

  app.post(
    '/auth/password',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'changePassword',
        summary: 'Change your password',
        description: 'Ends all other sessions; this one continues with a new cookie.',
        body: PasswordChange,
        response: state,
      },
    },
    async (request, reply) => {
      const { body, signedIn, ip } = request;
      const user = await changePassword(deps, signedIn.userId, body, ip);
      return stateOf(await signIns.signInAgain(request, reply, user.email, body.newPassword));
    },
  );

  app.get(
    '/auth/sessions',
    {
      config: read,
      schema: {
        ...aboutUser,
        operationId: 'listSessions',
        summary: 'List your sessions',
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
        ...aboutUser,
        operationId: 'endSession',
        summary: 'End one of your sessions',
        params: SessionPath,
        response: withErrors(Done),
      },
    },
    async ({ signedIn, params }) => {
      const id = parseId('uss', params.sessionId);
      const [ended] = id === undefined ? [] : await endSession(control, { user_id: signedIn.userId, id });
      if (!ended) throw notFound('session');
      return { success: true };
    },
  );

  app.post(
    '/auth/sessions/end-others',
    {
      config: write,
      schema: {
        ...aboutUser,
        operationId: 'endOtherSessions',
        summary: 'End all your other sessions',
        response: withErrors(Ended),
      },
    },
    async ({ signedIn: { userId, sessionId } }) => {
      const ended = await endOtherSessions(control, { user_id: userId, except: sessionId });
      return { ended: ended.length };
    },
  );
}
