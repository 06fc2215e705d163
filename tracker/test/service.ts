import { after } from 'node:test';
import { createAccount } from '../../server/src/accounts/index.ts';
import { parseId } from '../../server/src/shared/ids.ts';
import { asControl, openDatabase } from '../../server/src/shared/postgres/database.ts';
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { newDataDir, type ServiceProcess, startService } from '../../server/test/service-process.ts';

export interface Account {
  uuid: string;
  token: string;
  apiKey: string;
}

export interface VisitRow {
  url: string;
  referrer: string | null;
  title: string | null;
  visitor_id: string;
  client_visit_id: string;
  session: string;
  occurred_at: Date;
}

export interface EventRow {
  event: string;
  properties: Record<string, unknown>;
  client_event_id: string;
  /** The hash of its session. */
  session: string | null;
  /** As returned to the page. */
  id: string;
  occurred_at: Date;
}

/** The real service as a process with its own database, and access to what it recorded. */
export interface TestService {
  url: string;
  newAccount(): Promise<Account>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into rows of every shape, and fails where they differ
  rows(sql: string, ...values: unknown[]): Promise<any[]>;
  visits(account: Account): Promise<VisitRow[]>;
  events(account: Account): Promise<EventRow[]>;
  /** kill -9. */
  kill(): Promise<void>;
  startAgain(): Promise<void>;
}

export async function startTestService(env: Record<string, string> = {}): Promise<TestService> {
  const database = await testDatabaseUrl();
  const settings = { DATA_DIR: newDataDir(), DATABASE_URL: database, LOG_LEVEL: 'error', ...env };
  let process: ServiceProcess = await startService(settings);
  const { url } = process;
  const db = openDatabase({ connectionString: database }, 2, () => {});
  after(() => db.close());
  const rows: TestService['rows'] = async (sql, ...values) => (await db.query(sql, values)).rows;
  return {
    url,
    rows,
    async newAccount() {
      const { account, token, apiKey } = await createAccount(asControl(db), 'Shop');
      return { uuid: parseId('acc', account.id) ?? '', token, apiKey };
    },
    visits: (account) =>
      rows(
        `select v.url, v.referrer, v.title, v.visitor_id, v.client_visit_id, s.hash as session, v.occurred_at
         from visits v join sessions s on s.account_id = v.account_id and s.number = v.session_number
         where v.account_id = $1 order by v.occurred_at, v.id`,
        account.uuid,
      ),
    events: (account) =>
      rows(
        `select e.id, e.event, e.properties, e.client_event_id, s.hash as session, e.occurred_at
         from events e left join sessions s on s.account_id = e.account_id and s.number = e.session_number
         where e.account_id = $1 order by e.occurred_at, e.id`,
        account.uuid,
      ),
    async kill() {
      process.kill('SIGKILL');
      await process.ended;
    },
    async startAgain() {
      process = await startService({ ...settings, PORT: new URL(url).port });
    },
  };
}
