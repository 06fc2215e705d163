/** Full: a session and a visitor id. Cookieless: nothing on the device, no identifier. Off: nothing at all. */
export type Mode = 'full' | 'cookieless' | 'off';

export interface Settings {
  /** Publishable API key, `hw_pk_…`. */
  apiKey: string;
  /** Where the service answers, with its path if it has one; by default where the script came from. */
  host?: string;
  /**
   * How a page begins, and then the mode in force. Where it says nothing: `full`, or `cookieless` where the browser sends
   * Global Privacy Control or Do Not Track.
   */
  mode?: Mode;
  /** Other host names (with their subdomains) that links carry the session to. */
  domains?: string[];
}

/** Good for the service's conversion report under `sessionHash` and `shortSessionHash`. */
export interface Session {
  hash: string;
  shortHash: string;
  visitorId: string;
}

export interface Properties {
  /** The user's e-mail: makes or updates a lead. */
  email?: string;
  funnel_id?: string;
  /** Monetary value: the event counts as a conversion. */
  value?: number;
  /** ISO 4217. */
  currency?: string;
  /** Your own id: the same one twice is recorded once. */
  event_id?: string;
  /** When it happened, RFC 3339; now, where it is not given. */
  timestamp?: string;
  [name: string]: unknown;
}

export interface TrackResult {
  success: boolean;
  /** The service's id of the recorded event. */
  event_id?: string;
  /** `pending`: not yet, it is kept and sent later. Anything else: it will not be recorded. */
  error?: string;
  reason?: string;
}

export interface Headwater extends Settings {
  /** Records an event. Never rejects, and is done after 5 s at the latest. */
  track(event: string, properties?: Properties): Promise<TrackResult>;
  /** What the visitor chose, on this page. Anything but `full` also removes what is stored. */
  consent(mode: Mode): void;
  /** There as soon as the script has run, in mode `full`. */
  readonly session?: Session;
}

/** For those who bundle: starts on this page, once. In a browser only. */
export function start(settings: Settings & { host: string }): Headwater;

declare global {
  interface Window {
    headwater: Headwater;
  }
}
