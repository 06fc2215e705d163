// Slow: imports of thousands of rows through every step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filePart, PNG } from '../../test/furnished-account.ts';
import type { Account } from '../../test/harness.ts';
import { createTestUser } from '../../test/users.ts';
import { parseCsv } from '../exports/test-support.ts';
import type { ImportMapping } from './contract.ts';
import { counted, importService, rowErrors } from './test-support.ts';

const service = await importService();
const { ok, newCollection, createEntry, listAll, uploaded, runStage, suggestedMapping, dryRun, exported, results } =
  service;

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true, validation: { minLength: 0 } },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'live', label: 'Live', type: 'boolean' },
  { id: 'day', label: 'Day', type: 'date' },
  { id: 'at', label: 'Shown at', type: 'timestamp' },
  { id: 'link', label: 'Link', type: 'url' },
  { id: 'cover', label: 'Cover', type: 'asset' },
  {
    id: 'kind',
    label: 'Kind',
    type: 'select',
    options: [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ],
  },
  {
    id: 'seo',
    label: 'SEO',
    type: 'group',
    fields: [
      { id: 'title', label: 'Title', type: 'text' },
      { id: 'image', label: 'Image', type: 'asset' },
    ],
  },
  { id: 'tags', label: 'Tags', type: 'text', repeated: true },
  {
    id: 'parts',
    label: 'Parts',
    type: 'group',
    repeated: true,
    fields: [
      { id: 'text', label: 'Text', type: 'text' },
      { id: 'image', label: 'Image', type: 'asset' },
    ],
  },
];

async function newAsset(account: Account): Promise<string> {
  const { payload, headers } = filePart('file', 'picture.png', PNG);
  const answer = await service.call('POST /v1/files/upload', { as: account, body: payload, headers });
  assert.equal(answer.status, 200);
  return answer.body.assetId;
}

const usesOf = async (account: Account, assetId: string): Promise<number> =>
  (await ok(`GET /v1/files/${assetId}`, account)).usedBy.length;

test('importing an exported file unchanged changes nothing, whatever its values', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const [image, gone] = [await newAsset(account), await newAsset(account)];
  const texts = [
    '=1+1',
    "'=1+1",
    "''",
    "'x",
    '-5',
    '+',
    '@a',
    '\ttab',
    '\nline',
    '＝x',
    'a,b',
    'a;b',
    'a;=1;-2',
    "a;'=1",
    'a\n+1',
    '"',
    '""',
    ' x ',
    '\r\n',
    '[1]',
    '[',
    '',
    '0',
    'é😀',
  ];
  for (const title of texts) {
    await createEntry(account, path, { title, seo: { title }, tags: [title, 'x'], parts: [{ text: title }, {}] });
  }
  await createEntry(account, path, {
    title: 'full',
    price: -1.5e21,
    live: false,
    day: '0099-12-31',
    at: '2026-11-20T09:00:00.123+01:00',
    link: 'https://shop.example/?a=1,2',
    cover: { assetId: image },
    kind: 'b',
    seo: { image: { assetId: image } },
    tags: [],
    parts: [{ text: 'x', image: { assetId: image } }],
  });
  await createEntry(account, path, { title: 'bare', price: 1234, cover: { assetId: gone }, kind: 'a', seo: {} });
  await ok(`DELETE /v1/files/${gone}?force=true`, account);
  await ok(`PATCH ${path}`, account, {
    fields: [
      { id: 'kind', options: [{ value: 'b', status: 'deleted' }] },
      { id: 'tags', required: true },
    ],
  });
  const before = await listAll(account, path, []);

  const file = await exported(account, path);
  assert.match(
    file,
    /^id,kind,tags,title,price,live,day,at,link,cover,cover\.url,seo\.title,seo\.image,seo\.image\.url,parts,createdAt,updatedAt\r\n/,
  );
  assert.deepEqual(
    parseCsv(Buffer.from(file)).flatMap((cells) =>
      cells.filter((cell) => /^[\r\n]|(^|[;\r\n])[=+@\t＝]/.test(cell ?? '')),
    ),
    [],
    'the file contains a formula',
  );
  const checked = await dryRun(account, path, file);
  assert.deepEqual(checked.dryRun?.errors, []);
  const nothing = { rows: texts.length + 2, created: 0, updated: 0, unchanged: texts.length + 2, failed: 0 };
  assert.deepEqual(counted(checked.dryRun), nothing);
  const imported = await runStage(account, path, checked.id, 'start');
  assert.deepEqual([imported.status, counted(imported.imported)], ['imported', nothing]);
  assert.deepEqual(await listAll(account, path, []), before);

  const excel = `\ufeff${file.split('\r\n').slice(0, 2).join('\n')}\n`;
  assert.deepEqual(counted((await dryRun(account, path, excel)).dryRun).unchanged, 1);
});

test('the columns of a CSV name the locale of a value', async () => {
  const account = await service.newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const path = await newCollection(account, [{ id: 'title', label: 'Title', type: 'text', localized: true }]);
  const entry = await createEntry(account, path, { title: 'Tent', 'title@de': 'Zelt' });
  const file = await exported(account, path);
  assert.match(file, /title,title@de/);
  assert.equal(counted((await dryRun(account, path, file)).dryRun).unchanged, 1);
  const sent = await uploaded(account, path, file.replace('Zelt', 'Zelte'));
  await runStage(account, path, sent.id, 'dry-run', suggestedMapping(sent));
  await runStage(account, path, sent.id, 'start');
  const { values } = await ok(`GET ${path}/entries/${entry.id}`, account);
  assert.deepEqual(values, { title: 'Tent', 'title@de': 'Zelte' });
});

test('a dry run reports the outcome of each row by the rules of the API, and writes nothing', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const kept = await createEntry(account, path, { title: 'Kept', price: 1, seo: { title: 'old' }, tags: ['x'] });
  const deleted = await createEntry(account, path, { title: 'Deleted' });
  await ok(`DELETE ${path}/entries/${deleted.id}`, account);
  const before = await listAll(account, path, []);
  const file = [
    'ID;Title;Price;Shown at;kind;seo title;Tags;Colour',
    `${kept.id};Kept;1;;;old;x;red`,
    `${kept.id};Again;1;;;;x;`,
    `${deleted.id};Gone;1;;;;;`,
    'ent_nonsense;Gone;1;;;;;',
    ';New;1234;20.11.2026 08:00;First;;"a|b";',
    ';;1;;;;;',
    ';Ambiguous;1,234;03/04/2026 08:00;a;;;',
    ';Wrong;abc;2026-11-20T25:00:00Z;c;;[1;',
    ';Short;1',
    '',
    ';"Two\nlines";;;;;;',
  ].join('\r\n');
  const sent = await uploaded(account, path, file);
  assert.deepEqual(
    sent.columns.map(({ suggestedField }) => suggestedField),
    [null, 'title', 'price', 'at', 'kind', 'seo.title', 'tags', null],
    'only the exact heading of an export is suggested as the id',
  );
  assert.deepEqual(sent.columns[1]?.samples.slice(0, 2), ['Kept', 'Again']);
  const mapping = suggestedMapping(sent, { idColumn: 0, timeZone: 'Europe/Berlin' });
  const tags = mapping.columns[6];
  if (tags) tags.separator = '|';
  const checked = await runStage(account, path, sent.id, 'dry-run', mapping);
  assert.equal(checked.status, 'dry_run_completed');
  assert.deepEqual(counted(checked.dryRun), { rows: 10, created: 2, updated: 0, unchanged: 1, failed: 7 });
  assert.deepEqual(rowErrors(checked), [
    '3 null row_repeated',
    '4 null entry_unknown',
    '5 null entry_unknown',
    '7 title required',
    '8 price number_ambiguous',
    '8 at date_ambiguous',
    '9 price number_invalid',
    '9 at timestamp_invalid',
    '9 tags list_invalid',
    '9 kind option_unknown',
    '10 null cell_count_mismatch',
  ]);
  const lines = (await results(checked.dryRun?.resultsUrl)).split('\r\n');
  assert.equal(lines[0], 'row,outcome,id,codes,details');
  assert.match(await results(`${checked.dryRun?.resultsUrl}&bom=true`), /^\ufeffrow,outcome,id,codes,details\r\n2,/);
  assert.equal(lines[1], `2,unchanged,${kept.id},,`);
  assert.equal(lines[5], '6,created,,,');
  assert.match(lines[6] ?? '', /^7,failed,,title: required,/);
  assert.equal(lines[10], '12,created,,,');
  assert.deepEqual(await listAll(account, path, []), before);

  const imported = await runStage(account, path, sent.id, 'start');
  assert.deepEqual(counted(imported.imported), counted(checked.dryRun));
  const [, made] = await listAll(account, path, []);
  assert.deepEqual(made?.values, {
    title: 'New',
    price: 1234,
    at: '2026-11-20T07:00:00.000Z',
    kind: 'a',
    tags: ['a', 'b'],
  });
  assert.ok((await results(imported.imported?.resultsUrl)).includes(`6,created,${made?.id},,`));
});

test('a column is read in one way throughout, and what allows two readings is named before anything is written', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, [
    { id: 't', label: 'T', type: 'text' },
    { id: 'n', label: 'N', type: 'number' },
    { id: 'd', label: 'D', type: 'date' },
    { id: 'exact', label: 'Exact', type: 'number', format: 'decimal' },
    { id: 'many', label: 'Many', type: 'number', repeated: true },
    { id: 'at', label: 'At', type: 'timestamp' },
    { id: 'g', label: 'G', type: 'group', fields: [{ id: 'n', label: 'Number', type: 'number' }] },
  ]);
  const SEVERAL = 2_500;
  const cases: {
    file: string;
    more?: Partial<ImportMapping>;
    separator?: string;
    errors?: string[];
    values?: unknown[];
  }[] = [
    // One cell proves how the others are read, however far below them.
    { file: 't;n\nChair;1.234\nDesk;2.500\nLamp;99,90\nSofa;1.488,69', values: [1234, 2500, 99.9, 1488.69] },
    { file: 't,n\na,"1,234"\nb,1.5', values: [1234, 1.5] },
    { file: 'exact\n1.234\n"12.345.678.901.234.567,89"', values: ['1234', '12345678901234567.89'] },
    { file: 'd\n03/04/2026\n25/12/2026', values: ['2026-04-03', '2026-12-25'] },
    { file: 'd\n03/04/2026\n12/25/2026\n2026-05-06', values: ['2026-03-04', '2026-12-25', '2026-05-06'] },
    { file: 'many\n1.234|5\n"7,5"', separator: '|', values: [[1234, 5], [7.5]] },
    { file: 'g.n\n1.234\n0.5', values: [{ n: 1.234 }, { n: 0.5 }] },
    {
      file: 'at\n03/04/2026 10:00\n25/12/2026 10:00',
      more: { timeZone: 'UTC' },
      values: ['2026-04-03T10:00:00.000Z', '2026-12-25T10:00:00.000Z'],
    },
    // Nothing proves it.
    { file: 'n\n1.234\n2.500', errors: ['2 n number_ambiguous', '3 n number_ambiguous'], values: [] },
    { file: 'n\n1.234\n7\n"2,500"', errors: ['2 n number_ambiguous', '4 n number_ambiguous'], values: [7] },
    { file: 'exact\n1.234', errors: ['2 exact number_ambiguous'], values: [] },
    { file: 'd\n03/04/2026\n04/04/2026', errors: ['2 d date_ambiguous'], values: ['2026-04-04'] },
    // Cells prove both.
    {
      file: 'n\n1.234\n"99,90"\n12.50\n7',
      errors: ['2 n number_ambiguous', '3 n number_ambiguous', '4 n number_ambiguous'],
      values: [7],
    },
    {
      file: 'd\n25/12/2026\n12/25/2026\n2026-05-06',
      errors: ['2 d date_ambiguous', '3 d date_ambiguous'],
      values: ['2026-05-06'],
    },
    // The mapping says how it is read.
    { file: 'n\n1.234\n"99,90"\n12.50', more: { decimal: ',' }, errors: ['4 n number_invalid'], values: [1234, 99.9] },
    { file: 'n\n1.234\n2.500', more: { decimal: '.' }, values: [1.234, 2.5] },
  ];
  for (const { file, more, separator, errors = [], values = [] } of cases) {
    const sent = await uploaded(account, path, file);
    const mapping = suggestedMapping(sent, more);
    for (const column of mapping.columns) if (column && separator) column.separator = separator;
    const checked = await runStage(account, path, sent.id, 'dry-run', mapping);
    assert.deepEqual(rowErrors(checked), errors, file);
    const before = (await listAll(account, path, [])).length;
    const imported = await runStage(account, path, sent.id, 'start');
    assert.deepEqual(counted(imported.imported), counted(checked.dryRun));
    const made = (await listAll(account, path, [])).slice(before);
    const read = made.map(({ values: { t: _, ...rest } }) => Object.values(rest)[0]);
    assert.deepEqual(read, values, file);
  }

  const contradiction = await dryRun(account, path, 'n\n1.234\n"99,90"\n12.50\n7');
  assert.match(contradiction.dryRun?.errors[0]?.detail ?? '', /"99,90" \(row 3\).*comma|"12\.50" \(row 4\)/);

  // The proof is in another batch than the cells that it is for, also when an import is resumed.
  const long = `n\n${'1.234\n'.repeat(SEVERAL)}"0,5"`;
  const other = await newCollection(account, [{ id: 'n', label: 'N', type: 'number' }]);
  const { id, dryRun: counts } = await dryRun(account, other, long);
  assert.deepEqual(counted(counts), { rows: SEVERAL + 1, created: SEVERAL + 1, updated: 0, unchanged: 0, failed: 0 });
  await runStage(account, other, id, 'start');
  const stored = await ok(`GET ${other}/entries?filter[n][eq]=1234&pageSize=1`, account);
  assert.equal(stored.entries.length, 1);
  assert.equal((await ok(`GET ${other}/entries?filter[n][eq]=1.234`, account)).entries.length, 0);
});

test('undoing an import skips entries changed since, updates the uses of files, and sends webhooks', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const [before, after] = [await newAsset(account), await newAsset(account)];
  await ok('POST /v1/webhooks', account, {
    url: 'https://hooks.example/x',
    events: ['entry.created', 'entry.updated', 'entry.deleted'],
  });
  const titles = ['One', 'Two', 'Three'];
  for (const title of titles)
    await createEntry(account, path, { title, price: 1, cover: { assetId: before }, day: '2026-01-01' });
  const old = await listAll(account, path, []);
  await service.db.query('delete from outbox');
  const file = `title,price,cover\r\n${[...titles, 'Four', 'Five', 'Six'].map((title) => `${title},2,${after}`).join('\r\n')}`;
  const { id } = await dryRun(account, path, file, { keyField: 'title' });
  const imported = await runStage(account, path, id, 'start');
  assert.deepEqual(counted(imported.imported), { rows: 6, created: 3, updated: 3, unchanged: 0, failed: 0 });
  assert.deepEqual([await usesOf(account, before), await usesOf(account, after)], [0, 6]);
  const sent = await service.db.query('select topic, data::json as data from outbox order by id');
  assert.deepEqual(
    sent.rows.map(({ topic, data }) => [topic, data.map(({ values }: { values: { title: string } }) => values.title)]),
    [
      ['entry.created', ['Four', 'Five', 'Six']],
      ['entry.updated', titles],
    ],
  );
  assert.equal(sent.rows[0].data[0].values.cover.type, 'image', 'webhooks contain entries as the API returns them');
  const found = await listAll(account, path, [
    ['filter[price][eq]', '2'],
    ['q', 'four'],
  ]);
  assert.equal(found.length, 1, 'new entries are in the index and the search');

  const written = await listAll(account, path, []);
  const { versions } = await ok(`GET ${path}/entries/${written[0]?.id}/versions`, account);
  assert.deepEqual(
    versions.map((each: Record<string, unknown>) => [each.version, each.change, each.changedFields]),
    [
      [2, 'changed', ['price', 'cover']],
      [1, 'created', null],
    ],
  );
  const byTitle = (title: string) => written.find(({ values }) => values.title === title)?.id;
  await ok(`PATCH ${path}/entries/${byTitle('Two')}`, account, { values: { day: '2026-02-02' } });
  await ok(`PATCH ${path}/entries/${byTitle('Five')}`, account, { values: { day: '2026-02-02' } });
  await ok(`DELETE ${path}/entries/${byTitle('Six')}`, account);
  const undone = await runStage(account, path, id, 'undo');
  assert.deepEqual(
    [undone.status, counted(undone.undone)],
    ['undone', { entries: 6, deleted: 1, restored: 2, skipped: 3 }],
  );
  const left = await listAll(account, path, []);
  assert.deepEqual(
    left.map(({ values }) => [values.title, values.price]),
    [
      ['One', 1],
      ['Two', 2],
      ['Three', 1],
      ['Five', 2],
    ],
  );
  assert.deepEqual(left[0]?.values, old[0]?.values);
  assert.deepEqual(await usesOf(account, before), 2);
  assert.deepEqual((await listAll(account, path, [['filter[price][eq]', '1']])).length, 2);
  assert.match(await results(undone.undone?.resultsUrl), /3,skipped,ent_\w+,entry_changed,/);
  assert.match(await results(undone.undone?.resultsUrl), /7,skipped,ent_\w+,entry_deleted,/);

  const log = await service.db.query('select action, after from audit_log where account_id = $1 order by id', [
    account.uuid,
  ]);
  const actions = log.rows.map(({ action }) => action).filter((action) => action.startsWith('import.'));
  assert.deepEqual(actions, ['import.uploaded', 'import.started', 'import.undone']);
});

test('stages run in order, one at a time', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const { id, ...sent } = await uploaded(account, path, 'title\nx\n');
  const refused = async (name: string, code: string, body?: unknown) => {
    const answer = await service.call(`POST ${path}/imports/${id}/${name}`, { as: account, body });
    assert.deepEqual([answer.status, answer.body.code], [400, code]);
    return answer.body;
  };
  await refused('start', 'dry_run_required');
  await refused('undo', 'import_not_started');
  const wrong = await refused('dry-run', 'column_count_mismatch', {
    columns: [{ field: 'nope' }, null],
    keyField: 'x',
    timeZone: 'Mars',
  });
  assert.deepEqual(
    wrong.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/columns column_count_mismatch',
      '/columns/0/field field_unknown',
      '/keyField field_unknown',
      '/columns too_few',
      '/timeZone time_zone_unknown',
    ],
  );
  const mapping = suggestedMapping({ id, ...sent });
  await runStage(account, path, id, 'dry-run', mapping);
  await runStage(account, path, id, 'dry-run', mapping);
  await runStage(account, path, id, 'start');
  await refused('start', 'dry_run_required');
  await refused('dry-run', 'import_started', mapping);
  await runStage(account, path, id, 'undo');
  await refused('undo', 'import_not_started');
  await runStage(account, path, id, 'dry-run', mapping);
  await runStage(account, path, id, 'start');
  assert.equal((await listAll(account, path, [])).length, 1);
  const { imports } = await ok(`GET ${path}/imports`, account);
  assert.deepEqual(
    imports.map((each: { id: string }) => each.id),
    [id],
  );

  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', required: false }] });
  const other = await dryRun(account, path, 'title\ny\n');
  await ok(`PATCH ${path}`, account, { fields: [{ id: 'title', status: 'deleted' }] });
  const stopped = await runStage(account, path, other.id, 'start');
  assert.deepEqual([stopped.status, stopped.job?.error?.code], ['stopped', 'mapping_outdated']);
});

test('an invalid file is refused with a specific error, and nothing of it is stored', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const codeOf = async (file: string | Buffer) => (await service.upload(account, path, file)).body.code;
  assert.equal(await codeOf(Buffer.from('\ufefftitle\nx', 'utf16le')), 'encoding_unsupported');
  assert.equal(await codeOf(Buffer.from('title\nx', 'utf16le')), 'encoding_unsupported');
  assert.equal(await codeOf(Buffer.from('title\ncaf\u00e9\n', 'latin1')), 'encoding_unsupported');
  assert.equal(await codeOf(''), 'file_empty');
  assert.equal(await codeOf('\n\n'), 'csv_empty');
  assert.equal(await codeOf('"title\nx'), 'csv_malformed');
  assert.equal(await codeOf(`${'a,'.repeat(1_001)}a\n`), 'too_many_columns');
  for (const table of ['entry_imports', 'entry_import_parts']) {
    const { rowCount } = await service.db.query(`select from ${table} where account_id = $1`, [account.uuid]);
    assert.equal(rowCount, 0);
  }

  const broken = await dryRun(account, path, 'title,price\nx,1\n"y,2\nz,3\n');
  assert.deepEqual([broken.status, broken.job?.error?.code], ['stopped', 'csv_malformed']);
  assert.match(broken.job?.error?.detail ?? '', /line 3/);
});

test('what spreadsheets write is read: quotes within cells, rows of blanks, and a line that names the separator', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'kind', label: 'Kind', type: 'text' },
  ]);
  const read = async (file: string) => {
    const { id, dryRun: counts } = await dryRun(account, path, file);
    assert.deepEqual(counts?.errors, [], file);
    const before = (await listAll(account, path, [])).length;
    await runStage(account, path, id, 'start');
    const made = (await listAll(account, path, [])).slice(before);
    return made.map(({ values }) => [values.title, values.kind]);
  };
  assert.deepEqual(await read('title,kind\nScreen 24",C\n24" by 12",D\n"a ""b""",E'), [
    ['Screen 24"', 'C'],
    ['24" by 12"', 'D'],
    ['a "b"', 'E'],
  ]);
  assert.deepEqual(await read('title;kind\na;b\n ; \n\u00a0;\t\n;\n\nc;d\n;;'), [
    ['a', 'b'],
    ['c', 'd'],
  ]);
  for (const start of ['sep=;\r\n', '\ufeffsep=;\r\n', 'SEP=;\n', '"sep=;"\r', 'sep=;;\n']) {
    assert.deepEqual(await read(`${start}title;kind\r\na,b,c;d`), [['a,b,c', 'd']], start);
  }
  assert.deepEqual(await read('sep=|\ntitle|kind\na;b|c'), [['a;b', 'c']]);
  assert.deepEqual(await read('sep=\t\ntitle\tkind\na\tb'), [['a', 'b']]);
  const { dryRun: counts } = await dryRun(account, path, 'sep=,\ntitle,kind\na\n');
  assert.deepEqual(
    counts?.errors.map(({ row, code }) => [row, code]),
    [[2, 'cell_count_mismatch']],
  );
  const { columns } = await uploaded(account, path, 'title 24",kind;x,more\n1,2,3');
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['title 24"', 'kind;x', 'more'],
  );
});

test('an import is deleted with its file after 30 days, or when its collection is permanently deleted', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  const { id } = await dryRun(account, path, 'title\nx\n');
  const { deleteExpiredImports } = await import('./index.ts');
  const rowsLeft = async () => {
    const tables = ['entry_imports', 'entry_import_parts', 'entry_import_batches'];
    const of = async (table: string) =>
      (await service.db.query(`select from ${table} where account_id = $1`, [account.uuid])).rows.length;
    return Promise.all(tables.map(of));
  };
  assert.deepEqual(await rowsLeft(), [1, 1, 1]);
  await deleteExpiredImports({ db: service.db, clock: () => Date.now() + 31 * 86_400_000 });
  assert.deepEqual(await rowsLeft(), [0, 0, 0]);
  assert.equal((await service.call(`GET ${path}/imports/${id}`, { as: account })).status, 404);

  await dryRun(account, path, 'title\nx\n');
  await ok(`DELETE ${path}`, account);
  await deleteExpiredImports({ db: service.db, clock: Date.now });
  assert.deepEqual(await rowsLeft(), [1, 1, 1], 'a deleted collection can be restored');
  await ok(`DELETE ${path}?permanently=true`, account);
  await deleteExpiredImports({ db: service.db, clock: Date.now });
  assert.deepEqual(await rowsLeft(), [0, 0, 0]);
});

test('an export has the latest versions or what is published, and an import writes drafts', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS, { publishing: true });
  const [first, second] = [
    await createEntry(account, path, { title: 'One' }),
    await createEntry(account, path, { title: 'Two' }),
  ];
  const { publishedAt } = await ok(`POST ${path}/entries/${first.id}/publish`, account, {});
  await ok(`PATCH ${path}/entries/${first.id}`, account, { values: { title: 'Changed' } });
  const read = async (body: object) => {
    const lines = (await exported(account, path, { format: 'ndjson', fields: ['title'], ...body })).trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
  const facts = (entries: Awaited<ReturnType<typeof read>>) =>
    entries.map((each) => [each.id, each.values.title, each.publishedVersion, each.publishedAt]);
  assert.deepEqual(facts(await read({})), [
    [first.id, 'Changed', 1, publishedAt],
    [second.id, 'Two', null, null],
  ]);
  assert.deepEqual(facts(await read({ state: 'published' })), [[first.id, 'One', 1, publishedAt]]);
  assert.deepEqual(facts(await read({ state: 'published', filter: { title: { eq: 'Changed' } } as never })), []);

  // The file of what is published returns a draft to it, and what is published stays as it is.
  const all = await exported(account, path, { state: 'published' });
  assert.match(all, /^id,.*,createdAt,updatedAt,publishedVersion,publishedAt\r\n/);
  const file = await exported(account, path, { fields: ['id', 'title', 'publishedVersion'], state: 'published' });
  assert.match(file, /^id,title,publishedVersion\r\n/);
  const { id } = await dryRun(account, path, file);
  await runStage(account, path, id, 'start');
  const draft = await ok(`GET ${path}/entries/${first.id}`, account);
  assert.deepEqual([draft.values.title, draft.version, draft.publishedVersion], ['One', 3, 1]);
  const plain = await newCollection(account, FIELDS);
  const refused = await service.call(`POST ${plain}/export`, {
    as: account,
    body: { format: 'csv', state: 'published' },
  });
  assert.deepEqual([refused.body.code, refused.body.errors[0].pointer], ['publishing_disabled', '/state']);
});

test('an export contains the entries of its listing, in order, with the requested fields', async () => {
  const account = await service.newAccount();
  const path = await newCollection(account, FIELDS);
  for (let i = 0; i < 230; i++) {
    await createEntry(account, path, { title: `t${i % 7}`, price: i, seo: { title: `s${i}` } });
  }
  const file = await exported(account, path, {
    fields: ['seo.title', 'price'],
    sort: 'price:desc',
    q: 't3',
    filter: { price: { gte: '10', lt: ['200', '220'] } },
  });
  const expected = Array.from({ length: 230 }, (_, i) => i).filter((i) => i % 7 === 3 && i >= 10 && i < 200);
  const lines = file.trim().split('\r\n');
  assert.equal(lines.shift(), 'seo.title,price', 'exactly the columns named');
  assert.deepEqual(
    lines,
    expected.reverse().map((i) => `s${i},${i}`),
  );
  const all = (await exported(account, path, { format: 'ndjson', fields: ['title'] })).trim().split('\n');
  assert.equal(all.length, 230);
  assert.deepEqual(JSON.parse(all[8] ?? '').values, { title: 't1' });

  const some = await exported(account, path, { fields: ['updatedAt', 'cover.url', 'cover', 'id'], sort: 'price:asc' });
  assert.match(some, /^updatedAt,cover\.url,cover,id\r\n[\d-]+T[\d:.]+Z,,,ent_\w+\r\n/);
  const marked = await exported(account, path, { fields: ['title'], bom: true });
  assert.ok(marked.startsWith('\ufefftitle\r\n') && !marked.slice(1).includes('\ufeff'));
  assert.deepEqual(
    (await dryRun(account, path, marked)).columns.map(({ name }) => name),
    ['title'],
  );
  const body = { format: 'ndjson', bom: true };
  const notCsv = await service.call(`POST ${path}/export`, { as: account, body });
  assert.deepEqual([notCsv.status, notCsv.body.errors[0].pointer], [400, '/bom']);

  const wrong = await service.call(`POST ${path}/export`, {
    as: account,
    body: { format: 'csv', fields: ['price', 'price', 'nope'], sort: 'x', filter: { price: { like: '1' } } },
  });
  assert.deepEqual(
    wrong.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/sort sort_invalid',
      '/filter/price/like operator_unknown',
      '/fields/1 field_repeated',
      '/fields/2 field_unknown',
    ],
  );
});

test('who may not delete does not undo an import that created entries', async () => {
  const account = await service.newAccount();
  const owner = await createTestUser(service, account, 'owner');
  const path = await newCollection(account, FIELDS);
  const permissions = [{ collection: path.split('/').at(-1), actions: ['read', 'create', 'update'] }];
  const role = await ok('POST /v1/roles', account, { name: 'Importer', permissions });
  const body = { type: 'secret', name: 'Importer', roleId: role.id };
  const key = await service.call('POST /v1/keys', { by: owner, body });
  const as = { ...account, token: key.body.token as string };
  const { id } = await dryRun(as, path, 'title\na\n');
  assert.equal((await runStage(as, path, id, 'start')).status, 'imported');
  const undone = await service.call(`POST ${path}/imports/${id}/undo`, { as });
  assert.deepEqual([undone.status, undone.body.code], [400, 'role_insufficient']);
  assert.equal((await ok(`GET ${path}/entries`, account)).entries.length, 1);
});
