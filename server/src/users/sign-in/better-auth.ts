import { createHmac } from 'node:crypto';
import type { CustomAdapter } from 'better-auth/adapters';
import type { Deps } from '../../shared/deps.ts';
import { newUuid, uuidTime } from '../../shared/ids.ts';
import { LIMITS } from '../limits.ts';
import { hashSecret } from '../one-time-links.ts';
import { findUser, findUserByEmail, type UserRow } from '../queries.ts';
import { insertSession } from './queries.ts';
import { cookieName, SESSION_MS } from './sessions.ts';

export interface BetterAuth {
  /**
   * Checks a password and creates a session.
   * @returns the `Set-Cookie` header; undefined, after the same time, for an incorrect email or password
   */
  signIn(email: string, password: string, client: { address: string; userAgent: string }): Promise<string | undefined>;
}

const ADDRESS_HEADER = 'x-headwater-address';

/**
 * better-auth checks passwords and creates sessions and their cookies, using this module's statements. It is loaded when
 * somebody is about to sign in rather than at the start of the service, because loading takes a second.
 */
export async function openBetterAuth(deps: Deps): Promise<BetterAuth> {
  // This variable would override the option below.
  process.env.BETTER_AUTH_TELEMETRY = 'false';
  const [{ betterAuth }, { createAdapterFactory }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters'),
  ]);
  const publicUrl = deps.publicUrl();
  const auth = betterAuth({
    baseURL: publicUrl,
    secret: createHmac('sha256', deps.secret).update('dashboard-sessions').digest('base64'),
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: LIMITS.minPasswordLength,
      maxPasswordLength: LIMITS.passwordLength,
    },
    session: { expiresIn: SESSION_MS / 1000 },
    advanced: {
      useSecureCookies: false,
      cookies: {
        session_token: { name: cookieName(publicUrl), attributes: { secure: publicUrl.startsWith('https:') } },
      },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    database: createAdapterFactory({
      config: { adapterId: 'headwater', disableIdGeneration: true },
      adapter: () => adapterOf(deps) as never,
    }),
  });
  return {
    async signIn(email, password, { address, userAgent }) {
      try {
        const { headers } = await auth.api.signInEmail({
          body: { email, password },
          headers: new Headers({ [ADDRESS_HEADER]: address, 'user-agent': userAgent }),
          returnHeaders: true,
        });
        return headers.getSetCookie()[0];
      } catch (error) {
        // BAD_REQUEST: better-auth considers the email malformed, so no user has it.
        if (['UNAUTHORIZED', 'BAD_REQUEST'].includes(String((error as { status?: unknown }).status))) return undefined;
        throw error;
      }
    },
  };
}

/** What a sign-in reads and writes. Other calls mean that better-auth does something it is not used for. */
function adapterOf({ control, clock }: Deps): Pick<CustomAdapter, 'findOne' | 'findMany' | 'create'> {
  return {
    async findOne({ model, where: [only] }) {
      if (model !== 'user' || only?.field !== 'email') throw new Error(`better-auth reads one ${model}`);
      const [row] = await findUserByEmail(control, { email: String(only.value) });
      return (row ? userOf(row) : null) as never;
    },
    async findMany({ model, where }) {
      const [only] = where ?? [];
      if (model !== 'account' || only?.field !== 'userId') throw new Error(`better-auth reads each ${model}`);
      const [row] = await findUser(control, { user_id: String(only.value) });
      const { id, password } = row ?? {};
      return (row ? [{ id, userId: id, accountId: id, providerId: 'credential', password }] : []) as never;
    },
    async create({ model, data }) {
      if (model !== 'session') throw new Error(`better-auth creates a ${model}`);
      const id = newUuid(clock());
      const createdAt = uuidTime(id);
      await insertSession(control, {
        id,
        user_id: data.userId,
        token_hash: hashSecret(data.token),
        now: new Date(createdAt),
        expires_at: new Date(createdAt + SESSION_MS),
        address: data.ipAddress,
        user_agent: data.userAgent.slice(0, 500),
      });
      return { ...data, id };
    },
  };
}

function userOf({ id, email, name, created_at: createdAt, updated_at: updatedAt }: UserRow) {
  return { id, email, emailVerified: true, name, createdAt, updatedAt };
}
