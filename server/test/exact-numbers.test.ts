/** Numbers that a double does not hold are stored with all of their digits, or refused by name. None is rounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { importService, rowErrors } from '../src/imports/test-support.ts';
import type { Account } from './harness.ts';

const service = await importService();
const { app, call, ok, db, newAccount, newCollection, dryRun, uploaded, runStage, suggestedMapping, exported } =
  service;

const ID = '76561198009194284';
const LONG = '12345678901234567.89';

/** The text of a response, whose numbers a client may not be able to read. */
async function text(
  request: string,
  as: Account,
  body?: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const [method = 'GET', url = '/'] = request.split(' ');
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      'x-api-key': `Bearer ${as.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.body;
}

const REPORT = '/v1/analytics/report-conversion';

test('conversions whose IDs differ in the last digit are two, and a value keeps its digits', async () => {
  const account = await newAccount();
  for (const gclid of ['S1', ID]) {
    await ok('POST /v1/visits', account, { api_key: account.token, url: `https://shop.test/?gclid=${gclid}` });
  }
  const items = `[{"gclid":"S1","eventId":1852178840426754001,"value":10},{"gclid":"S1","eventId":1852178840426754002,"value":20},
    {"gclid":${ID},"eventId":"c","value":${LONG},"extra":{"order":${ID},"deep":[{"n":0.1234567890123456789}]}},
    {"gclid":"S1","eventId":"d","conversion":{"value":${LONG}}},{"gclid":"S1","eventId":"e","value":1.2345678901234567890e3}]`;
  const [first, second, third, ...others] = (await call(`POST ${REPORT}`, { as: account, body: items })).body;
  assert.deepEqual(
    [first, second, third, ...others].map(({ status }) => status),
    Array(5).fill('reported'),
  );
  assert.notEqual(first._id, second._id);
  const { rows } = await db.query(
    'select event_id, value::text, identifier::text, extra::text from conversions where account_id = $1 order by id',
    [account.uuid],
  );
  assert.deepEqual(
    rows.map(({ event_id, value }) => [event_id, value]),
    [
      ['1852178840426754001', '10'],
      ['1852178840426754002', '20'],
      ['c', LONG],
      ['d', LONG],
      ['e', '1234.5678901234567890'],
    ],
  );
  assert.equal(rows[2].identifier, `{"gclid": "${ID}"}`);
  for (const found of [
    await text(`GET /v1/conversions/${third._id}`, account),
    await text('GET /v1/conversions', account),
  ]) {
    assert.ok(found.includes(`"extra":{"deep":[{"n":0.1234567890123456789}],"order":${ID}}`), found);
    assert.ok(found.includes(`"value":"${LONG}"`), found);
  }
  const zipped = await call(`POST ${REPORT}`, {
    as: account,
    body: gzipSync(`{"gclid":"S1","eventId":1852178840426754002,"value":21}`),
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(zipped.body._id, second._id, 'the same ID restates its conversion');
  const tooLarge = await call(`POST ${REPORT}`, { as: account, body: '{"gclid":"S1","value":1000000000000000200.5}' });
  assert.equal(tooLarge.body.code, 'value_invalid');
});

test('events keep the numbers among their properties, however they are sent', async () => {
  const account = await newAccount();
  const event = `{"event":"e","id":${ID},"properties":{"email":"a@b.test","order":${ID},"value":${LONG},"gclid":"g"}}`;
  const body = event.replace('{', `{"api_key":"${account.apiKey}",`);
  await text('POST /v1/events', account, body);
  await text('POST /v1/events', account, body.replace(`"id":${ID},`, ''), { 'content-type': 'text/plain' });
  await text(
    'POST /v1/batch',
    account,
    `{"api_key":"${account.apiKey}","items":[{"event":${event.replace(ID, `${ID}5`)}}]}`,
  );
  const form = new URLSearchParams({
    api_key: account.apiKey,
    event: 'e',
    properties: `{"order":${ID},"value":${LONG}}`,
  });
  await text('POST /v1/events', account, String(form), { 'content-type': 'application/x-www-form-urlencoded' });
  const { rows } = await db.query(
    'select client_event_id, properties::text from events where account_id = $1 order by id',
    [account.uuid],
  );
  assert.deepEqual(
    rows.map((row) => row.client_event_id),
    [ID, null, `${ID}5`, null],
  );
  for (const { properties } of rows)
    assert.ok(properties.includes(`"order": ${ID}`) && properties.includes(`"value": ${LONG}`), properties);
  const values = await db.query('select value::text from conversions where account_id = $1', [account.uuid]);
  assert.deepEqual(
    values.rows.map(({ value }) => value),
    Array(4).fill(LONG),
  );
  const { leads } = await ok('GET /v1/leads', account);
  const lead = await ok(`GET /v1/leads/${leads[0].id}`, account);
  assert.equal(lead.properties.order, ID);
});

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' },
  { id: 'n', label: 'Number', type: 'number' },
  { id: 'i', label: 'Integer', type: 'number', format: 'integer' },
  { id: 'd', label: 'Decimal', type: 'number', format: 'decimal' },
  { id: 'j', label: 'JSON', type: 'text', format: 'json' },
  { id: 'p', label: 'Place', type: 'text', format: 'point' },
  {
    id: 'g',
    label: 'Group',
    type: 'group',
    fields: [
      { id: 'j', label: 'JSON', type: 'text', format: 'json' },
      { id: 'n', label: 'N', type: 'number' },
    ],
  },
  { id: 'list', label: 'List', type: 'text', format: 'json', repeated: true },
];

test('fields of entries keep numbers or refuse them by name', async () => {
  const account = await newAccount();
  const path = await newCollection(account, FIELDS, { publishing: true, public: true });
  const json = `{"__proto__":{"id":${ID}},"at":[1e-7,0.1234567890123456789,${ID}]}`;
  const created = await text(
    `POST ${path}/entries`,
    account,
    `{"values":{"title":"a","i":${ID},"d":${LONG},"j":${json},"g":{"j":${ID}},"list":[${ID},1]}}`,
  );
  const { id } = JSON.parse(created);
  const has = (found: string, label: string) => {
    const normal = found.replaceAll(' ', '').replace('1e-7', '0.00000010').replace('0.0000001,', '0.00000010,');
    for (const part of [
      `"i":"${ID}"`,
      `"d":"${LONG}"`,
      `"__proto__":{"id":${ID}}`,
      `0.1234567890123456789,${ID}`,
      `"g":{"j":${ID}}`,
      `"list":[${ID},1]`,
    ]) {
      assert.ok(normal.includes(part), `${label}: ${part} in ${normal}`);
    }
  };
  has(created, 'created');
  has(await text(`GET ${path}/entries/${id}`, account), 'read');
  has(await text(`GET ${path}/entries`, account), 'listed');
  has(await text(`PATCH ${path}/entries/${id}`, account, '{"values":{"title":"b"}}'), 'changed');
  has(await text(`POST ${path}/entries/${id}/publish`, account, '{}'), 'published');
  const publicPath = path.replace('/v1/cms/collections/', '/v1/content/');
  has(await text(`GET ${publicPath}/${id}?key=${account.apiKey}`, account), 'public');
  has(await text(`GET ${publicPath}?key=${account.apiKey}`, account), 'public list');
  has(await text(`GET ${path}/entries/${id}/versions/1`, account), 'version');
  const where = encodeURIComponent(`{"i":{"eq":${ID}},"d":{"gte":${LONG},"lte":${LONG}}}`);
  has(await text(`GET ${path}/entries?where=${where}`, account), 'found');
  assert.equal(
    JSON.parse(await text(`GET ${path}/entries?where=${where.replaceAll(ID, `${ID.slice(0, -1)}3`)}`, account)).entries
      .length,
    0,
  );
  const count = async (body: string, at: string) => JSON.parse(await text(`POST ${at}`, account, body)).entries.length;
  for (const [at, key] of [
    [`${path}/entries`, ''],
    [publicPath, `?key=${account.apiKey}`],
  ]) {
    const query = `${at}/query${key}`;
    for (const condition of [
      `"i":{"eq":${ID}}`,
      `"i":{"in":[1,${ID}]}`,
      `"d":{"gte":${LONG},"lte":${LONG}}`,
      `"d":{"gt":${LONG.replace('.89', '.88')}}`,
    ]) {
      const body = `{"where":{"and":[{${condition}}]}}`;
      assert.equal(await count(body, query), 1, `${query} ${body}`);
      assert.equal(
        await count(body.replaceAll(ID, `${ID.slice(0, -1)}3`).replaceAll('.8', '.9'), query),
        0,
        `${query} ${body}`,
      );
    }
    const refused = await call(`POST ${query}`, { as: account, body: `{"where":{"n":{"eq":${ID}}}}` });
    assert.deepEqual([refused.body.code, refused.body.errors[0].pointer], ['number_inexact', '/where/n/eq']);
    const groups = await text(
      `POST ${at}/aggregate${key}`,
      account,
      `{"where":{"i":{"eq":${ID}}},"measures":{"total":{"sum":"d"}},"having":{"total":{"gt":${LONG.replace('.89', '.88')}}}}`,
    );
    assert.equal(JSON.parse(groups).groups.length, 1, groups);
  }
  has(await text(`POST ${path}/entries/${id}/duplicate`, account), 'duplicated');
  await text(
    `POST ${path}/entries/update-many`,
    account,
    `{"where":{"i":{"eq":${ID}}},"values":{"title":"${'c'}"},"increment":{"d":0}}`,
  );
  has(await text(`GET ${path}/entries/${id}`, account), 'changed with others');
  const appended = await text(
    `POST /v1/cms/batch`,
    account,
    `{"operations":[{"op":"update","collection":"${path.split('/').at(-1)}","id":"${id}","append":{"list":[${ID}7]}}]}`,
  );
  assert.ok(appended !== '');
  assert.match(await text(`GET ${path}/entries/${id}`, account), new RegExp(`"list":\\[${ID},1,${ID}7\\]`));

  const faults = async (values: string) => {
    const { status, body } = await call(`POST ${path}/entries`, { as: account, body: `{"values":${values}}` });
    assert.equal(status, 400, JSON.stringify(body));
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };
  for (const sent of [ID, LONG, '0.1234567890123456789', `"${ID}"`])
    assert.deepEqual(await faults(`{"n":${sent}}`), ['/values/n number_inexact'], sent);
  assert.deepEqual(await faults(`{"g":{"n":${ID}}}`), ['/values/g/n number_inexact']);
  assert.deepEqual(await faults(`{"title":${ID},"g":${ID}}`), [
    '/values/title number_inexact',
    '/values/g number_inexact',
  ]);
  assert.deepEqual(await faults(`{"p":{"lat":1,"lng":0.1234567890123456789}}`), ['/values/p/lng lng_invalid']);
  assert.deepEqual(await faults(`{"__proto__":{"title":"x"}}`), ['/values/__proto__ unknown_property']);
  assert.deepEqual(await faults(`{"g":{"__proto__":1}}`), ['/values/g/__proto__ unknown_property']);
  assert.deepEqual(await faults(`{"j":1e400}`), ['/values/j number_out_of_range']);
  assert.equal(
    (await ok(`POST ${path}/entries`, account, '{"values":{"n":0.30000000000000004}}')).values.n,
    0.30000000000000004,
  );
  const search = await call(`GET ${path}/entries?filter[n][eq]=${ID}`, { as: account });
  assert.equal(search.body.code, 'number_inexact');
  const body = `{"name":"X","fields":[{"id":"n","label":"N","type":"number","validation":{"max":${ID}}}]}`;
  const refused = await call('POST /v1/cms/collections', { as: account, body });
  assert.deepEqual([refused.body.code, refused.body.errors[0].pointer], ['number_inexact', '/fields/0/validation/max']);
});

test('cells of imports keep numbers or refuse them by name, and exports write them', async () => {
  const account = await newAccount();
  const path = await newCollection(
    account,
    FIELDS.map((field) => (field.id === 'title' ? { ...field, unique: true } : field)),
  );
  const refused = await dryRun(account, path, `title;n\na;${ID}\nb;1.234.567.890.123.456.789,5\nc;1,5`, {
    decimal: ',',
  } as object);
  assert.deepEqual(rowErrors(refused), ['2 n number_inexact', '3 n number_inexact']);
  const file = `title;i;d;j;list\na;${ID};1.234.567.890.123.456.789,25;"{""id"":${ID}}";[${ID}]`;
  const sent = await uploaded(account, path, file);
  const mapping = suggestedMapping(sent, { decimal: ',' } as object);
  const { dryRun: counts } = await runStage(account, path, sent.id, 'dry-run', mapping);
  assert.deepEqual(counts?.errors, []);
  await runStage(account, path, sent.id, 'start');
  const stored = await text(`GET ${path}/entries`, account);
  for (const part of [`"i":"${ID}"`, '"d":"1234567890123456789.25"', `"j":{"id":${ID}}`, `"list":[${ID}]`])
    assert.ok(stored.replaceAll(' ', '').includes(part), stored);
  const csv = await exported(account, path);
  assert.ok(csv.includes(`{""id"":${ID}}`) && csv.includes(`[${ID}]`), csv);
});
