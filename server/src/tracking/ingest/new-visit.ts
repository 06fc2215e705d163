import type { Refusable } from '../../shared/postgres/work.ts';
import type { Consent } from '../signals/consent.ts';
import type { Landing } from './landing.ts';
import type { Place } from './place.ts';
import type { Device } from './user-agent.ts';

/** A validated visit. */
export interface NewVisit {
  accountId: string;
  /** The client's id of the visit; makes a retry harmless. */
  visitId: string | undefined;
  url: string;
  landing: Landing;
  referrer: string | null;
  title: string | null;
  visitorId: string | undefined;
  sessionHash: string | undefined;
  /** Instead of the hash. */
  sessionNumber: number | undefined;
  device: Device;
  isBot: boolean;
  isInternal: boolean;
  /** Whether a server sent it, with a secret token. */
  isTrusted: boolean;
  place: Place;
  /** What the visitor consented to, as far as the visit says. */
  consent: Consent | undefined;
  /** IP address and user agent, encrypted, where a destination needs them. */
  client: Buffer | undefined;
  /** Milliseconds since 1970. */
  occurredAt: number;
  receivedAt: number;
  /** What it was sent with: items of one request arrive together. */
  request: Refusable;
}
