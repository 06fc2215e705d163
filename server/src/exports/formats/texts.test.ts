import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testService } from '../../../test/harness.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import { isStorable } from '../../shared/json.ts';
import { insertRows, parseCsv, parseNdjson, parseParquet, runExport, runnerOf } from '../test-support.ts';

const service = await testService();
runnerOf(service).start();

const CONTROLS = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('');
const NASTY = [
  '',
  ' ',
  '"',
  '""',
  'a "quoted" word',
  'a,b',
  'line\nbreak',
  'line\r\nbreak\r',
  'tab\there',
  'back\\slash \\n \\" \\u0041 \\',
  '\\.',
  '\\N',
  'null',
  CONTROLS,
  '\u007f\u0080\u2028\u2029\ufeff',
  '👩‍👩‍👧‍👦 𝒳 ünïcödé עברית',
  "'",
  `{"json": "text"}`,
  'x'.repeat(700_000),
  `${'"\n'.repeat(200_000)}`,
];
const FORMULAS = ['=1+1', '+1', '-1', '@sum', '\t=1', '\r1', '\n1', '=cmd|"/c calc"!A0', '＝1', '＋1', '－1', '＠1'];
/** A spreadsheet that separates cells by `;` starts a new cell at a `;` or a line break, whatever the quotes. */
const INNER_FORMULAS = {
  'a;=1+1': "a;'=1+1",
  ';;@x': ";;'@x",
  'a;＋1': "a;'＋1",
  'a"b";-1': 'a"b";\'-1',
  'a\r\n=1\n\n-2': "a\r\n'=1\n\n'-2",
  'a;\t=1': "a;'\t=1",
  '=1;=2': "'=1;'=2",
};
const HARMLESS = ['a;b', 'a; =1', "a;'=1", 'a\nb', 'a=1', '1-1', '.5', '１', 'ＡＢ', "'=1", ' =1'];

/** Exports events with these names, which are also the value of a property, and returns what each format contains. */
async function roundTrip(names: string[]) {
  const account = await service.newAccount();
  const at = new Date(service.clock.now).toISOString();
  const rows = names.map((event) => ({
    account_id: account.uuid,
    id: newUuid(service.clock.now),
    event,
    properties: { [event]: event },
    is_bot: false,
    occurred_at: at,
    received_at: at,
  }));
  await insertRows(service, 'events', rows);
  const run = async (format: string) =>
    (await runExport(service, account, { dataset: 'events', format, fields: ['event', 'properties', 'id'] })).file;
  const [csv, ndjson, parquet] = [await run('csv'), await run('ndjson'), await run('parquet')];
  return {
    ids: rows.map((row) => publicId('evt', row.id)),
    csv: parseCsv(csv).slice(1),
    ndjson: parseNdjson(ndjson),
    parquet: await parseParquet(parquet),
  };
}

function assertExact(names: string[], found: Awaited<ReturnType<typeof roundTrip>>) {
  assert.deepEqual(
    found.ndjson,
    names.map((event, i) => ({ event, properties: { [event]: event }, id: found.ids[i] })),
  );
  assert.deepEqual(found.parquet, found.ndjson);
  assert.deepEqual(
    found.csv.map(([, properties, id]) => [JSON.parse(properties as string), id]),
    names.map((event, i) => [{ [event]: event }, found.ids[i]]),
  );
}

test('every text is restored exactly from every format', async () => {
  const found = await roundTrip(NASTY);
  assertExact(NASTY, found);
  assert.deepEqual(
    found.csv.map(([event]) => event),
    NASTY.map((name) => (/^[\t\n\r]/.test(name) ? `'${name}` : name)),
  );
});

test('hundreds of random texts are restored exactly', async () => {
  const unit = fc.oneof(
    fc.constantFrom('"', ',', ';', '\r', '\n', '\\', "'", '=', ' ', '\u0001', '\u001f', '{', '}', '/', '🙂'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const names = fc.sample(
    fc
      .array(unit, { maxLength: 40 })
      .map((units) => units.join(''))
      .filter(isStorable),
    500,
  );
  const found = await roundTrip(names);
  assertExact(names, found);
  for (const [i, [event]] of found.csv.entries()) {
    assert.equal(event?.replaceAll("'", ''), names[i]?.replaceAll("'", ''));
  }
});

test('formulas are escaped in CSV only, and numbers stay numbers', async () => {
  const names = [...FORMULAS, ...HARMLESS, ...Object.keys(INNER_FORMULAS)];
  const found = await roundTrip(names);
  assertExact(names, found);
  assert.deepEqual(
    found.csv.map(([event]) => event),
    [...FORMULAS.map((name) => `'${name}`), ...HARMLESS, ...Object.values(INNER_FORMULAS)],
  );
  for (const [, properties] of found.csv) assert.doesNotMatch(String(properties), /;[=+\-@\uff1d]/);

  const account = await service.newAccount();
  const at = new Date(service.clock.now).toISOString();
  await insertRows(service, 'conversions', [
    {
      account_id: account.uuid,
      id: newUuid(service.clock.now),
      event_id: '-1',
      value: '-5.50',
      received_at: at,
      origin: 'report',
      session_number: 7,
      updated_at: at,
    },
  ]);
  const { file } = await runExport(service, account, {
    dataset: 'conversions',
    format: 'csv',
    fields: ['value', 'sessionId', 'eventId'],
  });
  assert.equal(file.toString(), `value,sessionId,eventId\r\n-5.50,${service.sessionIds.idOf(7)},'-1\r\n`);
});

test('money is exact and without an exponent; times have milliseconds, in any year', async () => {
  const account = await service.newAccount();
  const values = [
    '0',
    '0.00',
    '-0.000000000000000000001',
    '1e-30',
    '123.45',
    '1e40',
    `${'9'.repeat(60)}.${'1'.repeat(30)}`,
  ];
  const times = [
    '0001-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '2000-02-29T12:34:56.007Z',
    '2285-01-01T00:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ];
  await insertRows(
    service,
    'conversions',
    values.map((value, i) => ({
      account_id: account.uuid,
      id: newUuid(service.clock.now),
      value,
      received_at: times[i],
      origin: 'report',
      updated_at: times[i],
    })),
  );
  const { rows: stored } = await service.db.query(
    'select value::text from conversions where account_id = $1 order by id',
    [account.uuid],
  );
  const run = (format: string) =>
    runExport(service, account, { dataset: 'conversions', format, fields: ['value', 'receivedAt'] });
  const expected = stored.map(({ value }, i) => ({ value, receivedAt: times[i] }));
  assert.deepEqual(parseNdjson((await run('ndjson')).file), expected);
  for (const { value } of expected) assert.match(value, /^-?\d+(\.\d+)?$/);
  assert.deepEqual(
    parseCsv((await run('csv')).file).slice(1),
    expected.map((row) => [row.value, row.receivedAt]),
  );
  assert.deepEqual(
    (await parseParquet((await run('parquet')).file)).map((row) => ({
      value: row.value,
      receivedAt: (row.receivedAt as Date).toISOString(),
    })),
    // To nine decimals; what has more than 29 digits before them is missing.
    expected.map(({ receivedAt }, i) => ({ value: [0, 0, 0, 0, 123.45, null, null][i], receivedAt })),
  );
});

test('ids equal those of the API, whatever their bits', async () => {
  const account = await service.newAccount();
  const uuids = [
    '00000000-0000-0000-0000-000000000001',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ...fc.sample(fc.uuid(), 300),
  ];
  const at = new Date(service.clock.now).toISOString();
  await insertRows(
    service,
    'leads',
    uuids.map((id) => ({ account_id: account.uuid, id, email: id, first_seen_at: at, last_seen_at: at })),
  );
  const { file } = await runExport(service, account, {
    dataset: 'leads',
    format: 'ndjson',
    fields: ['id', 'email'],
  });
  assert.deepEqual(
    parseNdjson(file),
    [...uuids].sort().map((uuid) => ({ id: publicId('led', uuid), email: uuid })),
  );
});

test('an empty dataset produces a valid empty file in every format', async () => {
  const account = await service.newAccount();
  const run = (format: string) => runExport(service, account, { dataset: 'leads', format, fields: ['id', 'email'] });
  const csv = await run('csv');
  assert.deepEqual([csv.file.toString(), csv.job.result.rows], ['id,email\r\n', 0]);
  assert.equal((await run('ndjson')).file.length, 0);
  assert.deepEqual(await parseParquet((await run('parquet')).file), []);
});
