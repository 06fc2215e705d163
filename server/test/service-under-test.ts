import type { ControlDatabase, Database } from '../src/shared/postgres/database.ts';

export interface Account {
  /** The public id. */
  id: string;
  /** The id in the database. */
  uuid: string;
  token: string;
  apiKey: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Parsed JSON, or the text. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and fails where they differ
  body: any;
}

export interface CallOptions {
  /** A secret token (sent as `Bearer …`), or an account whose token is used. */
  as?: Account | string;
  /** A user of the dashboard. */
  by?: TestUser | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A service that tests can call, in this process or in another. */
export interface ServiceUnderTest {
  /** The database of the accounts' cell. */
  db: Database;
  control: ControlDatabase;
  /** The clock of the service; tests move it with `clock.now += …`. */
  clock: { now: number };
  newAccount(name?: string): Promise<Account>;
  /** `call('POST /v1/cms/collections', { as: account, body })` */
  call(request: string, options?: CallOptions): Promise<Answer>;
}

/** A signed-in user. */
export interface TestUser {
  userId: string;
  uuid: string;
  email: string;
  sessionId: string;
  cookie: string;
  /** The account that requests name; undefined: none. */
  account?: Account | undefined;
}
