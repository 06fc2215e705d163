import type { Database } from '../shared/postgres/database.ts';
import type { Clock } from '../shared/time.ts';
import { originFilter } from './allowed-origins.ts';
import { addressFilter } from './excluded-addresses.ts';
import { findSettings, type SettingsRow } from './queries.ts';

/** What an account's settings mean for a request. */
export interface TrackingSettings {
  allows(origin: string): boolean;
  isInternal(address: string): boolean;
}

/** A change that another process made is seen after this long at the latest. */
const REMEMBER_MS = 5_000;
const ACCOUNTS = 10_000;

/** Every account's settings, as they are at most 5 s ago: no query for a request. */
export class SettingsCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, { settings: TrackingSettings; until: number }>();
  readonly #loading = new Map<string, Promise<TrackingSettings>>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The settings, at once, where they are remembered. */
  recall(accountId: string): TrackingSettings | undefined {
    const known = this.#known.get(accountId);
    return known && this.#clock() < known.until ? known.settings : undefined;
  }

  /** Asks the database, once for all who ask meanwhile. */
  load(accountId: string): Promise<TrackingSettings> {
    const under = this.#loading.get(accountId);
    if (under) return under;
    const loading = findSettings(this.#db, accountId)
      .then(([row]) => {
        const settings = readSettings(row);
        // What was changed while the query ran may be newer than what it saw.
        if (this.#loading.get(accountId) === loading) this.#remember(accountId, settings);
        return settings;
      })
      .finally(() => {
        if (this.#loading.get(accountId) === loading) this.#loading.delete(accountId);
      });
    this.#loading.set(accountId, loading);
    return loading;
  }

  /** Forgets an account's settings, which this process has just changed. */
  forget(accountId: string): void {
    this.#known.delete(accountId);
    this.#loading.delete(accountId);
  }

  #remember(accountId: string, settings: TrackingSettings): void {
    if (this.#known.size >= ACCOUNTS) this.#known.clear();
    this.#known.set(accountId, { settings, until: this.#clock() + REMEMBER_MS });
  }
}

function readSettings(row: SettingsRow | undefined): TrackingSettings {
  return {
    allows: originFilter(row?.allowed_origins ?? []),
    isInternal: addressFilter(row?.excluded_addresses ?? []),
  };
}
