import pg from 'pg';
import { ConfigError } from '../../shared/config.ts';
import { MINUTE } from '../../shared/units.ts';
import {
  eventProperties,
  type Meaning,
  Notes,
  PAGE_VIEW_EVENT,
  PAGE_VIEW_NOTE,
  referrerOf,
  sessionHashOf,
  type TrackingPart,
  type TrackingRow,
  type TrackingSource,
} from './tracking-source.ts';

const PAGE_SIZE = 2_000;
/** As Umami's visits in versions that store none. */
const IDLE_MS = 30 * MINUTE;
const [PAGE_VIEW, CUSTOM_EVENT] = [1, 2];

interface Row {
  event_id: string;
  session_id: string;
  /** Since version 2.11. */
  visit_id?: string | null;
  /** With microseconds, as text: the position. */
  at: string;
  occurred_at: number;
  hostname?: string | null;
  url_path: string;
  url_query: string | null;
  referrer_path: string | null;
  referrer_query: string | null;
  referrer_domain: string | null;
  page_title: string | null;
  event_type: number;
  event_name: string | null;
  tag?: string | null;
  data: { key: string; type: number; text: string | null; number: string | null; date: string | null }[] | null;
}

/**
 * Reads a website from the PostgreSQL database of Umami 2 or newer.
 * @param wanted its id or domain; may be left out if there is one website
 */
export async function readUmami(
  databaseUrl: string,
  wanted: string | undefined,
  meaning: Meaning,
): Promise<TrackingSource> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new ConfigError('Pass the DATABASE_URL of Umami: postgres://user:password@host/database');
  }
  const connected = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await connect(databaseUrl);
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const notes = new Notes();
  notes.add('Browser, system, device and country of sessions are not imported: they are derived from requests.');
  const { website, tables, total } = await connected(async (client) => {
    const tables = await readTables(client);
    const website = await findWebsite(client, wanted);
    const other = await countOthers(client, website.id, tables);
    notes.add('Performance measurements are no page views, and are not imported.', other.measurements);
    notes.add('Rows of other types (links and pixels) are not imported.', other.unknown);
    return { website, tables, total: other.imported };
  });
  return {
    id: `umami ${website.id}`,
    total,
    notes,
    has: async () => true,
    async *read(part, after) {
      const client = await connect(databaseUrl);
      try {
        yield* readWebsite(client, { website, tables, part, after, meaning, notes });
      } catch (error) {
        throw isLost(error)
          ? new ConfigError('The database of Umami was lost. Run the command again: it continues.', { cause: error })
          : error;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 15_000, keepAlive: true });
  client.on('error', () => {});
  await client.connect().catch((cause: Error & { code?: string; errors?: Error[] }) => {
    const reason = cause.message || cause.errors?.map(({ message }) => message).join(', ') || cause.code;
    throw new ConfigError(`The database of Umami cannot be reached: ${reason}`, { cause });
  });
  return client;
}

const isLost = (error: unknown) =>
  /Connection terminated|ECONNRESET|not queryable|57P0/.test(
    `${(error as { code?: string }).code} ${(error as Error).message}`,
  );

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

/** What the tables of this version of Umami have. */
interface Tables {
  hasVisits: boolean;
  hasTags: boolean;
  /** SQL: whether a row is a measurement of performance, which older versions store under the type of events. */
  isMeasurement: string;
  /** The columns of the data of events, by what they contain. */
  data: { id: string; key: string; type: string; text: string; number: string; date: string };
}

const MEASURED = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'];

async function readTables(client: pg.Client): Promise<Tables> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = any(current_schemas(false)) and table_name in ('website', 'website_event', 'event_data')`,
  );
  const names = new Set(rows.map(({ name }) => name));
  for (const table of ['website.website_id', 'website_event.event_id', 'event_data.website_event_id']) {
    if (!names.has(table)) throw new ConfigError('This is no database of Umami 2 or newer: it lacks its tables.');
  }
  const first = (...columns: string[]) =>
    columns.find((name) => names.has(`event_data.${name}`)) ?? (columns[0] as string);
  const measured = MEASURED.filter((name) => names.has(`website_event.${name}`));
  return {
    hasVisits: names.has('website_event.visit_id'),
    hasTags: names.has('website_event.tag'),
    isMeasurement: `(e.event_type = 5${measured.map((name) => ` or e.${name} is not null`).join('')})`,
    data: {
      id: first('event_data_id', 'event_id'),
      key: first('data_key', 'event_key'),
      type: first('data_type', 'event_data_type'),
      text: first('string_value', 'event_string_value'),
      number: first('number_value', 'numeric_value', 'event_numeric_value'),
      date: first('date_value', 'event_date_value'),
    },
  };
}

async function countOthers(client: pg.Client, website: string, { isMeasurement }: Tables) {
  const { rows } = await client.query<{ measurements: number; unknown: number; imported: number }>(
    `select count(*) filter (where ${isMeasurement})::int as measurements,
       count(*) filter (where not ${isMeasurement} and event_type not in (${PAGE_VIEW}, ${CUSTOM_EVENT}))::int as unknown,
       count(*) filter (where not ${isMeasurement} and event_type in (${PAGE_VIEW}, ${CUSTOM_EVENT}))::int as imported
     from website_event e where website_id = $1`,
    [website],
  );
  return rows[0] ?? { measurements: 0, unknown: 0, imported: 0 };
}

interface Reading {
  website: Website;
  tables: Tables;
  part: TrackingPart;
  after: string | undefined;
  meaning: Meaning;
  notes: Notes;
}

async function* readWebsite(client: pg.Client, reading: Reading): AsyncGenerator<TrackingRow> {
  const { website, tables, part, after } = reading;
  const visits = tables.hasVisits ? undefined : new Visits();
  const { data } = tables;
  // Without visits in the database, all rows of a visitor tell where they begin and end, also those before.
  const start = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  const hasData = `exists (select from event_data d where d.website_event_id = e.event_id and d.website_id = e.website_id)`;
  const isOfPart =
    part === 'visits'
      ? `e.event_type = ${PAGE_VIEW}`
      : `(e.event_type = ${CUSTOM_EVENT} or e.event_type = ${PAGE_VIEW} and (${tables.hasTags ? 'e.tag is not null or ' : ''}${hasData}))`;
  const dataOf = `(select jsonb_agg(jsonb_build_object('key', d.${data.key}, 'type', d.${data.type}, 'text', d.${data.text},
            'number', d.${data.number}::text, 'date', d.${data.date}) order by d.${data.id})
          from event_data d where d.website_event_id = e.event_id and d.website_id = e.website_id)`;
  const sql = `select e.*, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
       floor(extract(epoch from e.created_at) * 1000)::float8 as occurred_at, ${isOfPart} as is_of_part,
       ${part === 'visits' ? 'null::jsonb' : dataOf} as data
     from website_event e
     where e.website_id = $1 and (e.created_at, e.event_id) > ($2::timestamptz, $3::uuid) and isfinite(e.created_at)
       and not ${tables.isMeasurement} and ${visits ? `e.event_type in (${PAGE_VIEW}, ${CUSTOM_EVENT})` : isOfPart}
     order by e.created_at, e.event_id limit ${PAGE_SIZE}`;
  const page = ([at, id]: (string | undefined)[]) =>
    client.query<Row & { is_of_part: boolean }>({ name: part, text: sql, values: [website.id, at, id] });
  let next = page(after === undefined || visits ? start : after.split(' '));
  for (;;) {
    const { rows } = await next;
    const last = rows.at(-1);
    const isLast = rows.length < PAGE_SIZE || !last;
    // The next page is read while this one is sent.
    if (!isLast) {
      next = page([last.at, last.event_id]);
      next.catch(() => {});
    }
    for (const row of rows) {
      const visit = row.visit_id ?? visits?.idOf(row) ?? row.session_id;
      const position = `${row.at} ${row.event_id}`;
      const isNew = after === undefined || position > after;
      if (isNew && row.is_of_part) yield { ...readRow(row, visit, reading), position: () => position };
    }
    if (isLast) return;
  }
}

function readRow(row: Row, visit: string, { website, part, meaning, notes }: Reading): Omit<TrackingRow, 'position'> {
  const occurredAt = new Date(row.occurred_at).toISOString();
  const sessionHash = sessionHashOf('umami', visit);
  const host = row.hostname || website.domain;
  const text = `https://${host}${row.url_path.startsWith('/') ? '' : '/'}${row.url_path}${query(row.url_query)}`;
  const url = host && URL.canParse(text) ? text : undefined;
  if (part === 'events') {
    const isPageView = row.event_type === PAGE_VIEW;
    if (isPageView) notes.add(PAGE_VIEW_NOTE);
    const given: Record<string, unknown> = { ...(row.tag && { tag: row.tag }), ...dataOf(row) };
    const properties = eventProperties(given, { sessionHash, page: url, meaning, notes });
    if (properties.value === undefined && typeof given.revenue === 'number') {
      properties.value = given.revenue;
      notes.add('The revenue of an event became its value, which makes it a conversion.');
    }
    const event = isPageView ? PAGE_VIEW_EVENT : row.event_name || 'event';
    return { item: { event: { event, id: isPageView ? `${row.event_id}-p` : row.event_id, occurredAt, properties } } };
  }
  if (url === undefined) {
    notes.add('Page views whose URL is incomplete are not imported.');
    return {};
  }
  const referrer = row.referrer_domain && {
    referrer: `${hostOf(row.referrer_domain)}${row.referrer_path ?? ''}${query(row.referrer_query)}`,
  };
  const title = row.page_title && { title: row.page_title };
  return {
    item: {
      visit: { url, ...referrer, ...title, visitorId: row.session_id, visitId: row.event_id, sessionHash, occurredAt },
    },
  };
}

const query = (text: string | null) => (text ? `?${text.replace(/^\?/, '')}` : '');

/** Of an app Umami stores the package as the domain. */
const hostOf = (domain: string) =>
  /^(com|org|net)\.[a-z0-9_.]+$/i.test(domain) ? `android-app://${domain}` : referrerOf(domain);

/** Umami's types of event data: 1 text, 2 number, 3 boolean, 4 date, 5 list. */
function dataOf({ data }: Row): Record<string, unknown> {
  const entries = (data ?? []).map(({ key, type, text, number, date }) => {
    if (type === 2) return [key, Number(number)];
    if (type === 3) return [key, text === 'true'];
    return [key, type === 4 ? (date ?? text) : text];
  });
  return Object.fromEntries(entries);
}

/** Visits in the data of versions before 2.11, which only have visitors: they end after 30 minutes without activity. */
class Visits {
  readonly #open = new Map<string, { id: string; at: number }>();

  idOf({ session_id, event_id, occurred_at: at }: Row): string {
    const open = this.#open.get(session_id);
    const id = open && at - open.at < IDLE_MS ? open.id : event_id;
    this.#open.set(session_id, { id, at });
    return id;
  }
}
