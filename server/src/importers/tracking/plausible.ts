import { createHash, type Hash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { ConfigError } from '../../shared/config.ts';
import {
  eventProperties,
  type Meaning,
  Notes,
  PAGE_VIEW_EVENT,
  PAGE_VIEW_NOTE,
  platformOf,
  referrerOf,
  sessionHashOf,
  type TrackingItem,
  type TrackingPart,
  type TrackingRow,
  type TrackingSource,
} from './tracking-source.ts';

/** A row of `events_v2`. ClickHouse writes 64-bit numbers as text or as numbers. */
interface Row {
  name: string;
  /** In UTC, `2026-03-01 10:00:00`. */
  timestamp: string;
  user_id: string | number;
  session_id: string | number;
  hostname: string;
  pathname: string;
  /** Without a scheme, but for apps. */
  referrer?: string;
  utm_source?: string;
  utm_medium?: string;
  utm_campaign?: string;
  utm_content?: string;
  utm_term?: string;
  /** The name of a click ID, not its value. */
  click_id_param?: string;
  'meta.key'?: string[];
  'meta.value'?: string[];
  revenue_source_amount?: number | string | null;
  revenue_source_currency?: string | null;
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;

/** Reads the events of a site from ClickHouse, as lines of JSON (`FORMAT JSONEachRow`), in any order. */
export async function readPlausible(path: string, meaning: Meaning): Promise<TrackingSource> {
  const { lines, isSorted } = await scan(path);
  const notes = new Notes();
  notes.add('Browser, system, device and country of sessions are not imported: they are derived from requests.');
  return {
    id: 'plausible',
    total: 2 * lines,
    notes,
    has: (position) => hasPrefix(path, position),
    async *read(part, after) {
      const start = Number(after?.split(' ')[0] ?? 0);
      const ids = new RowIds(isSorted);
      for await (const { text, number, position } of linesOf(path)) {
        if (text.trim() === '') continue;
        const row = parse(text);
        const occurredAt = row && timeOf(row.timestamp);
        // Also of rows that are skipped: equal ones are told apart by their number.
        const id = row && occurredAt !== undefined ? ids.idOf(row, occurredAt) : '';
        if (number > start) yield { ...readRow(row, occurredAt, { id, number, part, meaning, notes }), position };
      }
    },
  };
}

/** @throws ConfigError if the file is none that can be imported */
async function scan(path: string): Promise<{ lines: number; isSorted: boolean }> {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) throw new ConfigError(`${path} does not exist.`);
  if (!file.isFile()) throw new ConfigError(`${path} is no file. Pass the file that ClickHouse wrote.`);
  let [lines, isSorted, latest] = [0, true, ''];
  for await (const { text, number } of linesOf(path)) {
    if (text.trim() === '') continue;
    if (lines++ === 0 && !parse(text)) {
      throw new ConfigError(
        `Line ${number} of ${path} is no row of events_v2 in the format JSONEachRow: {"timestamp":"2026-03-01 10:00:00","name":"pageview",…}`,
      );
    }
    const timestamp = /"timestamp"\s*:\s*"?([^",}]*)/.exec(text)?.[1] ?? '';
    isSorted &&= timestamp >= latest;
    latest = timestamp;
  }
  if (lines === 0) throw new ConfigError(`${path} is empty.`);
  return { lines, isSorted };
}

interface Line {
  text: string;
  number: number;
  /** Its number, where it ends, and a digest of all until there. */
  position(): string;
}

/** The lines of a file, ended by LF or CRLF, without a byte order mark. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  let [number, end] = [0, 0];
  const line = (bytes: Buffer): Line => {
    hash.update(bytes);
    end += bytes.length;
    const at = ++number;
    const text = bytes.toString('utf8');
    return {
      text: at === 1 && text.startsWith('\ufeff') ? text.slice(1) : text,
      number: at,
      position: () => `${at} ${end} ${digestOf(hash)}`,
    };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      yield line(bytes.subarray(start, at + 1));
      start = at + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield line(rest);
}

const digestOf = (hash: Hash) => hash.copy().digest('base64url').slice(0, 22);

/** Whether the file begins with what an earlier run has read. */
async function hasPrefix(path: string, position: string): Promise<boolean> {
  const [, end = '', digest] = position.split(' ');
  if (statSync(path).size < Number(end)) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: Number(end) - 1 })) hash.update(chunk as Buffer);
  return digestOf(hash) === digest;
}

function parse(line: string): Row | undefined {
  // Numbers beyond 2^53 would be rounded: two visitors could become one.
  const text = line.replace(/"(user_id|session_id)"\s*:\s*(\d+)/g, '"$1":"$2"');
  let row: Row | undefined;
  try {
    row = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isEvent =
    row &&
    ['string', 'number'].includes(typeof row.timestamp) &&
    typeof row.name === 'string' &&
    row.session_id != null;
  return isEvent ? row : undefined;
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-]\d\d:?\d\d)?$/;

/** In each of ClickHouse's formats of times: `simple`, `iso` and `unix_timestamp`. */
function timeOf(timestamp: string | number): string | undefined {
  const text = String(timestamp);
  const [, day, time, fraction = '0', zone = 'Z'] = TIME.exec(text) ?? [];
  const written = day === undefined ? '' : `${day}T${time}.${fraction.padEnd(3, '0')}${zone}`;
  const ms = /^\d{9,11}$/.test(text) ? Number(text) * 1_000 : Date.parse(written);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/**
 * Plausible has no IDs of events. A row is identified by what it says, however it is written, and equal rows by their number: several may occur in the
 * same second.
 */
class RowIds {
  readonly #isSorted: boolean;
  #time = '';
  readonly #counts = new Map<string, number>();

  constructor(isSorted: boolean) {
    this.#isSorted = isSorted;
  }

  idOf(row: Row, occurredAt: string): string {
    // Equal rows have the same time.
    if (this.#isSorted && occurredAt !== this.#time) this.#counts.clear();
    this.#time = occurredAt;
    const { name, user_id, session_id, hostname, pathname, revenue_source_amount: amount } = row;
    const revenue = amount === undefined || amount === null ? null : Number(amount);
    const meta = Object.entries(metaOf(row)).sort(([a], [b]) => (a < b ? -1 : 1));
    const said = [occurredAt, name, String(user_id), String(session_id), hostname, pathname, meta, revenue];
    const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 26);
    const count = this.#counts.get(digest) ?? 0;
    this.#counts.set(digest, count + 1);
    return `${digest}-${count}`;
  }
}

interface Reading {
  id: string;
  number: number;
  part: TrackingPart;
  meaning: Meaning;
  notes: Notes;
}

/** What a row is to one of the parts; each is reported in one of them. */
function readRow(
  row: Row | undefined,
  occurredAt: string | undefined,
  reading: Reading,
): Omit<TrackingRow, 'position'> {
  const { id, number, part, meaning, notes } = reading;
  const isVisit = row === undefined || row.name === 'pageview';
  const isOwn = (part === 'visits') === isVisit;
  const fault = (reason: string) => (isOwn ? { fault: { id: `line ${number}`, reason } } : {});
  if (row === undefined) return fault('It is no row of events_v2, or cut off.');
  if (occurredAt === undefined) {
    return fault(`The timestamp "${row.timestamp}" is unreadable. ClickHouse writes "2026-03-01 10:00:00".`);
  }
  const sessionHash = sessionHashOf('plausible', String(row.session_id));
  const event = (name: string, eventId: string, given: Record<string, unknown>): { item: TrackingItem } => {
    const properties = eventProperties(given, { sessionHash, page: pageOf(row)?.href, meaning, notes });
    const { revenue_source_amount: value, revenue_source_currency: currency } = row;
    const revenue = value === undefined || value === null ? {} : { value, ...(currency && { currency }) };
    return { item: { event: { event: name, id: eventId, occurredAt, properties: { ...properties, ...revenue } } } };
  };
  if (!isVisit) {
    if (!isOwn) return {};
    if (row.name !== 'engagement') return event(row.name, id, metaOf(row));
    notes.add('Engagement (scroll depth and time on page) is not imported.');
    return {};
  }
  const url = urlOf(row);
  if (part === 'events') {
    const meta = metaOf(row);
    if (url === undefined || Object.keys(meta).length === 0) return {};
    notes.add(PAGE_VIEW_NOTE);
    return event(PAGE_VIEW_EVENT, `${id}-p`, meta);
  }
  if (row.click_id_param)
    notes.add('Plausible stores that there was a click ID, not the ID: such visits match no conversion.');
  if (url === undefined) {
    notes.add('Page views whose URL is incomplete are not imported.');
    return {};
  }
  const referrer = row.referrer && { referrer: referrerOf(row.referrer) };
  return {
    item: { visit: { url, ...referrer, visitorId: String(row.user_id), visitId: id, sessionHash, occurredAt } },
  };
}

function pageOf({ hostname, pathname }: Row): URL | undefined {
  const isKnown = hostname && hostname !== '(none)';
  return (isKnown && URL.parse(`https://${hostname}${pathname}`)) || undefined;
}

/** Plausible stores the campaign apart from the URL. Where it knows no more than that there was a click ID, its medium is `(gclid)`. */
function urlOf(row: Row): string | undefined {
  const url = pageOf(row);
  if (!url) return undefined;
  const clickId = /^\((\w+)\)$/.exec(row.utm_medium ?? '')?.[1] ?? (row.utm_medium ? '' : (row.click_id_param ?? ''));
  const platform = platformOf(clickId);
  const utm = {
    ...row,
    ...(platform && { utm_medium: platform.medium, utm_source: row.utm_source || platform.source }),
  };
  for (const name of UTM) if (utm[name] && !url.searchParams.has(name)) url.searchParams.set(name, utm[name]);
  return url.href;
}

function metaOf(row: Row): Record<string, unknown> {
  const values = row['meta.value'] ?? [];
  return Object.fromEntries((row['meta.key'] ?? []).map((key, i) => [key, values[i]]));
}
