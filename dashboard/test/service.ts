import { chooseDefaults, createAccount } from '../../server/src/accounts/index.ts';
import { parseId } from '../../server/src/shared/ids.ts';
import { asControl, type Database, openDatabase } from '../../server/src/shared/postgres/database.ts';
import { createUser } from '../../server/src/users/create-user.ts';
import { insertMember } from '../../server/src/users/members/queries.ts';
import { setOperator } from '../../server/src/users/queries.ts';
import { hashPassword } from '../../server/src/users/sign-in/password.ts';
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { commandJson, newDataDir, startService } from '../../server/test/service-process.ts';
import { newSession } from '../../server/test/users.ts';

export const OWNER = { name: 'Ada Berg', email: 'ada@outdoor.example', password: 'a long walk uphill' };

export interface Account {
  id: string;
  token: string;
  apiKey: string;
}

export interface DashboardService {
  url: string;
  newAccount(name: string): Promise<Account>;
  /** Works on the service's database directly, for states that no request creates. */
  withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Creates the small demo account. */
  newDemo(): Promise<Account>;
  /** The link that creates the first user. */
  firstRunLink(): Promise<string>;
  /** A link to join an account. */
  invite(accountId: string, role: string): Promise<string>;
  /**
   * Creates a user who owns an account and operates the service, and whom `openPage` signs in until the next one is made. The first has the
   * email of `OWNER`.
   * @returns the email
   */
  makeOwner(accountId: string): Promise<string>;
}

/** The cookie of the owner made last, by the URL of the service. */
const cookies = new Map<string, string>();
let hash: Promise<string> | undefined;

/** The session of the owner made last, as the `name=value` of its cookie. */
export function ownerCookie(url: string): string {
  const cookie = cookies.get(url);
  if (cookie === undefined) throw new Error(`no owner was made at ${url}`);
  return cookie;
}

/** Starts the real service as a process. */
export async function startDashboardService(env: Record<string, string> = {}): Promise<DashboardService> {
  const settings = { DATA_DIR: newDataDir(), DATABASE_URL: await testDatabaseUrl() };
  const { url } = await startService({ ...settings, LOG_LEVEL: 'error', ...env });
  let owners = 0;
  const firstRunLink = async () => {
    const link = await commandJson(['users', 'first-run-link'], { ...settings, PUBLIC_URL: url });
    return link.url as string;
  };
  const withDatabase = async <T>(work: (db: Database) => Promise<T>) => {
    const db = openDatabase({ connectionString: settings.DATABASE_URL }, 1, () => {});
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  return {
    url,
    firstRunLink,
    withDatabase,
    async newAccount(name) {
      const { account, token, apiKey } = await withDatabase((db) => createAccount(asControl(db), name));
      return { id: account.id, token, apiKey };
    },
    async newDemo() {
      const { account, token, apiKey } = await commandJson(['demo'], settings);
      return { id: account.id, token, apiKey };
    },
    async invite(accountId, role) {
      const words = ['users', 'invite', '--account', accountId, '--role', role];
      return (await commandJson(words, { ...settings, PUBLIC_URL: url })).url;
    },
    async makeOwner(accountId) {
      // The first run and signing in have their own tests, and cost seconds of CPU time.
      hash ??= hashPassword(OWNER.password, { address: '127.0.0.1' });
      const id = parseId('acc', accountId) ?? '';
      const email = owners === 0 ? OWNER.email : `ada-${owners}@outdoor.example`;
      owners++;
      const user = { ...OWNER, email, hash: await hash };
      const now = Date.now();
      await withDatabase(async (db) => {
        const control = asControl(db);
        const user_id = (await createUser(control, user, now)) ?? '';
        await setOperator(control, { user_id, is_operator: true });
        await insertMember(control, {
          account_id: id,
          user_id,
          role: 'owner',
          role_id: null,
          area: null,
          now: new Date(now),
        });
        await chooseDefaults(control, { id, time_zone: 'Europe/Berlin', currency: null });
        // All files of a group are loaded before the first one runs, which may be long before this session is used.
        cookies.set(url, (await newSession({ control, clock: { now } }, user_id, now + 3_600_000)).cookie);
      });
      return email;
    },
  };
}
