import type { Deps } from '../shared/deps.ts';
import type { Tx } from '../shared/postgres/database.ts';

/** An event whose numeric `properties.value` makes it a conversion. */
export interface ValuedEvent {
  accountId: string;
  /** UUID of the event. */
  id: string;
  /** `properties.event_id`. */
  clientEventId: string | null;
  event: string;
  value: number;
  /** `properties.currency`, unchecked. */
  currency: unknown;
  occurredAt: Date;
  receivedAt: Date;
  /** The event's own session, else the latest of its lead. */
  sessionNumber: number | null;
  /** Name and value of the identifier the event came with. */
  identifier: Record<string, string | number> | null;
  /** See `Identifier.digest`. */
  identifierDigest: string | null;
  /** Whether a server sent it, by a secret token. */
  trusted: boolean;
}

/** A session that began: the digests of everything that names it (see `Identifier.digest`). */
export interface BegunSession {
  accountId: string;
  digests: string[];
}

/** What other rooms do about what tracking records, which does not know them. */
export interface Reactions {
  /** In the transaction that records the events: what it throws undoes them. */
  valuesRecorded(tx: Tx, events: ValuedEvent[]): Promise<void>;
  /** After the commit. Not told again if the process dies here: whoever needs certainty looks again by itself. */
  sessionsBegan(sessions: BegunSession[]): void;
}

const reactions = new WeakMap<Deps, Reactions[]>();

/** Registers a room's reactions with the service that `deps` belong to. */
export function reactTo(deps: Deps, reaction: Reactions): void {
  reactions.set(deps, [...reactionsOf(deps), reaction]);
}

export function reactionsOf(deps: Deps): Reactions[] {
  return reactions.get(deps) ?? [];
}
