import type { Config } from './config.ts';
import type { App } from './http/server.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { PageTokens } from './page-token.ts';
import type { ControlDatabase, Database } from './postgres/database.ts';
import type { Replica } from './postgres/replica.ts';
import type { Queue } from './queue.ts';
import type { Vault } from './secrets/vault.ts';
import type { SessionIds } from './session-ids.ts';
import type { Clock } from './time.ts';
import type { Tracing } from './tracing.ts';
import type { Worker } from './worker-loop.ts';

export type { Worker } from './worker-loop.ts';

/** What every module is given. */
export interface Deps {
  config: Config;
  /** The database of the cell whose accounts the module serves; in the main cell, the control database. */
  db: Database;
  /** The control database: accounts, keys and users. No transaction spans both. */
  control: ControlDatabase;
  /** A replica of `db`, if it has one. */
  replica?: Replica | undefined;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** undefined: requests are not traced. */
  tracing?: Tracing | undefined;
  pageTokens: PageTokens;
  sessionIds: SessionIds;
  /** The instance's secret, which never changes; sign with it through a purpose of your own (`hmac(secret, 'purpose\n…')`). */
  secret: Buffer;
  /** Encrypts the secrets of accounts. */
  vault: Vault;
  /** Where the service is reached from outside, without a trailing slash. Known once it listens. */
  publicUrl(): string;
  /** Where the other processes of the installation reach this one, once it listens; undefined: nowhere. */
  internalUrl?(): string | undefined;
}

/** What a domain contributes to the service. `buildApp` connects the modules; each domain adds members of its own. */
export interface Module {
  /** Registers the routes, in a scope of the app. */
  routes(app: App): void;
  workers: Worker[];
  /** What waits for its workers. */
  queues?: Queue[];
}
