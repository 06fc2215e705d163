import type { ClickIdName } from '../../shared/click-ids.ts';
import type { Fault } from '../../shared/errors.ts';
import type { Outcome } from '../../shared/outbound/sender.ts';

/**
 * One of a platform's credentials. A secret is never returned; the others show which account of the platform a destination is connected
 * to, and each says whether it decides which host the secrets are sent to: changing such a one takes the secrets again.
 */
export type CredentialField = {
  label: string;
  /** Where to find it. */
  description: string;
  isRequired: boolean;
  /** A regular expression for the whole value, and an example that matches it. */
  pattern: string;
  example: string;
} & ({ isSecret: true } | { isSecret: false; decidesHost: boolean });

export type Credentials = Readonly<Record<string, string>>;

export type Action = 'send' | 'adjust' | 'retract';

/** A conversion as it is sent. */
export interface OutgoingEvent {
  /** UUID. */
  conversionId: string;
  action: Action;
  /** The number of the conversion's changes. */
  version: number;
  /** The id under which the platform knows it: the caller's `eventId`, or the conversion's id. */
  wireId: string;
  target: string;
  /** The conversion's event. */
  event: string;
  /** An exact decimal number; null if none is sent. */
  value: string | null;
  currency: string | null;
  /** Milliseconds since 1970. */
  occurredAt: number;
  /** When an adjustment was decided on, the same in every repetition. */
  adjustedAt: number;
  clickId: { name: ClickIdName; value: string } | null;
  /** When the visitor arrived with the click id. */
  clickedAt: number | null;
  /** Trimmed, in lower case. */
  email: string | null;
  address: string | null;
  userAgent: string | null;
  /** The session's landing page. */
  url: string | null;
  /** The session's country, as two letters. */
  country: string | null;
  consent: Consent;
}

type Choice = 'granted' | 'denied' | null;

/** What the visitor chose; null: not recorded. */
export interface Consent {
  adStorage: Choice;
  adUserData: Choice;
  adPersonalization: Choice;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PURGE';
  url: string;
  headers: Record<string, string>;
  /** Empty for a GET. */
  body: string;
}

/** What a request is built with. */
export interface RequestContext {
  credentials: Credentials;
  /** The base URLs of the platform's hosts, by name. */
  hosts: Readonly<Record<string, string>>;
  /** The version of the platform's API. */
  version: string;
  /** Whether the platform only checks the request. */
  validates: boolean;
  /** Of OAuth; empty for a platform without it. */
  accessToken: string;
  now: number;
}

/** What a response says about the events of its request. */
export type Verdict =
  /** All but those at fault were accepted. */
  | { type: 'accepted'; faults?: readonly EventFault[]; message?: string }
  /** The request was accepted, and is processed later. */
  | { type: 'pending'; requestId: string }
  /** Nothing was accepted because of these events. */
  | { type: 'culprits'; faults: readonly EventFault[] }
  /** Nothing was accepted because of some of the events; the platform does not say which. */
  | { type: 'refused'; reason: string; message: string; code?: string }
  /** Accepted in part; the platform does not say in which. Only where repeating an event overwrites it. */
  | { type: 'partial'; reason: string; message: string }
  /** Nothing was accepted: to be repeated later. */
  | { type: 'throttled' | 'unavailable'; message: string }
  /** Nothing was accepted: the credentials are refused. */
  | { type: 'credentials'; message: string }
  /**
   * Nothing was accepted, whatever the events: the version of the API is retired, a permission is missing, or the account,
   * pixel or conversion action is disabled.
   */
  | { type: 'access'; message: string }
  /** Nobody knows whether it was accepted. */
  | { type: 'lost'; message: string };

export interface EventFault {
  /** Position in the request. */
  index: number;
  /** A code in snake_case. */
  reason: string;
  message: string;
  /** The platform's code, if it is more specific than the reason. */
  code?: string;
  /** Whether the platform will accept the event later. */
  isTemporary?: boolean;
}

/** Which identifiers an event must have at least one of. */
export const NEEDS = [
  'click id',
  'email',
  'click id or email',
  'email or client',
  'client with click id or email',
  'none',
] as const;

/** What a platform needs to be connected, and how it behaves. */
export interface PlatformForm {
  name: string;
  /** Whether it receives what was published, to purge caches, instead of conversions. */
  purges?: boolean;
  credentials: Readonly<Record<string, CredentialField>>;
  /** Faults that no single credential has, such as a missing one of several alternatives. */
  checkCredentials?(credentials: Credentials): Fault[];
  /** What a conversion's event is mapped to. */
  target: { label: string; description: string; pattern: string; example: string };
  /** The click ids that the platform accepts, the preferred one first. */
  clickIds: readonly ClickIdName[];
  /** Whether it also matches conversions by the SHA-256 of the lead's email, and by IP address and user agent. */
  uses: { email: boolean; client: boolean };
  needs: (typeof NEEDS)[number];
  /** Whether a value without a currency is refused. */
  needsCurrency: boolean;
  /** Which events are refused without a value. */
  needsValue?(event: Pick<OutgoingEvent, 'target'>): boolean;
  /** Older conversions are refused. */
  maxAgeDays: number;
  /** Whether that age counts from the click. */
  agesFromClick?: boolean;
  /** How a changed value reaches the platform. */
  adjustment: 'overwrite' | 'restate' | 'none';
  /** How `mode: validate` checks a conversion: by the platform, or only here. */
  validation: 'platform' | 'local';
  /** The credential without which the platform cannot check. */
  validatesWith?: string;
}

/** Whether the platform itself checks conversions in mode `validate`. */
export const canValidate = ({ validation, validatesWith }: PlatformForm, credentials: Credentials): boolean =>
  validation === 'platform' && (validatesWith === undefined || credentials[validatesWith] !== undefined);

/** A platform: one file, listed in `registry.ts`. */
export interface Platform extends PlatformForm {
  /** The default base URLs. `DESTINATION_<PLATFORM>_URL` replaces all of them. */
  hosts: Readonly<Record<string, string>>;
  /** The default version of the API, which `DESTINATION_<PLATFORM>_VERSION` replaces. */
  version: string;
  /** Events per request. */
  batch: number;
  requestsPerMinute: number;
  requestsPerDay?: number;
  /** For how long the platform recognizes a repeated event by its id. */
  dedupeHours: number;
  /** How an email is written before it is hashed. */
  normalizeEmail?(email: string): string;
  /** Whether it knows a conversion by its click, target and second alone, so that no two may share them. */
  isKeyedByTime?: boolean;
  /** Events of one request must have the same key. */
  groupBy?(event: OutgoingEvent): string;
  /** The request for an access token, and how to read it. */
  oauth?: {
    request(context: RequestContext): HttpRequest | undefined;
  };
  build(events: readonly OutgoingEvent[], context: RequestContext): HttpRequest;
  /** Reads a response; undefined: as `readStatus` reads its status. */
  read(outcome: Outcome, events: readonly OutgoingEvent[], context: RequestContext): Verdict | undefined;
  /** For requests that are processed later. */
  poll?: {
    request(requestId: string, context: RequestContext): HttpRequest;
    read(outcome: Outcome, count: number): Verdict | undefined;
  };
  /** A request that has no effect but fails with wrong credentials; undefined: there is none. */
  probe?(context: RequestContext): HttpRequest;
}
