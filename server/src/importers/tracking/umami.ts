import pg from 'pg';
import { ConfigError } from '../../shared/config.ts';
import { MINUTE } from '../../shared/units.ts';
import { Notes } from '../source.ts';
import { sessionHashOf, type TrackingItem, type TrackingSource } from './import-tracking.ts';

const PAGE_SIZE = 1_000;
/** As Umami's visits in versions that store none. */
const IDLE_MS = 30 * MINUTE;
const CUSTOM_EVENT = 2;

interface Row {
  event_id: string;
  session_id: string;
  /** Since version 2.11. */
  visit_id?: string | null;
  /** With microseconds, as text: the position. */
  at: string;
  created_at: Date;
  hostname?: string | null;
  url_path: string;
  url_query: string | null;
  referrer_path: string | null;
  referrer_query: string | null;
  referrer_domain: string | null;
  page_title: string | null;
  event_type: number;
  event_name: string | null;
  data: { key: string; type: number; text: string | null; number: string | null; date: string | null }[] | null;
}

/**
 * Reads a website from the PostgreSQL database of Umami 2 or newer.
 * @param website its id or domain; may be left out if there is one website
 */
export function readUmami(databaseUrl: string, website: string | undefined): TrackingSource {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('Pass the DATABASE_URL of Umami: postgres://user:password@host/database');
  }
  const notes = new Notes();
  return {
    notes,
    async *read(after) {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on('error', () => {});
      await client.connect().catch((cause: Error) => {
        throw new ConfigError(`The database of Umami cannot be reached: ${cause.message}`, { cause });
      });
      try {
        yield* readWebsite(client, await findWebsite(client, website), after, notes);
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

interface Website {
  id: string;
  domain: string;
}

async function findWebsite(client: pg.Client, wanted: string | undefined): Promise<Website> {
  const { rows } = await client.query<Website>(
    `select website_id as id, coalesce(domain, '') as domain from website where deleted_at is null order by name`,
  );
  const found = wanted === undefined ? rows : rows.filter(({ id, domain }) => id === wanted || domain === wanted);
  const [first] = found;
  if (first && found.length === 1) return first;
  const list = rows.map(({ id, domain }) => `${domain} (${id})`).join(', ');
  throw new ConfigError(rows.length === 0 ? 'There is no website in Umami.' : `Choose one by --website: ${list}`);
}

async function* readWebsite(client: pg.Client, website: Website, after: string | undefined, notes: Notes) {
  notes.add('Browser, system, device and country of sessions are not imported: they are derived from requests.');
  const visits = new Visits();
  let [at, id] = after?.split(' ') ?? ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const { rows } = await client.query<Row>(
      `select e.*, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
         (select jsonb_agg(jsonb_build_object('key', d.${await keyColumn(client)}, 'type', d.data_type, 'text', d.string_value,
            'number', d.number_value::text, 'date', d.date_value) order by d.event_data_id)
          from event_data d where d.website_event_id = e.event_id and d.website_id = e.website_id) as data
       from website_event e
       where e.website_id = $1 and (e.created_at, e.event_id) > ($2::timestamptz, $3::uuid)
       order by e.created_at, e.event_id limit ${PAGE_SIZE}`,
      [website.id, at, id],
    );
    for (const row of rows) {
      [at, id] = [row.at, row.event_id];
      yield { item: itemOf(row, website, visits, notes), position: `${at} ${id}` };
    }
    if (rows.length < PAGE_SIZE) return;
  }
}

/** Renamed by version 2.12. */
async function keyColumn(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    "select column_name as name from information_schema.columns where table_name = 'event_data' and column_name in ('event_key', 'data_key')",
  );
  return rows[0]?.name === 'event_key' ? 'event_key' : 'data_key';
}

function itemOf(row: Row, { domain }: Website, visits: Visits, notes: Notes): TrackingItem | undefined {
  const occurredAt = row.created_at.toISOString();
  const sessionHash = sessionHashOf('umami', row.visit_id ?? visits.idOf(row));
  if (row.event_type === CUSTOM_EVENT) {
    const properties = propertiesOf(row, notes);
    return {
      event: {
        event: row.event_name || 'event',
        id: row.event_id,
        occurredAt,
        properties: { ...properties, sessionHash },
      },
    };
  }
  const host = row.hostname || domain;
  const url = `https://${host}${row.url_path.startsWith('/') ? '' : '/'}${row.url_path}${query(row.url_query)}`;
  if (!URL.canParse(url)) {
    notes.add('Page views whose URL is incomplete are not imported.');
    return undefined;
  }
  const referrer = row.referrer_domain
    ? `https://${row.referrer_domain}${row.referrer_path ?? ''}${query(row.referrer_query)}`
    : undefined;
  return {
    visit: {
      url,
      ...(referrer && { referrer }),
      ...(row.page_title && { title: row.page_title }),
      visitorId: row.session_id,
      visitId: row.event_id,
      sessionHash,
      occurredAt,
    },
  };
}

const query = (text: string | null) => (text ? `?${text.replace(/^\?/, '')}` : '');

/** Umami's types of event data: 1 text, 2 number, 3 boolean, 4 date, 5 list. */
function propertiesOf({ data }: Row, notes: Notes): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const { key, type, text, number, date } of data ?? []) {
    if (type === 2) properties[key] = Number(number);
    else if (type === 3) properties[key] = text === 'true';
    else properties[key] = type === 4 ? (date ?? text) : text;
  }
  if (properties.value === undefined && typeof properties.revenue === 'number') {
    properties.value = properties.revenue;
    notes.add('The revenue of an event became its value, which makes it a conversion.');
  }
  return properties;
}

/** Visits in the data of versions before 2.11, which only have visitors: they end after 30 minutes without activity. */
class Visits {
  readonly #open = new Map<string, { id: string; at: number }>();

  idOf({ session_id, event_id, created_at }: Row): string {
    const open = this.#open.get(session_id);
    const at = created_at.getTime();
    const id = open && at - open.at < IDLE_MS ? open.id : event_id;
    this.#open.set(session_id, { id, at });
    return id;
  }
}
