/** A session whose visitor is erased. */
export interface ErasedSession {
  number: number;
  /** The digests of everything that identifies it (see `Identifier.digest`). */
  digests: string[];
}

/**
 * How a module erases the personal data that it stores: in short transactions, so that it can be interrupted anywhere (by
 * the signal, with an error) and repeated from the start.
 */
export interface PersonalDataHandler {
  /** Runs before anything of a lead, or of these sessions (their numbers), is erased, and again after an interruption. */
  beforeErasing?(accountId: string, lead: string | null, sessions: readonly number[]): Promise<void>;
  /** Erases the personal data that came from these sessions. Counts and sums do not change. */
  eraseSessions?(accountId: string, sessions: readonly ErasedSession[], signal: AbortSignal): Promise<void>;
  /** Erases the personal data of a lead (a UUID) outside of its sessions. */
  eraseLead?(accountId: string, lead: string, signal: AbortSignal): Promise<void>;
  /** Removes copies of the account's data that were made before something in it was erased. */
  eraseCopies?(accountId: string): Promise<void>;
  /** Erases what was refused, which can contain data of anyone, also of people who never became a lead. */
  eraseRefused?(accountId: string): Promise<void>;
  /** Runs before retention deletes sessions, visits and events that are older than a time. */
  beforeRetention?(accountId: string, before: Date, signal: AbortSignal): Promise<void>;
  /** Removes identifying data that is older than the account's retention. */
  anonymizeBefore?(accountId: string, before: Date, signal: AbortSignal): Promise<void>;
}
