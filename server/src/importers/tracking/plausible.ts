import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConfigError } from '../../shared/config.ts';
import { Notes } from '../source.ts';
import { sessionHashOf, type TrackingItem, type TrackingSource } from './import-tracking.ts';

/** A row of `events_v2`. ClickHouse writes 64-bit numbers as text or as numbers. */
interface Row {
  name: string;
  /** In UTC, `2026-03-01 10:00:00`. */
  timestamp: string;
  user_id: string | number;
  session_id: string | number;
  hostname: string;
  pathname: string;
  /** Without a scheme. */
  referrer?: string;
  utm_source?: string;
  utm_medium?: string;
  utm_campaign?: string;
  utm_content?: string;
  utm_term?: string;
  click_id_param?: string;
  'meta.key'?: string[];
  'meta.value'?: string[];
  revenue_source_amount?: number | string | null;
  revenue_source_currency?: string | null;
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const;

/** Reads the events of a site from ClickHouse, as lines of JSON (`FORMAT JSONEachRow`), ordered by `timestamp`. */
export function readPlausible(path: string): TrackingSource {
  if (!existsSync(path)) throw new ConfigError(`${path} does not exist`);
  const notes = new Notes();
  return {
    notes,
    async *read(after) {
      notes.add('Browser, system, device and country of sessions are not imported: they are derived from requests.');
      let number = 0;
      for await (const line of createInterface({
        input: createReadStream(path),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        number++;
        if (number <= Number(after ?? 0) || line.trim() === '') continue;
        const row = parse(line, number);
        const position = String(number);
        const occurredAt = timeOf(row);
        if (occurredAt === undefined) {
          const reason = `The timestamp "${row.timestamp}" is unreadable. ClickHouse writes "2026-03-01 10:00:00".`;
          yield { item: undefined, position, fault: { id: `line ${number}`, reason } };
        } else yield { item: itemOf(row, occurredAt, line, number, notes), position };
      }
    },
  };
}

function parse(line: string, number: number): Row {
  // Numbers beyond 2^53 would be rounded: two visitors could become one.
  const text = line.replace(/"(user_id|session_id)":(\d+)/g, '"$1":"$2"');
  let row: Row | undefined;
  try {
    row = JSON.parse(text);
  } catch {
    row = undefined;
  }
  const isEvent =
    row && typeof row.timestamp === 'string' && typeof row.name === 'string' && row.session_id !== undefined;
  if (row && isEvent) return row;
  throw new ConfigError(`Line ${number} is no row of events_v2 in the format JSONEachRow.`);
}

function timeOf({ timestamp }: Row): string | undefined {
  const ms = Date.parse(`${timestamp.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function itemOf(row: Row, occurredAt: string, line: string, number: number, notes: Notes): TrackingItem | undefined {
  const sessionHash = sessionHashOf('plausible', String(row.session_id));
  // Plausible has no ids of events, and equal ones may occur in the same second.
  const id = createHash('sha256').update(`${number}\n${line}`).digest('hex').slice(0, 32);
  if (row.click_id_param)
    notes.add('Plausible stores that there was a click ID, not the ID: such visits match no conversion.');
  if (row.name === 'engagement') {
    notes.add('Engagement (scroll depth and time on page) is not imported.');
    return undefined;
  }
  if (row.name !== 'pageview') {
    return { event: { event: row.name, id, occurredAt, properties: { ...propertiesOf(row), sessionHash } } };
  }
  const url = urlOf(row);
  if (url === undefined) {
    notes.add('Page views whose URL is incomplete are not imported.');
    return undefined;
  }
  return {
    visit: {
      url,
      ...(row.referrer && { referrer: /^https?:/.test(row.referrer) ? row.referrer : `https://${row.referrer}` }),
      visitorId: String(row.user_id),
      visitId: id,
      sessionHash,
      occurredAt,
    },
  };
}

/** Plausible stores the campaign apart from the URL. */
function urlOf(row: Row): string | undefined {
  const url = row.hostname ? URL.parse(`https://${row.hostname}${row.pathname}`) : null;
  if (!url) return undefined;
  for (const name of UTM) if (row[name] && !url.searchParams.has(name)) url.searchParams.set(name, row[name]);
  return url.href;
}

function propertiesOf(row: Row): Record<string, unknown> {
  const values = row['meta.value'] ?? [];
  const properties: Record<string, unknown> = {};
  for (const [i, key] of (row['meta.key'] ?? []).entries()) properties[key] = values[i];
  if (row.revenue_source_amount !== undefined && row.revenue_source_amount !== null) {
    properties.value = row.revenue_source_amount;
    if (row.revenue_source_currency) properties.currency = row.revenue_source_currency;
  }
  return properties;
}
