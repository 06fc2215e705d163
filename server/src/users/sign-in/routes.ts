import { refuseSso, type SignedIn } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import { LANGUAGES } from '../../shared/languages.ts';
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
import { changeUser } from '../queries.ts';
import { endView } from '../roles/view-as-role.ts';
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

/** `/auth`, independent of an account: the first run, signing in and out, the user's own sessions and password. */
export function signInRoutes(app: App, deps: Deps, sessions: UserSessions, signIns: SignIns): void {
  const { control, clock, publicUrl } = deps;
  const stateOf = (signedIn: SignedIn | undefined) => readSessionState(deps, signedIn);

  const { get, post, patch, remove } = routesOf(app, about);
  get('/auth/session', {
    config: page,
    operationId: 'getSession',
    summary: 'Get the current session',
    description:
      'The signed-in user, with the accounts and roles that the user has. Without a session, `user` is null.',
    returns: SessionState,
    handle: async (request) => {
      return stateOf(await sessions.find(request));
    },
  });

  post('/auth/first-run/inspect', {
    config: page,
    operationId: 'inspectFirstRun',
    summary: 'Inspect a first-run link',
    description: 'Shows how long the link is valid, and the accounts that have no owner yet.',
    body: LinkBody,
    returns: FirstRunLink,
    handle: ({ body }) => inspectFirstRun(deps, body.token),
  });

  post('/auth/first-run', {
    config: page,
    operationId: 'completeFirstRun',
    summary: 'Create the first user',
    description: 'The user owns a new account (`accountName`) or an existing one (`accountId`), and is signed in.',
    body: FirstRunBody,
    returns: SessionState,
    handle: async (request, reply) => {
      return signIns.respond(request, reply, await completeFirstRun(deps, signIns, request, request.body));
    },
  });

  post('/auth/sign-in', {
    config: page,
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Starts a session and sets its cookie. 401 `credentials_invalid` does not reveal whether the email exists. ' +
      'After failures, 429 `too_many_attempts` with a growing `Retry-After`. With two-factor authentication, the right ' +
      'password without a `code` is 401 `two_factor_required`, and with a wrong one 401 `code_invalid`.',
    body: SignIn,
    returns: SessionState,
    handle: async (request, reply) => {
      const user = await signIns.check(request, request.body);
      return signIns.signIn(request, reply, user.id);
    },
  });

  post('/auth/sign-out', {
    config: page,
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session and deletes its cookie. Without a session it has no effect.',
    returns: Done,
    handle: async (request, reply) => {
      await sessions.end(request);
      clearCookie(reply, publicUrl());
      return { success: true };
    },
  });

  post('/auth/view/end', {
    config: { ...write, duringView: true },
    ...aboutUser,
    operationId: 'endView',
    summary: 'End the view of an account as a role',
    description: 'That is, the one of this session: see `POST /v1/roles/{id}/view`.',
    returns: Done,
    handle: async ({ signedIn, ip }) => {
      await endView(deps, signedIn, ip);
      return { success: true };
    },
  });

  post('/auth/reset-password', {
    config: page,
    operationId: 'resetPassword',
    summary: 'Set a password with a reset link',
    description: 'Ends all sessions of the user. Sign in with the new password.',
    body: PasswordReset,
    returns: Done,
    handle: async ({ body, ip }) => {
      await resetPassword(deps, body, ip);
      return { success: true };
    },
  });

  patch('/auth/user', {
    config: { ...write, allowsSso: true },
    ...aboutUser,
    operationId: 'changeUser',
    summary: 'Change your name or language',
    description:
      'Changes only the members that are sent. The name is seen in all accounts of the user; `language` is that of the dashboard and of mails.',
    body: UserChange,
    returns: SessionState,
    handle: async ({ signedIn, body }) => {
      const { name, language } = body;
      // It is seen in other accounts.
      if (name !== undefined) refuseSso(signedIn);
      if (typeof language === 'string' && !LANGUAGES.includes(language)) {
        const detail = `The language is unknown. Use ${LANGUAGES.join(' or ')}.`;
        throw invalid([{ pointer: '/language', code: 'language_unknown', detail }]);
      }
      await changeUser(control, {
        user_id: signedIn.userId,
        name: name?.trim() ?? null,
        sets_language: language !== undefined,
        language: language ?? null,
        now: new Date(clock()),
      });
      return stateOf(signedIn);
    },
  });

  post('/auth/password', {
    config: { ...write, confirm: true },
    ...aboutUser,
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends all other sessions; this one continues with a new cookie.',
    body: PasswordChange,
    returns: SessionState,
    handle: async (request, reply) => {
      return signIns.respond(request, reply, await changePassword(deps, signIns, request, request.body.newPassword));
    },
  });

  get('/auth/sessions', {
    config: read,
    ...aboutUser,
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Where you are signed in: the device and IP address of each session that has not ended.',
    returns: UserSessionList,
    handle: async ({ signedIn }) => ({ sessions: await listUserSessions(deps, signedIn) }),
  });

  remove('/auth/sessions/:sessionId', {
    config: write,
    ...aboutUser,
    operationId: 'endSession',
    summary: 'End one of your sessions',
    description: 'Whoever uses it has to sign in again. `POST /auth/sign-out` ends the current one.',
    params: SessionPath,
    returns: Done,
    handle: async ({ signedIn, params }) => {
      const id = parseId('uss', params.sessionId);
      const [ended] = id === undefined ? [] : await endSession(control, { user_id: signedIn.userId, id });
      if (!ended) throw notFound('session');
      return { success: true };
    },
  });

  post('/auth/sessions/end-others', {
    config: write,
    ...aboutUser,
    operationId: 'endOtherSessions',
    summary: 'End all your other sessions',
    description: 'Returns how many were ended. The session of the request stays.',
    returns: Ended,
    handle: async ({ signedIn: { userId, sessionId } }) => {
      const ended = await endOtherSessions(control, { user_id: userId, except: sessionId });
      return { ended: ended.length };
    },
  });
}
