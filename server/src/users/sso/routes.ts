import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import { MINUTE } from '../../shared/units.ts';
import { confirmSession } from '../sign-in/queries.ts';
import type { UserSessions } from '../sign-in/sessions.ts';
import type { SignIns } from '../sign-in/sign-in.ts';
import { AttemptCookie, type BegunSignIn, safePath } from './attempt-cookie.ts';
import { readSso, requireConnection } from './connection.ts';
import {
  CallbackQuery,
  DomainQuery,
  NewSso,
  Redirect,
  Sso,
  SsoCheck,
  SsoChoices,
  SsoPath,
  StartQuery,
} from './contract.ts';
import { proveDomains } from './domains.ts';
import { type Claims, ProviderError, type SsoProviders } from './provider.ts';
import { type ConnectionRow, findConnection, listConnectionsOf } from './queries.ts';
import { removeSso, saveSso } from './settings.ts';
import { memberOf, type Refusal, Refused } from './sign-in.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const about = { tags: ['Single sign-on'], security: [{ session: [], account: [] }] };
const aboutPage = { tags: ['Single sign-on'], security: [] };
/** A provider may answer slowly. Its requests have a time limit of their own. */
const slow = { takesLong: true } as const;
/** The clocks of providers may be behind. */
const SKEW_MS = MINUTE;

/** `/v1/sso` for owners, and `/auth/sso` for who signs in. */
export function ssoRoutes(
  app: App,
  deps: Deps,
  providers: SsoProviders,
  sessions: UserSessions,
  signIns: SignIns,
): void {
  const { control, clock, log, publicUrl } = deps;
  const cookies = new AttemptCookie(deps.secret, publicUrl);
  const { get, put, post, remove } = routesOf(app);

  get('/v1/sso', {
    config: read,
    ...about,
    operationId: 'getSso',
    summary: 'Get the single sign-on of the account',
    description: 'Without one, `isConfigured` is false.',
    returns: Sso,
    handle: ({ caller }) => readSso(deps, caller.accountId),
  });

  put('/v1/sso', {
    config: { ...write, confirm: true },
    ...about,
    operationId: 'putSso',
    summary: 'Set up single sign-on',
    description:
      'Replaces all settings, by OpenID Connect. Then prove the domains with `POST /v1/sso/check`. Another issuer needs the client secret ' +
      'again, and unlinks and signs out who signed in by the previous one.',
    body: NewSso,
    returns: Sso,
    handle: (request) => saveSso(deps, providers, authorOf(request), request.caller, request.body),
  });

  remove('/v1/sso', {
    config: { ...write, confirm: true },
    ...about,
    operationId: 'deleteSso',
    summary: 'Remove single sign-on',
    description: 'Signs out who signed in by it. They stay members, and set a password with a reset link.',
    returns: Sso,
    handle: (request) => removeSso(deps, authorOf(request), request.caller),
  });

  post('/v1/sso/check', {
    config: { ...write, ...slow },
    ...about,
    operationId: 'checkSso',
    summary: 'Check the provider and prove domains',
    description:
      'Reads the discovery document of the provider, and looks up the DNS records of domains that are not proven.',
    returns: SsoCheck,
    handle: async (request) => {
      const author = authorOf(request);
      const row = await requireConnection(control, author.accountId);
      const [error] = await Promise.all([errorOf(providers.discover(row)), proveDomains(deps, author)]);
      const { domains } = await readSso(deps, author.accountId);
      return { provider: { isReachable: error === null, error }, domains };
    },
  });

  get('/auth/sso', {
    config: { access: 'page' },
    ...aboutPage,
    operationId: 'listSsoOfDomain',
    summary: 'List the single sign-ons of a domain',
    description:
      'Of the email that somebody wants to sign in with. It does not depend on whether there is such a user.',
    querystring: DomainQuery,
    returns: SsoChoices,
    handle: async ({ query }) => {
      const rows = await listConnectionsOf(control, { domain: query.domain.toLowerCase() });
      return { connections: rows.map(({ account_id, name }) => ({ accountId: publicId('acc', account_id), name })) };
    },
  });

  const connectionOf = async (accountId: string): Promise<ConnectionRow> => {
    const id = parseId('acc', accountId);
    const [row] = id === undefined ? [] : await findConnection(control, { account_id: id });
    if (!row) throw notFound('single sign-on');
    return row;
  };

  get('/auth/sso/:accountId/start', {
    config: { access: 'page', ...slow },
    ...aboutPage,
    operationId: 'startSso',
    summary: 'Sign in by single sign-on',
    description:
      'Redirects the browser to the provider, which sends it back. With `confirm`, the provider asks for the password again, and the ' +
      'session counts as confirmed.',
    params: SsoPath,
    querystring: StartQuery,
    returns: Redirect,
    handle: async (request, reply) => {
      const { params, query } = request;
      const row = await connectionOf(params.accountId);
      const confirms = query.confirm === true;
      const session = confirms ? await sessions.find(request) : undefined;
      if (confirms && session?.limitedTo !== row.account_id) {
        throw badRequest(
          'sso_session_missing',
          'Only a session by the single sign-on of this account is confirmed by it.',
        );
      }
      try {
        const { url, attempt } = await providers.begin(row, confirms);
        const begun = {
          ...attempt,
          accountId: row.account_id,
          version: row.version,
          returnTo: safePath(query.returnTo, `/${params.accountId}/home`),
          sessionId: session?.sessionId ?? null,
          startedAt: clock(),
        };
        return reply.header('set-cookie', cookies.write(begun)).redirect(url.href, 302);
      } catch (error) {
        return refused(reply, row.account_id, error);
      }
    },
  });

  get('/auth/sso/:accountId/callback', {
    // The browser comes from the site of the provider.
    config: { access: 'open', isLimited: true, ...slow },
    ...aboutPage,
    operationId: 'finishSso',
    summary: 'Return from single sign-on',
    description: 'Where the provider sends the browser. What fails is explained by the page `/sso` of the dashboard.',
    params: SsoPath,
    querystring: CallbackQuery,
    returns: Redirect,
    handle: async (request, reply) => {
      const row = await connectionOf(request.params.accountId);
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      const begun = cookies.read(request.headers.cookie, row.account_id, clock());
      // It works once, whatever comes of it.
      reply.header('set-cookie', cookies.clear());
      try {
        if (!begun || begun.version !== row.version) throw new Refused('expired');
        return await finish(request, reply, row, begun);
      } catch (error) {
        return refused(reply, row.account_id, error);
      }
    },
  });

  const finish = async (request: FastifyRequest, reply: FastifyReply, row: ConnectionRow, begun: BegunSignIn) => {
    const [, sent = ''] = request.url.split('?');
    if (new URLSearchParams(sent).get('error') === 'access_denied') throw new Refused('denied');
    const claims = await providers.finish(row, begun, sent);
    if (begun.confirms) await confirm(request, row, begun, claims);
    else {
      const started = await control.transaction(async (tx) => {
        const userId = await memberOf(deps, tx, row, claims, request.ip);
        return signIns.start(tx, request, userId, {
          accountId: row.account_id,
          authenticatedAt: claims.authenticatedAt,
        });
      });
      // Not as a device of the user, which may try more passwords: the provider is in the hands of an account.
      reply.header('set-cookie', started.cookie);
      sessions.reportActive(started.user.id);
    }
    return reply.redirect(begun.returnTo, 302);
  };

  const confirm = async (request: FastifyRequest, row: ConnectionRow, begun: BegunSignIn, claims: Claims) => {
    const session = await sessions.find(request);
    if (!session || session.sessionId !== begun.sessionId) throw new Refused('expired');
    if (claims.authenticatedAt < begun.startedAt - SKEW_MS) throw new Refused('unavailable');
    await control.transaction(async (tx) => {
      const userId = await memberOf(deps, tx, row, claims, request.ip);
      if (userId !== session.userId) throw new Refused('other_user');
      await confirmSession(tx, { user_id: userId, id: session.sessionId, now: new Date(clock()) });
    });
  };

  /** To the page that explains it. */
  const refused = (reply: FastifyReply, accountId: string, error: unknown) => {
    let reason: Refusal = 'unavailable';
    if (error instanceof Refused) reason = error.reason;
    else if (!(error instanceof ProviderError)) throw error;
    // Without who it was.
    log.info(
      { accountId, reason, cause: error instanceof ProviderError ? error.message : undefined },
      'single sign-on was refused',
    );
    return reply.redirect(`/sso#${reason}`, 302);
  };
}

const errorOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProviderError) return error.message;
      throw error;
    },
  );
