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

/** An experiment as the API returns it; other members are ignored. */
export interface AssignedExperiment {
  key: string;
  variants: { key: string; weight: number }[];
  coverage: number;
  preceding?: AssignedExperiment[];
  holdout?: number;
  shippedVariant?: string | null;
}

export interface Settings {
  /** The running experiments that `variant` knows. */
  experiments?: AssignedExperiment[];
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
  /** `include`: the service runs under another subdomain of the site, and may keep the visitor in its first-party cookie. */
  credentials?: 'include';
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
  /** Whether it was recorded as one of a bot, which reports leave out. */
  isBot?: boolean;
  /** Of a visit: by which the service knows the visitor. */
  visitorId?: string;
}

export interface Headwater extends Settings {
  /**
   * Records an event. Never rejects, and resolves within 5 s.
   * @param id your own id of the event, up to 64 characters: an event with the same id is recorded once
   */
  track(event: string, properties?: Properties, id?: string): Promise<TrackResult>;
  /**
   * The variant of this visitor, who is exposed to it from now on: call it where the variant is used. null: the visitor does not take part, which
   * includes everybody without the mode `full`. Available as soon as the script has run.
   */
  variant(experimentKey: string): string | null;
  /**
   * Only with the snippet of experiments: leaves for the page of the visitor's variant, with the parameters of the URL, such as click IDs. Stays where a variant has
   * no page.
   */
  redirect?(experimentKey: string, pages: Record<string, string>): void;
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
