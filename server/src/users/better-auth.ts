import { createHmac } from 'node:crypto';
import type { CustomAdapter } from 'better-auth/adapters';
import type { Deps } from '../shared/deps.ts';
import { newUuid, uuidTime } from '../shared/ids.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './contract.ts';
import { hashSecret } from './one-time-link.ts';
import { findUser, findUserByEmail, insertSession, type UserRow } from './queries.ts';
import { cookieName, SESSION_MS } from './sessions.ts';

export interface BetterAuth {
  /**
   * Checks a password, makes a session and says the cookie that holds it.
   * @returns the `Set-Cookie` header, or undefined for a wrong e-mail or password, after the same time
   */
  signIn(email: string, password: string, from: { address: string; userAgent: string }): Promise<string | undefined>;
}

const ADDRESS = 'x-headwater-address';

/**
 * better-auth checks passwords and makes sessions and their cookies; where it reads and writes is said here by statements
 * of this room. It is loaded when somebody signs in, not at the start of the service: that takes a second.
 */
export async function openBetterAuth(deps: Deps): Promise<BetterAuth> {
  // This variable would win over the setting below.
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
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
    },
    session: { expiresIn: SESSION_MS / 1000 },
    advanced: {
      useSecureCookies: false,
      cookies: {
        session_token: { name: cookieName(publicUrl), attributes: { secure: publicUrl.startsWith('https:') } },
      },
      ipAddress: { ipAddressHeaders: [ADDRESS] },
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
          headers: new Headers({ [ADDRESS]: address, 'user-agent': userAgent }),
          returnHeaders: true,
        });
        return headers.getSetCookie()[0];
      } catch (error) {
        // An e-mail of another form than it accepts is one that nobody has.
        if (['UNAUTHORIZED', 'BAD_REQUEST'].includes(String((error as { status?: unknown }).status))) return undefined;
        throw error;
      }
    },
  };
}

/** What a sign-in reads and writes. Anything else would be something that this service does not use better-auth for. */
function adapterOf({ db, clock }: Deps): Pick<CustomAdapter, 'findOne' | 'findMany' | 'create'> {
  return {
    async findOne({ model, where }) {
      const [only] = where;
      if (model !== 'user' || only?.field !== 'email') throw new Error(`better-auth looks for a ${model}`);
      const [row] = await findUserByEmail(db, only.value);
      return (row ? userOf(row) : null) as never;
    },
    async findMany({ model, where }) {
      const [only] = where ?? [];
      if (model !== 'account' || only?.field !== 'userId') throw new Error(`better-auth looks for each ${model}`);
      const [row] = await findUser(db, only.value);
      const { id, password } = row ?? {};
      return (row ? [{ id, userId: id, accountId: id, providerId: 'credential', password }] : []) as never;
    },
    async create({ model, data }) {
      if (model !== 'session') throw new Error(`better-auth makes a ${model}`);
      const id = newUuid(clock());
      const createdAt = uuidTime(id);
      await insertSession(
        db,
        id,
        data.userId,
        hashSecret(data.token),
        new Date(createdAt),
        new Date(createdAt + SESSION_MS),
        data.ipAddress,
        data.userAgent.slice(0, 500),
      );
      return { ...data, id };
    },
  };
}

function userOf(row: UserRow) {
  return {
    id: row.id,
    email: row.email,
    emailVerified: true,
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
