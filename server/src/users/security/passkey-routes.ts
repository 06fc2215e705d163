import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import { SessionState } from '../contract.ts';
import type { SignIns } from '../sign-in/sign-in.ts';
import { NewPasskey, PasskeyOptions, PasskeyPath, PasskeySignIn, PasswordBody, Security } from './contract.ts';
import { addPasskey, registrationOptions, signInOptions, verifyPasskey } from './passkeys.ts';
import { deletePasskey } from './queries.ts';
import { readSecurity, recordChange, requireUser } from './user-security.ts';

const page = { access: 'page' } as const;
const write = { access: 'user', rate: 'write' } as const;
const sensitive = { ...write, confirm: true } as const;
const about = { tags: ['Users'], security: [] };
const aboutUser = { tags: ['Users'], security: [{ session: [] }] };

/** `/auth/passkeys`: creating, deleting and signing in by passkeys. */
export function passkeyRoutes(app: App, deps: Deps, signIns: SignIns): void {
  const { control } = deps;

  const { post, remove } = routesOf(app);
  post('/auth/passkeys/options', {
    config: sensitive,
    ...aboutUser,
    operationId: 'getPasskeyOptions',
    summary: 'Start creating a passkey',
    description: 'Returns what `navigator.credentials.create` takes. Valid once and for five minutes.',
    body: PasswordBody,
    returns: PasskeyOptions,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      return { options: { ...(await registrationOptions(deps, user, request)) } };
    },
  });

  post('/auth/passkeys', {
    config: sensitive,
    ...aboutUser,
    operationId: 'createPasskey',
    summary: 'Create a passkey',
    description:
      '`credential` is what `navigator.credentials.create` returned for the options of `POST /auth/passkeys/options`. The user is notified by email.',
    body: NewPasskey,
    returns: Security,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      const { name, credential } = request.body;
      const response = credential as unknown as RegistrationResponseJSON;
      await control.transaction(async (tx) => {
        await addPasskey(deps, tx, user.id, { name: name.trim(), response }, request);
        await recordChange(deps, tx, request, user, 'passkey_added');
      });
      return readSecurity(deps, user);
    },
  });

  remove('/auth/passkeys/:passkeyId', {
    config: sensitive,
    ...aboutUser,
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    description: 'It no longer signs in or confirms anything. The user is notified by email.',
    params: PasskeyPath,
    returns: Security,
    handle: async (request) => {
      const user = await requireUser(deps, request);
      const id = parseId('pky', request.params.passkeyId);
      await control.transaction(async (tx) => {
        const [deleted] = id === undefined ? [] : await deletePasskey(tx, { user_id: user.id, id });
        if (!deleted) throw notFound('passkey');
        await recordChange(deps, tx, request, user, 'passkey_deleted');
      });
      return readSecurity(deps, user);
    },
  });

  post('/auth/passkeys/sign-in/options', {
    config: page,
    ...about,
    operationId: 'getPasskeySignInOptions',
    summary: 'Start signing in with a passkey',
    description: 'Returns what `navigator.credentials.get` takes. Valid once and for five minutes.',
    returns: PasskeyOptions,
    handle: async (request) => ({ options: { ...(await signInOptions(deps, request)) } }),
  });

  post('/auth/passkeys/sign-in', {
    config: page,
    ...about,
    operationId: 'signInByPasskey',
    summary: 'Sign in with a passkey',
    description: 'Starts a session and sets its cookie. 401 `passkey_unknown` for every reason.',
    body: PasskeySignIn,
    returns: SessionState,
    handle: async (request, reply) => {
      const response = request.body.credential as unknown as AuthenticationResponseJSON;
      const userId = await verifyPasskey(deps, response, request);
      return signIns.signIn(request, reply, userId);
    },
  });
}
