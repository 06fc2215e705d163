import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Account, testService } from '../../../test/harness.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import { insertRows, parseCsv, parseNdjson, parseParquet, runExport, runnerOf } from '../test-support.ts';
import { DATASETS, type DatasetName } from './index.ts';

const service = await testService();
const { idOf } = service.sessionIds;
runnerOf(service).start();

type Row = Record<string, unknown>;

const NO_CLICK_IDS = {
  gclid: null,
  gbraid: null,
  wbraid: null,
  fbclid: null,
  msclkid: null,
  ttclid: null,
  li_fat_id: null,
  epik: null,
  twclid: null,
  sclid: null,
  tblci: null,
  ob_click_id: null,
  rdt_cid: null,
  aleid: null,
  alart: null,
  oppref: null,
};

let account: Account;
/** The rows of each dataset, as in NDJSON. */
const expected: Record<DatasetName, Row[]> = {
  sessions: [],
  visits: [],
  events: [],
  conversions: [],
  leads: [],
  unmatched: [],
};

/** Inserts two rows into every table, one with every column set and one with as few as possible. Returns them as in NDJSON. */
async function seed(accountId: string): Promise<typeof expected> {
  const uuid = () => newUuid();
  const [led, vis1, vis2, evt1, evt2, cnv1, cnv2, unm1, unm2] = Array.from({ length: 9 }, uuid) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const base = Number((await service.db.query("select nextval('session_number_seq')")).rows[0].nextval) * 10;
  const [full, empty] = [base, base + 1];
  const of = (row: Row) => ({ account_id: accountId, ...row });
  const hash = `hash${base}`;
  await insertRows(service, 'sessions', [
    of({
      number: full,
      hash,
      short_hash: 'shorthash001',
      visitor_id: 'visitor-1',
      started_at: '2026-11-20T08:00:00.000Z',
      last_seen_at: '2026-11-20T08:30:00.120Z',
      landing_url: 'https://shop.example/?gclid=Cj0&li_fat_id=x',
      referrer: 'https://search.example/',
      source: 'google',
      medium: 'cpc',
      campaign: 'Spring, "big"',
      term: 'shoes',
      content: 'ad-1',
      utm_id: '77',
      click_ids: { gclid: 'Cj0', li_fat_id: 'x', alart: 'last' },
      device: 'mobile',
      browser: 'Firefox',
      os: 'Android',
      country: 'DE',
      region: 'Bavaria, DE',
      is_bot: true,
      is_internal: true,
      lead_id: led,
    }),
    of({
      number: empty,
      hash: `${hash}b`,
      short_hash: 'shorthash002',
      visitor_id: 'visitor-2',
      started_at: '1999-12-31T23:59:59.999Z',
      last_seen_at: '2026-11-20T09:00:00.000Z',
      landing_url: 'https://shop.example/',
      click_ids: {},
      is_bot: false,
      is_internal: false,
      lead_id: led,
    }),
  ]);
  await insertRows(service, 'leads', [
    of({
      id: led,
      email: 'ada@example.com',
      first_seen_at: '2026-11-20T08:01:00.000Z',
      last_seen_at: '2026-11-20T09:01:00.000Z',
    }),
  ]);
  await insertRows(service, 'lead_sessions', [
    of({ lead_id: led, started_at: '2026-11-20T08:00:00.000Z', session_number: full }),
    of({ lead_id: led, started_at: '1999-12-31T23:59:59.999Z', session_number: empty }),
  ]);
  await insertRows(service, 'visits', [
    of({
      id: vis1,
      session_number: full,
      url: 'https://shop.example/?a=1,2',
      referrer: 'https://search.example/',
      title: 'Shoes',
      visitor_id: 'visitor-1',
      is_bot: true,
      is_internal: true,
      occurred_at: '2026-11-20T08:00:00.005Z',
      received_at: '2026-11-20T08:00:00.050Z',
    }),
    of({
      id: vis2,
      session_number: empty,
      url: 'https://shop.example/',
      referrer: null,
      title: null,
      visitor_id: 'visitor-2',
      is_bot: false,
      is_internal: false,
      occurred_at: '2026-11-20T09:00:00.000Z',
      received_at: '2026-11-20T09:00:00.001Z',
    }),
  ]);
  await insertRows(service, 'events', [
    of({
      id: evt1,
      client_event_id: 'order-1',
      event: 'purchase',
      properties: { value: 12.5, nested: { deep: [1, 'two', null, true] }, email: 'ada@example.com' },
      session_number: full,
      lead_id: led,
      is_bot: true,
      is_internal: true,
      occurred_at: '2026-11-20T08:02:00.000Z',
      received_at: '2026-11-20T08:02:00.010Z',
    }),
    of({
      id: evt2,
      client_event_id: null,
      event: 'ping',
      properties: {},
      session_number: null,
      lead_id: null,
      is_bot: false,
      is_internal: false,
      occurred_at: '2026-11-20T08:03:00.000Z',
      received_at: '2026-11-20T08:03:00.000Z',
    }),
  ]);
  const conversion = {
    id: cnv1,
    event_id: 'order-1',
    sent_event: 'purchase',
    value: '1234567890123456789.10',
    currency: 'EUR',
    sent_created_on: '2026-11-20T08:04:00.000Z',
    received_at: '2026-11-20T08:05:00.000Z',
    identifier: { gclid: 'Cj0' },
    extra: { plan: 'pro', tags: ['a', 'b'] },
  };
  const bare = {
    id: cnv2,
    event_id: null,
    sent_event: null,
    value: '-0.05',
    currency: null,
    sent_created_on: null,
    received_at: '2026-11-20T08:07:00.000Z',
    identifier: null,
    extra: null,
  };
  const reported = (row: Row, session_number: number | null, origin: string) =>
    of({ ...row, session_number, origin, updated_at: '2026-11-20T08:10:00.000Z' });
  await insertRows(service, 'conversions', [reported(conversion, full, 'report'), reported(bare, null, 'event')]);
  const unmatchedRow = (row: Row, id: string, n: number) =>
    of({ ...row, id, digest: newUuid(), identifier: { sessionHash: 'nobody' }, arrival: n });
  await insertRows(service, 'unmatched_conversions', [
    unmatchedRow({ ...conversion, event_id: 'other' }, unm1, 1),
    unmatchedRow(bare, unm2, 2),
  ]);

  const money = {
    id: publicId('cnv', cnv1),
    eventId: 'order-1',
    event: 'purchase',
    value: '1234567890123456789.10',
    currency: 'EUR',
    createdOn: '2026-11-20T08:04:00.000Z',
    receivedAt: '2026-11-20T08:05:00.000Z',
  };
  const bareMoney = {
    id: publicId('cnv', cnv2),
    eventId: null,
    event: 'conversion',
    value: '-0.05',
    currency: null,
    createdOn: '2026-11-20T08:07:00.000Z',
    receivedAt: '2026-11-20T08:07:00.000Z',
  };
  const clicks = { ...NO_CLICK_IDS, gclid: 'Cj0', li_fat_id: 'x', alart: 'last' };
  return {
    sessions: [
      {
        id: idOf(full),
        sessionHash: hash,
        shortSessionHash: 'shorthash001',
        visitorId: 'visitor-1',
        leadId: publicId('led', led),
        startedAt: '2026-11-20T08:00:00.000Z',
        lastSeenAt: '2026-11-20T08:30:00.120Z',
        landingUrl: 'https://shop.example/?gclid=Cj0&li_fat_id=x',
        referrer: 'https://search.example/',
        source: 'google',
        medium: 'cpc',
        campaign: 'Spring, "big"',
        term: 'shoes',
        content: 'ad-1',
        utmId: '77',
        device: 'mobile',
        browser: 'Firefox',
        os: 'Android',
        country: 'DE',
        region: 'Bavaria, DE',
        isBot: true,
        isInternal: true,
        ...clicks,
        sessionId: idOf(full),
      },
      {
        id: idOf(empty),
        sessionHash: `${hash}b`,
        shortSessionHash: 'shorthash002',
        visitorId: 'visitor-2',
        leadId: publicId('led', led),
        startedAt: '1999-12-31T23:59:59.999Z',
        lastSeenAt: '2026-11-20T09:00:00.000Z',
        landingUrl: 'https://shop.example/',
        referrer: null,
        source: null,
        medium: null,
        campaign: null,
        term: null,
        content: null,
        utmId: null,
        device: null,
        browser: null,
        os: null,
        country: null,
        region: null,
        isBot: false,
        isInternal: false,
        ...NO_CLICK_IDS,
        sessionId: idOf(empty),
      },
    ],
    visits: [
      {
        id: publicId('vis', vis1),
        url: 'https://shop.example/?a=1,2',
        referrer: 'https://search.example/',
        title: 'Shoes',
        sessionId: idOf(full),
        sessionHash: hash,
        visitorId: 'visitor-1',
        occurredAt: '2026-11-20T08:00:00.005Z',
        receivedAt: '2026-11-20T08:00:00.050Z',
        isBot: true,
        isInternal: true,
        source: 'google',
        medium: 'cpc',
        campaign: 'Spring, "big"',
        device: 'mobile',
        browser: 'Firefox',
        os: 'Android',
        country: 'DE',
        region: 'Bavaria, DE',
        visitId: publicId('vis', vis1),
      },
      {
        id: publicId('vis', vis2),
        url: 'https://shop.example/',
        referrer: null,
        title: null,
        sessionId: idOf(empty),
        sessionHash: `${hash}b`,
        visitorId: 'visitor-2',
        occurredAt: '2026-11-20T09:00:00.000Z',
        receivedAt: '2026-11-20T09:00:00.001Z',
        isBot: false,
        isInternal: false,
        source: null,
        medium: null,
        campaign: null,
        device: null,
        browser: null,
        os: null,
        country: null,
        region: null,
        visitId: publicId('vis', vis2),
      },
    ],
    events: [
      {
        id: publicId('evt', evt1),
        clientEventId: 'order-1',
        event: 'purchase',
        properties: { value: 12.5, nested: { deep: [1, 'two', null, true] }, email: 'ada@example.com' },
        sessionId: idOf(full),
        sessionHash: hash,
        leadId: publicId('led', led),
        occurredAt: '2026-11-20T08:02:00.000Z',
        receivedAt: '2026-11-20T08:02:00.010Z',
        eventId: publicId('evt', evt1),
      },
      {
        id: publicId('evt', evt2),
        clientEventId: null,
        event: 'ping',
        properties: {},
        sessionId: null,
        sessionHash: null,
        leadId: null,
        occurredAt: '2026-11-20T08:03:00.000Z',
        receivedAt: '2026-11-20T08:03:00.000Z',
        eventId: publicId('evt', evt2),
      },
    ],
    conversions: [
      {
        ...money,
        origin: 'report',
        identifier: { gclid: 'Cj0' },
        sessionId: idOf(full),
        sessionHash: hash,
        extra: { plan: 'pro', tags: ['a', 'b'] },
        source: 'google',
        campaign: 'Spring, "big"',
        landingUrl: 'https://shop.example/?gclid=Cj0&li_fat_id=x',
        ...clicks,
      },
      {
        ...bareMoney,
        origin: 'event',
        identifier: null,
        sessionId: null,
        sessionHash: null,
        extra: null,
        source: null,
        campaign: null,
        landingUrl: null,
        ...NO_CLICK_IDS,
      },
    ],
    leads: [
      {
        id: publicId('led', led),
        email: 'ada@example.com',
        firstSessionId: idOf(empty),
        firstSessionHash: `${hash}b`,
        latestSessionId: idOf(full),
        latestSessionHash: hash,
        firstSeenAt: '2026-11-20T08:01:00.000Z',
        lastSeenAt: '2026-11-20T09:01:00.000Z',
        leadId: publicId('led', led),
      },
    ],
    unmatched: [
      {
        ...money,
        id: publicId('cnv', unm1),
        eventId: 'other',
        identifier: { sessionHash: 'nobody' },
        extra: { plan: 'pro', tags: ['a', 'b'] },
      },
      { ...bareMoney, id: publicId('cnv', unm2), identifier: { sessionHash: 'nobody' }, extra: null },
    ],
  };
}

test('optional columns are exported if `fields` names them', async () => {
  const fields = ['id', 'isInternal', 'isBot'];
  const { file } = await runExport(service, account, { dataset: 'events', format: 'csv', fields });
  const [header, ...rows] = parseCsv(file);
  assert.deepEqual(header, fields);
  assert.deepEqual(
    rows.map(([, ...flags]) => flags),
    [
      ['true', 'true'],
      ['false', 'false'],
    ],
  );
});

const DUCKDB_TYPES = {
  id: 'VARCHAR',
  text: 'VARCHAR',
  decimal: 'DECIMAL(38,9)',
  json: 'JSON',
  time: 'TIMESTAMP WITH TIME ZONE',
  session: 'BIGINT',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
};
const folder = mkdtempSync(join(tmpdir(), 'headwater-datasets-'));
const instance = await DuckDBInstance.create();
const connection = await instance.connect();
after(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});
const duckdb = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];

before(async () => {
  account = await service.newAccount();
  await seed((await service.newAccount()).uuid);
  Object.assign(expected, await seed(account.uuid));
  await seed((await service.newAccount()).uuid);
});

for (const dataset of Object.keys(DATASETS) as DatasetName[]) {
  const columns = DATASETS[dataset].columns.filter((column) => !column.isOptional);
  const types = new Map(columns.map((column) => [column.name, column.type]));

  test(`${dataset} as NDJSON: every column of every row of this account only, in order`, async () => {
    const { job, file } = await runExport(service, account, { dataset, format: 'ndjson' });
    const rows = parseNdjson(file);
    assert.deepEqual(rows, expected[dataset]);
    assert.equal(job.result.rows, rows.length);
    // deepEqual ignores the order of members.
    assert.equal(file.toString(), expected[dataset].map((row) => `${spaced(row, types)}\n`).join(''));
  });

  test(`${dataset} as CSV: a header, then the same values as text`, async () => {
    const { file } = await runExport(service, account, { dataset, format: 'csv' });
    const [header, ...rows] = parseCsv(file);
    assert.deepEqual(
      header,
      columns.map((column) => column.name),
    );
    assert.deepEqual(
      rows.map((row) => row.map((cell, i) => (cell && columns[i]?.type === 'json' ? JSON.parse(cell) : cell))),
      expected[dataset].map((row) =>
        Object.values(row).map((value) => (value === null || typeof value === 'object' ? value : String(value))),
      ),
    );
  });

  test(`${dataset} as Parquet: the same values, typed`, async () => {
    const { file } = await runExport(service, account, { dataset, format: 'parquet' });
    const typed = (name: string, value: unknown) => {
      const type = types.get(name);
      if (value === null) return null;
      if (type === 'time') return new Date(value as string);
      // The reader makes a number of it: see below for its digits.
      if (type === 'decimal') return Number(value).toPrecision(15);
      return type === 'session' ? BigInt(value as number) : value;
    };
    const rows = (await parseParquet(file)).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          types.get(name) === 'decimal' && typeof value === 'number' ? value.toPrecision(15) : (value ?? null),
        ]),
      ),
    );
    assert.deepEqual(
      rows,
      expected[dataset].map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typed(name, value)])),
      ),
    );
  });

  test(`${dataset} as Parquet: DuckDB reads the values of the CSV, whatever its time zone`, async () => {
    for (const format of ['csv', 'parquet']) {
      const { file } = await runExport(service, account, { dataset, format });
      writeFileSync(join(folder, `${dataset}.${format}`), file);
    }
    const [csv, parquet] = ['csv', 'parquet'].map((format) => `'${join(folder, `${dataset}.${format}`)}'`);
    const described = await duckdb(`describe select * from ${parquet}`);
    assert.deepEqual(
      described.map(({ column_name, column_type }) => [column_name, column_type]),
      columns.map(({ name, type }) => [name, DUCKDB_TYPES[type]]),
    );
    // What DuckDB guesses of a CSV makes doubles of decimals.
    const sameIn = (decimal: string) =>
      columns
        .map(({ name, type }) => {
          const cast = type === 'decimal' ? decimal : DUCKDB_TYPES[type];
          return `p."${name}"::${cast} is not distinct from c."${name}"::${cast}`;
        })
        .join(' and ');
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']) {
      await duckdb(`set TimeZone = '${zone}'`);
      for (const [options, same] of [
        ['', sameIn('double')],
        [', all_varchar = true', sameIn('decimal(38, 9)')],
      ]) {
        const [found] = await duckdb(
          `select count(*)::int as rows, count(*) filter (${same})::int as same
           from ${parquet} p positional join read_csv(${csv}${options}) c`,
        );
        assert.deepEqual(
          found,
          { rows: expected[dataset].length, same: expected[dataset].length },
          `${zone}${options}`,
        );
      }
    }
  });
}

test('the former names of IDs are read for a year, and may be selected', async () => {
  for (const [dataset, former] of [
    ['sessions', 'sessionId'],
    ['visits', 'visitId'],
    ['events', 'eventId'],
    ['leads', 'leadId'],
  ] as const) {
    const { file } = await runExport(service, account, { dataset, format: 'ndjson', fields: [former, 'id'] });
    const rows = parseNdjson(file);
    assert.ok(rows.length > 0);
    for (const row of rows) assert.equal(row[former], row.id);
  }
});

/** A line of the file. JSON columns are formatted as PostgreSQL formats them. */
function spaced(row: Row, types: Map<string, string>): string {
  const members = Object.entries(row).map(([name, value]) => {
    const text = JSON.stringify(value);
    const isJson = types.get(name) === 'json' && value !== null;
    return `"${name}":${isJson ? asJsonb(value) : text}`;
  });
  return `{${members.join(',')}}`;
}

/** Formats as jsonb does: members sorted by length, then name; a space after each colon and comma. */
function asJsonb(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asJsonb).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${asJsonb(member)}`).join(', ')}}`;
}
