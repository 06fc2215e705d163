import { randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../shared/deps.ts';
import { ApiError, badRequest } from '../../shared/errors.ts';
import { newUuid } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { MINUTE } from '../../shared/units.ts';
import { hashSecret, insertLink, takeChallenge } from '../one-time-links.ts';
import { confirmSession } from '../sign-in/queries.ts';
import { findPasskey, insertPasskey, listPasskeys, touchPasskey } from './queries.ts';

const CHALLENGE_MS = 5 * MINUTE;

// Loaded when somebody uses a passkey: it takes 20 MB.
const library = () => import('@simplewebauthn/server');

/** Where the dashboard is, which is what a passkey is bound to. */
function siteOf({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>, { headers }: FastifyRequest) {
  // Compared with the host by `requireSameOrigin`.
  const origin = new URL(config.publicUrl ?? headers.origin ?? publicUrl()).origin;
  return { origin, id: new URL(origin).hostname };
}

async function newChallenge({ control, clock }: Deps, type: 'passkey' | 'passkey_sign_in', user_id: string | null) {
  const challenge = randomBytes(32);
  const hash = hashSecret(challenge.toString('base64url'));
  await insertLink(control, {
    hash,
    type,
    user_id,
    email: null,
    created_by: null,
    expires_at: new Date(clock() + CHALLENGE_MS),
  });
  // The library's type is that of a Uint8Array with its own memory.
  return new Uint8Array(challenge);
}

/** What the browser needs to create a passkey of a user. */
export async function registrationOptions(
  deps: Deps,
  user: { id: string; email: string; name: string },
  request: FastifyRequest,
) {
  const { generateRegistrationOptions } = await library();
  const known = await listPasskeys(deps.control, { user_id: user.id });
  return generateRegistrationOptions({
    rpName: 'Headwater',
    rpID: siteOf(deps, request).id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: await newChallenge(deps, 'passkey', user.id),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id.toString('base64url') })),
    // It replaces password and code, so it has to be found without an email and to verify the person.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Stores a passkey that the browser created. @throws ApiError 400 `passkey_invalid`, `passkey_known` */
export async function addPasskey(
  deps: Deps,
  tx: ControlTx,
  userId: string,
  { name, response }: { name: string; response: RegistrationResponseJSON },
  request: FastifyRequest,
): Promise<string> {
  const { verifyRegistrationResponse } = await library();
  const { origin, id: expectedRPID } = siteOf(deps, request);
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => useChallenge(deps, 'passkey', challenge, userId),
    expectedOrigin: origin,
    expectedRPID,
  }).catch(() => undefined);
  if (!verified?.verified) throw badRequest('passkey_invalid', 'The passkey could not be verified. Try again.');
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const now = deps.clock();
  const [row] = await insertPasskey(tx, {
    id: newUuid(now),
    user_id: userId,
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    counter,
    transports,
    name,
    now: new Date(now),
  });
  if (!row) throw badRequest('passkey_known', 'This passkey is registered already.');
  return row.id;
}

/** What the browser needs to use a passkey. */
export async function signInOptions(deps: Deps, request: FastifyRequest) {
  const { generateAuthenticationOptions } = await library();
  const challenge = await newChallenge(deps, 'passkey_sign_in', null);
  return generateAuthenticationOptions({ rpID: siteOf(deps, request).id, challenge, userVerification: 'required' });
}

/** The user who proves to have a passkey. @throws ApiError 401 `passkey_unknown`, `passkey_unconfirmed` */
export async function verifyPasskey(
  deps: Deps,
  response: AuthenticationResponseJSON,
  request: FastifyRequest,
): Promise<string> {
  const { verifyAuthenticationResponse } = await library();
  const { origin, id: expectedRPID } = siteOf(deps, request);
  return deps.control.transaction(async (tx) => {
    const [passkey] = await findPasskey(tx, { credential_id: Buffer.from(response.id, 'base64url') });
    if (!passkey) throw passkeyUnknown();
    const { authenticationInfo, verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => useChallenge(deps, 'passkey_sign_in', challenge, null),
      expectedOrigin: origin,
      expectedRPID,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports as AuthenticatorTransport[],
      },
    }).catch(() => {
      throw passkeyUnknown();
    });
    if (!verified) throw passkeyUnknown();
    if (passkey.needs_review) throw passkeyUnconfirmed();
    const { newCounter } = authenticationInfo;
    await touchPasskey(tx, { id: passkey.id, counter: newCounter, now: new Date(deps.clock()) });
    return passkey.user_id;
  });
}

/** Confirms a session by a passkey of its user. @throws ApiError 400 `confirmation_missing`, 401 `passkey_unknown` */
export async function confirmByPasskey(deps: Deps, request: FastifyRequest, credential: unknown): Promise<void> {
  if (credential === undefined) {
    throw badRequest('confirmation_missing', 'Send currentPassword or the credential of a passkey.');
  }
  const { userId, sessionId } = request.signedIn;
  const owner = await verifyPasskey(deps, credential as AuthenticationResponseJSON, request);
  if (owner !== userId) throw passkeyUnknown();
  await confirmSession(deps.control, { user_id: userId, id: sessionId, now: new Date(deps.clock()) });
}

/** A challenge works once, also if the signature turns out to be wrong. */
async function useChallenge(
  { control, clock }: Deps,
  type: 'passkey' | 'passkey_sign_in',
  challenge: string,
  userId: string | null,
) {
  const [used] = await takeChallenge(control, { hash: hashSecret(challenge), type, now: new Date(clock()) });
  return used !== undefined && used.user_id === userId;
}

function passkeyUnconfirmed(): ApiError {
  const detail =
    'Your password was reset since you last used this passkey. Sign in with your password, and confirm the passkey.';
  return new ApiError(401, 'passkey_unconfirmed', detail, {
    headers: { 'www-authenticate': 'Bearer realm="headwater"' },
  });
}

function passkeyUnknown(): ApiError {
  const detail = 'This passkey is not known here or has expired. Sign in with your password.';
  return new ApiError(401, 'passkey_unknown', detail, { headers: { 'www-authenticate': 'Bearer realm="headwater"' } });
}
