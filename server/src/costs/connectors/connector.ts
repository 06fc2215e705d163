import type { ReadCost } from '../../analytics/index.ts';
import type { Credentials, HttpRequest, PlatformForm, PlatformId } from '../../destinations/index.ts';

/** What a cost source knows of its account at the platform. */
interface AdAccount {
  currency: string | null;
  /** In which its days begin: an IANA name. */
  timeZone: string;
}

/** A cost of one day. Its members are those of `ReadCost`; amounts are exact decimal numbers. */
export type Cost = Omit<ReadCost, 'currency'> & { currency: string };

/** Days, YYYY-MM-DD, the last included. */
export interface Days {
  from: string;
  to: string;
}

/** What requests are made with. */
export interface RequestContext {
  credentials: Credentials;
  /** The base URLs of the platform's hosts, by name. */
  hosts: Readonly<Record<string, string>>;
  version: string;
  accessToken: string;
  now: number;
}

/** Speaks to the platform. Every refusal is thrown as a `PlatformFault`. */
export interface Api {
  readonly credentials: Credentials;
  /** The JSON of a response. */
  json(build: (context: RequestContext) => HttpRequest): Promise<unknown>;
  /** A file that the platform made, by a URL that needs no credentials. */
  download(url: string): Promise<Buffer>;
  /** What `keep` was given last, of these days: a report that was requested before. */
  readonly pending: Readonly<Record<string, string>> | null;
  keep(pending: Readonly<Record<string, string>>): Promise<void>;
}

/** Why nothing was read. */
export class PlatformFault extends Error {
  readonly type: 'throttled' | 'unavailable' | 'credentials' | 'access' | 'notReady';
  readonly retryAfterMs: number | undefined;

  constructor(type: PlatformFault['type'], words: string, retryAfterMs?: number) {
    super(words);
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How an ad platform tells what ads cost: one file, listed in `registry.ts`. */
export interface Connector extends Pick<PlatformForm, 'name' | 'credentials' | 'checkCredentials'> {
  platform: PlatformId;
  /** What sessions with its click ids have as their source. */
  source: string;
  /** The credentials that a destination of the platform may have, too. */
  reuses: readonly string[];
  /** The credential that is the ID of the ad account. */
  accountId: string;
  hosts: Readonly<Record<string, string>>;
  version: string;
  /** Of the access token; undefined: there is none to be obtained. */
  oauth?(context: RequestContext): HttpRequest | undefined;
  account(api: Api): Promise<AdAccount>;
  /** How many days are read at once; 30 by default. Fewer where one response has all rows: it is parsed in one go, and has a limit. */
  daysAtOnce?: number;
  /** What ads cost on some days. */
  read(api: Api, days: Days, account: AdAccount): Promise<Cost[]>;
}

/** Millionths of a unit as a decimal number. */
export function fromMicros(micros: string | number): string {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

/** Amounts as whole millionths, so that differences are exact. */
const microsOf = (amount: string | number) => Math.round(Number(amount) * 1e6);

/**
 * What campaigns cost beyond their ads: some kinds of campaigns, such as Performance Max, have no ads in reports. Their cost is that of
 * the campaign as a whole.
 */
export function withRemainders(ads: readonly Cost[], campaigns: readonly Cost[]): Cost[] {
  const keyOf = ({ day, campaign_id }: Cost) => `${day} ${campaign_id}`;
  const ofAds = Map.groupBy(ads, keyOf);
  const remainders = campaigns.flatMap((campaign) => {
    const own = ofAds.get(keyOf(campaign)) ?? [];
    const rest = (of: (cost: Cost) => number) =>
      Math.max(0, of(campaign) - own.reduce((sum, each) => sum + of(each), 0));
    const [micros, clicks, impressions] = [
      rest(({ cost }) => microsOf(cost)),
      rest((each) => Number(each.clicks)),
      rest((each) => Number(each.impressions)),
    ];
    return micros + clicks + impressions === 0
      ? []
      : [
          {
            ...campaign,
            ad_group: '',
            ad_group_id: '',
            ad: '',
            ad_id: '',
            cost: fromMicros(micros),
            clicks,
            impressions,
          },
        ];
  });
  return [...ads, ...remainders];
}

/** Nothing is stored of a response that is not the whole report: what it lacks would be removed. */
export const incomplete = (member: string) => new PlatformFault('unavailable', `The response has no "${member}".`);

/** A list of a report. @throws PlatformFault if there is none */
export function listAt(value: unknown, member: string): unknown[] {
  const found = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[member] : undefined;
  if (!Array.isArray(found)) throw incomplete(member);
  return found;
}

/** A text that a report is read with. @throws PlatformFault if there is none */
export function requiredAt(value: unknown, member: string): string {
  const found = textAt(value, member);
  if (found === '') throw incomplete(member);
  return found;
}

/** A member of a JSON object, however deep, as text; empty if there is none. */
export function textAt(value: unknown, ...path: string[]): string {
  let found = value;
  for (const name of path) {
    found = found !== null && typeof found === 'object' ? (found as Record<string, unknown>)[name] : undefined;
  }
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}
