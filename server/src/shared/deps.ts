import type { Config } from './config.ts';
import type { App } from './http/server.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { PageTokens } from './page-token.ts';
import type { Database } from './postgres/database.ts';
import type { Clock } from './time.ts';

/** What every room is handed. */
export interface Deps {
  config: Config;
  db: Database;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  pageTokens: PageTokens;
  /** The instance's secret; sign with it through a purpose of your own (`hmac(secret, 'purpose\n…')`). */
  secret: Buffer;
  /** Where the service is reached from outside, without a trailing slash. Known once it listens. */
  publicUrl(): string;
}

/** Work that goes on beside requests. */
export interface Worker {
  start(): void;
  /** Returns when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** A room opens by adding its routes to the app; it returns the work it does beside them. */
export type Room = (app: App, deps: Deps) => Worker[];
