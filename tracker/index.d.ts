/** `full`: session and visitor id. `cookieless`: no identifiers, nothing stored on the device. `off`: nothing is recorded. */
export type Mode = 'full' | 'cookieless' | 'off';

export type Choice = 'granted' | 'denied';

/** What the visitor consented to for ad platforms, as in Google consent mode. */
export interface AdConsent {
  ad_storage?: Choice;
  ad_user_data?: Choice;
  ad_personalization?: Choice;
  /** The IAB's TC string, for what is not given. */
  tcf?: string;
}

export interface Settings {
  /** Publishable API key, `hw_pk_…`. */
  apiKey: string;
  /** URL of the service, with its path if it has one; by default where the script was loaded from. */
  host?: string;
  /**
   * The initial mode, later the current one. By default `full`, or `cookieless` if the browser sends Global Privacy Control
   * or Do Not Track.
   */
  mode?: Mode;
  /** Sent with every visit. With the consent script, a change is sent at once. */
  adConsent?: AdConsent;
  /** Other host names, including their subdomains, to which links carry the session. */
  domains?: string[];
}

/** `hash` and `shortHash` can be reported with a conversion as `sessionHash` and `shortSessionHash`. */
export interface Session {
  hash: string;
  shortHash: string;
  visitorId: string;
}

export interface Properties {
  /** The user's email; creates or updates a lead. */
  email?: string;
  funnel_id?: string;
  /** Monetary value; the event counts as a conversion. */
  value?: number | string;
  /** ISO 4217. */
  currency?: string;
  [name: string]: unknown;
}

export interface TrackResult {
  success: boolean;
  /** The service's id of the recorded event. */
  event_id?: string;
  /** `pending`: not sent yet; it is stored and sent later. Any other error: the event will not be recorded. */
  error?: string;
  reason?: string;
}

export interface Headwater extends Settings {
  /**
   * Records an event. Never rejects, and resolves within 5 s.
   * @param id your own id of the event, up to 64 characters: an event with the same id is recorded once
   */
  track(event: string, properties?: Properties, id?: string): Promise<TrackResult>;
  /** Sets what the visitor chose. Any mode but `full` also removes what is stored. */
  consent(mode: Mode): void;
  /** Available as soon as the script has run, in mode `full`. */
  readonly session?: Session;
}

/** For bundlers: starts the script on this page, once. In a browser only. */
export function start(settings: Settings & { host: string }): Headwater;

/** For bundlers: does what the consent script does, after `start`. */
export function startConsent(): void;

declare global {
  interface Window {
    headwater: Headwater;
  }
}
