import { createHash } from 'node:crypto';
import { CLICK_ID_SOURCES } from '../../shared/click-ids.ts';

/** A visit or an event as `POST /v1/batch` takes it. */
export type TrackingItem =
  | {
      visit: {
        url: string;
        referrer?: string;
        title?: string;
        visitorId: string;
        visitId: string;
        sessionHash: string;
        occurredAt: string;
      };
    }
  | { event: { event: string; id: string; occurredAt: string; properties: Record<string, unknown> } };

/** What becomes of a row of the other system. */
export interface TrackingRow {
  item?: TrackingItem | undefined;
  /** Where reading continues after it; to be called before the next row is read. */
  position(): string;
  /** Why it cannot be read; the others are. */
  fault?: { id: string; reason: string };
}

/** Events come after all visits, so that each finds its session, whatever the order of the rows. */
export const PARTS = ['visits', 'events'] as const;
export type TrackingPart = (typeof PARTS)[number];

/** The visits and events of another system, in any order. */
export interface TrackingSource {
  /** What it is, whatever the name of its file; the same in every run. */
  id: string;
  /** How many rows will be read in all, if that is known. */
  total: number | undefined;
  /** Whether a position of an earlier run is one of what is there now. */
  has(position: string): Promise<boolean>;
  /** Reads what follows a position; all, without one. */
  read(part: TrackingPart, after: string | undefined): AsyncIterable<TrackingRow>;
  /** Sentences for the report, with how often each applies. */
  notes: Notes;
}

/** Counts what is not taken over as it is. */
export class Notes {
  readonly #counts = new Map<string, number>();

  add(sentence: string, count = 1): void {
    if (count > 0) this.#counts.set(sentence, (this.#counts.get(sentence) ?? 0) + count);
  }

  list(): { note: string; count: number }[] {
    return [...this.#counts].map(([note, count]) => ({ note, count }));
  }
}

/** What a property named as one that makes a sale or a lead does. */
export interface Meaning {
  /** Whether a property `value` makes a sale. */
  values: boolean;
  /** Whether a property `email` makes a lead. */
  emails: boolean;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The session hash (22 characters) that stands for a session of the other system, in every run. */
export function sessionHashOf(system: string, id: string): string {
  const digest = createHash('sha256').update(`${system}\n${id}`).digest('hex');
  let [rest, hash] = [BigInt(`0x${digest.slice(0, 32)}`), ''];
  while (hash.length < 22) {
    hash = `${BASE62[Number(rest % 62n)]}${hash}`;
    rest /= 62n;
  }
  return hash;
}

/**
 * The properties of an event, with its page. Those that would make a sale or a lead, or name another session, get another name unless that is
 * asked for.
 */
export function eventProperties(
  given: Record<string, unknown>,
  {
    sessionHash,
    page,
    meaning,
    notes,
  }: { sessionHash: string; page: string | undefined; meaning: Meaning; notes: Notes },
): Record<string, unknown> {
  const entries = Object.entries(given).map(([name, value]) => {
    const isKept = name === 'value' ? meaning.values : name === 'email' ? meaning.emails : name !== 'sessionHash';
    if (isKept) return [name, value];
    if (name === 'value') notes.add(VALUE_NOTE);
    if (name === 'email') notes.add(EMAIL_NOTE);
    return [`imported_${name}`, value];
  });
  if (page !== undefined) entries.push(['page' in given ? 'page_url' : 'page', page]);
  return Object.fromEntries([...entries, ['sessionHash', sessionHash]]);
}

const VALUE_NOTE =
  'Properties named "value" are kept as "imported_value", so that they make no sales; with --values they do.';
const EMAIL_NOTE =
  'Properties named "email" are kept as "imported_email", so that they make no leads; with --emails they do.';

/** The event that keeps the properties of a page view: visits have none. */
export const PAGE_VIEW_EVENT = 'pageview';
export const PAGE_VIEW_NOTE = `Visits have no properties: those of page views, and their tags, became events named "${PAGE_VIEW_EVENT}".`;

/** Source and medium of a click ID, by its name alone. */
export const platformOf = (clickId: string) => CLICK_ID_SOURCES.find(({ name }) => name === clickId);

/** The referrer of a host or URL, without a scheme but for apps. */
export const referrerOf = (text: string) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
