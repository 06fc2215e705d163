import type { Deps } from '../shared/deps.ts';

/** A session whose visitor is to be forgotten. */
export interface ErasedSession {
  number: number;
  /** Of everything that names it (see `Identifier.digest`). */
  digests: string[];
}

/**
 * What another room keeps of people, and how it forgets it: in short transactions, so that it can be broken off anywhere
 * (by the signal, with an error) and be done again from the start.
 */
export interface PersonalData {
  /** Removes what is personal of all that came from these sessions; counts and sums stay as they are. */
  eraseSessions?(accountId: string, sessions: readonly ErasedSession[], signal: AbortSignal): Promise<void>;
  /** Removes what is personal of all that came from a lead (a UUID), beside its sessions. */
  eraseLead?(accountId: string, lead: string, signal: AbortSignal): Promise<void>;
  /** Removes copies that were made of the account's data before something in it was erased. */
  eraseCopies?(accountId: string): Promise<void>;
  /** Removes what identifies people and is older than the account keeps it. */
  forgetBefore?(accountId: string, before: Date, signal: AbortSignal): Promise<void>;
}

const held = new WeakMap<Deps, PersonalData[]>();

/** Registers what a room keeps of people, with the service that `deps` belong to: tracking does not know it. */
export function holdPersonalData(deps: Deps, data: PersonalData): void {
  held.set(deps, [...personalDataOf(deps), data]);
}

export function personalDataOf(deps: Deps): PersonalData[] {
  return held.get(deps) ?? [];
}
