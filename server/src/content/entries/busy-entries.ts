import { MINUTE } from '../../shared/units.ts';

/** An entry is busy from the third change without a longer pause than this. */
const CALM_MS = MINUTE;
const BUSY_CHANGES = 3;

/** How many entries are tracked, some 200 bytes each. */
const MAX_TRACKED = 10_000;

interface Tracked {
  accountId: string;
  /** Public ID. */
  collectionId: string;
  changes: number;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** Entries of a collection that have no filter bitmap since they were busy. */
export interface CalmEntries {
  accountId: string;
  collectionId: string;
  /** UUIDs. */
  ids: string[];
}

/**
 * Which entries this process changes so often that they go without a filter bitmap: all index rows of an entry carry it, and
 * to write it to them is half of what a change costs PostgreSQL. Without one, a listing reads the entry to check its
 * filters. Every process tracks its own changes.
 */
export class BusyEntries {
  /** By ID (UUID), the least recently changed first. */
  readonly #tracked = new Map<string, Tracked>();
  readonly #maxTracked: number;

  constructor(maxTracked = MAX_TRACKED) {
    this.#maxTracked = maxTracked;
  }

  /** Records that the filter bitmap of an entry changes, and returns whether to leave it out. */
  record(accountId: string, collectionId: string, id: string, now: number): boolean {
    const known = this.#tracked.get(id);
    const isSoon = known !== undefined && now - known.changedAt <= CALM_MS;
    // Once its bitmap is left out, an entry stays busy until `takeCalm` returns it.
    const changes = known && (isSoon || isBusy(known)) ? known.changes + 1 : 1;
    if (known) this.#tracked.delete(id);
    else if (!this.#hasRoom()) return false;
    const tracked = { accountId, collectionId, changes, changedAt: now };
    this.#tracked.set(id, tracked);
    return isBusy(tracked);
  }

  /** Forgets entries that have not changed for a minute, and returns those whose bitmaps were left out. */
  takeCalm(now: number): CalmEntries[] {
    const groups = new Map<string, CalmEntries>();
    for (const [id, tracked] of this.#tracked) {
      if (now - tracked.changedAt < CALM_MS) continue;
      this.#tracked.delete(id);
      if (!isBusy(tracked)) continue;
      const { accountId, collectionId } = tracked;
      const group = groups.get(accountId + collectionId) ?? { accountId, collectionId, ids: [] };
      groups.set(accountId + collectionId, group);
      group.ids.push(id);
    }
    return [...groups.values()];
  }

  /** Takes entries back whose bitmaps could not be restored yet. */
  keep({ accountId, collectionId, ids }: CalmEntries, now: number): void {
    for (const id of ids) {
      if (this.#tracked.has(id)) continue;
      this.#tracked.set(id, { accountId, collectionId, changes: BUSY_CHANGES, changedAt: now });
    }
  }

  /** Makes room by forgetting the entry that has not changed for longest, unless its bitmap has to be restored. */
  #hasRoom(): boolean {
    if (this.#tracked.size < this.#maxTracked) return true;
    const [oldest] = this.#tracked;
    if (oldest === undefined || isBusy(oldest[1])) return false;
    return this.#tracked.delete(oldest[0]);
  }
}

const isBusy = ({ changes }: Tracked) => changes >= BUSY_CHANGES;
