import { addressFilter } from '../../shared/addresses.ts';
import { newCache } from '../../shared/lru-cache.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { INGEST, runAs } from '../../shared/postgres/work.ts';
import type { Clock } from '../../shared/time.ts';
import { originFilter } from './allowed-origins.ts';
import { findSettings, type SettingsRow } from './queries.ts';

/** An account's settings as the ingest applies them. */
export interface TrackingSettings {
  allows(origin: string): boolean;
  isInternal(address: string): boolean;
  /** Whether IP addresses and user agents are stored for destinations. */
  recordsClients: boolean;
  /** Whether visitors are kept in a first-party cookie, too. */
  firstPartyId: boolean;
}

/** A change by another process takes effect after this time at the latest. */
const TTL_MS = 5_000;
const MAX_ACCOUNTS = 10_000;

/** Caches the settings of accounts for 5 s, so that requests need no query. */
export class SettingsCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #cache = newCache<{ settings: TrackingSettings; expiresAt: number }>(MAX_ACCOUNTS);
  readonly #loading = new Map<string, Promise<TrackingSettings>>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  cached(accountId: string): TrackingSettings | undefined {
    const entry = this.#cache.get(accountId);
    return entry && this.#clock() < entry.expiresAt ? entry.settings : undefined;
  }

  /** Reads the settings from the database; concurrent calls share one query. */
  load(accountId: string): Promise<TrackingSettings> {
    const running = this.#loading.get(accountId);
    if (running) return running;
    const loading = runAs(INGEST, () => findSettings(this.#db, { account_id: accountId }))
      .then(([row]) => {
        const settings = readSettings(row);
        // After an invalidation the result may be outdated.
        if (this.#loading.get(accountId) === loading)
          this.#cache.set(accountId, { settings, expiresAt: this.#clock() + TTL_MS });
        return settings;
      })
      .finally(() => {
        if (this.#loading.get(accountId) === loading) this.#loading.delete(accountId);
      });
    this.#loading.set(accountId, loading);
    return loading;
  }

  invalidate(accountId: string): void {
    this.#cache.delete(accountId);
    this.#loading.delete(accountId);
  }
}

function readSettings(row: SettingsRow | undefined): TrackingSettings {
  return {
    allows: originFilter(row?.allowed_origins ?? []),
    isInternal: addressFilter(row?.excluded_addresses ?? []),
    recordsClients: row?.records_clients ?? false,
    firstPartyId: row?.first_party_id ?? false,
  };
}
