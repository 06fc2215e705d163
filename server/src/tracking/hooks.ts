import type { Tx } from '../shared/postgres/database.ts';

/** An event whose `properties.value`, a number or numeric string, makes it a conversion. */
export interface ValuedEvent {
  accountId: string;
  /** UUID of the event. */
  id: string;
  /** The client's `id` of the event. */
  clientEventId: string | null;
  event: string;
  value: number | string;
  /** `properties.currency`, not validated. */
  currency: unknown;
  occurredAt: Date;
  receivedAt: Date;
  /** The event's session, or else the latest session of its lead. */
  sessionNumber: number | null;
  /** Name and value of the identifier that the event was sent with. */
  identifier: Record<string, string | number> | null;
  /** See `Identifier.digest`. */
  identifierDigest: string | null;
  /** Whether a server sent the event, with a secret token. */
  isTrusted: boolean;
}

/**
 * A new session, with the digests of everything that identifies it (see `Identifier.digest`), or one that an earlier visit gave another start, with those of
 * its click IDs.
 */
export interface StartedSession {
  accountId: string;
  digests: string[];
}

/**
 * In the outbox: sessions that got a click ID, another source or a lead after their start. `data` of a row are their numbers. No webhook receives it.
 */
export const SESSION_IDENTIFIED = 'session.identified';

/** How other modules react to what tracking records. */
export interface TrackingHooks {
  /**
   * Runs in the transaction that records the events; an error rolls them back.
   * @param last see `Database.transaction`: for a listener that issues its last statements in one turn
   */
  valuesRecorded(tx: Tx, last: Tx, events: ValuedEvent[]): Promise<void>;
  /** Runs after the commit. A crash in between loses the call, so a listener that needs every session must also poll. */
  sessionsStarted(sessions: StartedSession[]): void;
}
