import { createAccount } from '../../server/src/accounts/index.ts';
import { asControl, type Database, openDatabase } from '../../server/src/shared/postgres/database.ts';
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { commandJson, newDataDir, startService } from '../../server/test/service-process.ts';

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
  /** Creates the owner of an account without the dashboard. */
  makeOwner(accountId: string): Promise<void>;
}

/** Starts the real service as a process. */
export async function startDashboardService(env: Record<string, string> = {}): Promise<DashboardService> {
  const settings = { DATA_DIR: newDataDir(), DATABASE_URL: await testDatabaseUrl() };
  const { url } = await startService({ ...settings, LOG_LEVEL: 'error', ...env });
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
      const token = new URL(await firstRunLink()).hash.slice(1);
      const response = await fetch(`${url}/auth/first-run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ token, ...OWNER, accountId, timeZone: 'Europe/Berlin' }),
      });
      if (!response.ok) throw new Error(`first run: ${await response.text()}`);
    },
  };
}
