/** What a tour is given: the service, an account's keys, and a period that contains now. */
export interface Access {
  url: string;
  token: string;
  apiKey: string;
  from: string;
  to: string;
}

/** What it finds, once it published an entry, and recorded a visit from an ad, an event and a sale. */
export interface Seen {
  read: Record<string, unknown>;
  isBot: boolean;
  reports: string[];
  /** Read again until it has counted the visit. */
  overview(): Promise<{ visits: number; conversions: number }>;
}
