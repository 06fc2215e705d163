import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@headwater/sdk';
import { testService } from '../../test/harness.ts';
import { portOf } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';
import { importContent, importCsv, reportTable } from './index.ts';
import { contentfulExport, writeDirectus, writeExport, writePayload } from './test-exports.ts';

const service = await testService();
const baseUrl = `http://127.0.0.1:${await portOf(service)}`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-importers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const png = await noiseImage(40, 30).png().toBuffer();

const write = (path: string, content: unknown) => writeExport(folder, path, content);

/** A collection and the values of its entries, oldest first. */
async function entriesOf(token: string, name: string) {
  const client = createClient({ baseUrl, token });
  const { collections } = await client.listCollections();
  const collection = collections.find((each) => each.name === name);
  assert.ok(collection, name);
  const entries = await client.listEntries({ collectionId: collection.id }).all();
  // biome-ignore lint/suspicious/noExplicitAny: values of every type
  const values = entries.map((entry) => entry.values as Record<string, any>);
  // What the import notes beside them.
  return { collection, entries, values: values.map(({ importId: _, importVersion: __, ...own }) => own) };
}

test('an export of Contentful keeps references, languages, drafts, rich text, embedded entries and rules', async () => {
  const path = write('contentful/export.json', contentfulExport());
  write('contentful/images.ctfassets.net/space1/a1/h/my cover.png', png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const dry = await importContent('contentful', path, client, undefined, { dryRun: true });
  assert.deepEqual([dry.collections, dry.entries, dry.files, dry.dryRun], [2, 5, 1, true]);
  assert.deepEqual((await client.listCollections()).collections, [], 'a dry run writes nothing');
  const report = await importContent('contentful', path, client);
  assert.deepEqual([report.collections, report.entries, report.files], [2, 5, 1]);
  assert.deepEqual(
    report.failed.map(({ id, reason }) => [id, /^Imported as a draft without kind: /.test(reason)]),
    [['post/p2', true]],
  );
  const noted = report.notes.map(({ collection, note, amount, names }) => [
    collection,
    note.split(/[.:;,]/, 1)[0],
    amount,
    names?.join(),
  ]);
  assert.deepEqual(noted.filter(([, note]) => !/^publishedOn/.test(note ?? '')).sort(), [
    ['', 'Files that are not in the export were left out', '1 file', 'lost.png'],
    ['post', 'Archived entries are imported as drafts', '1 entry', undefined],
    ['post', 'Files that are not in the export', '1 file', 'lost'],
    ['post', 'Published entries with unpublished changes are imported as drafts', '1 entry', 'p4'],
    ['post', 'References to entries that are not in the export', '1 reference', '/gone'],
  ]);
  assert.match(reportTable(report), /^post +1 reference +References to entries/m);
  const { collection, entries, values } = await entriesOf(token, 'Post');
  const [ada] = (await entriesOf(token, 'Person')).entries;
  assert.deepEqual([collection.displayFieldId, collection.publishing, collection.key], ['title', true, 'post']);
  assert.deepEqual(
    values.map(({ title }) => title),
    ['Hello', 'Bad', 'Old', 'Changed'],
    'in their order',
  );
  assert.deepEqual(
    entries.map(({ publishedVersion }) => publishedVersion !== null),
    [true, false, false, false],
  );
  const fieldOf = (id: string) => collection.fields.find((each) => each.id === id);
  assert.deepEqual(fieldOf('title')?.validation, { maxLength: 40 }, 'rules');
  assert.deepEqual([fieldOf('slug')?.unique, fieldOf('slug')?.validation], [true, { pattern: '[a-z0-9-]+' }]);
  assert.deepEqual([fieldOf('rating')?.validation, fieldOf('tags')?.validation], [{ min: 0, max: 5 }, { maxItems: 3 }]);
  assert.deepEqual([fieldOf('note')?.format, fieldOf('plain')?.format], ['markdown', undefined]);
  assert.deepEqual(fieldOf('importId')?.unique, true, 'the key there is a unique field');
  const { cover, gallery, body, parts, note, ...others } = values[0] ?? {};
  const second = entries[1]?.id;
  assert.deepEqual([cover?.name, cover?.alt, cover?.title], ['my cover.png', 'A view', 'Cover']);
  assert.deepEqual(
    gallery.map(({ assetId }: { assetId: string }) => assetId),
    [cover?.assetId],
  );
  const file = await client.getFile({ assetId: cover.assetId });
  assert.deepEqual([file.tags, file['alt@de' as 'alt']], [['Summer'], 'Ein Blick']);
  assert.equal(note, `![x](${file.url})`, 'images in texts are those that were imported');
  assert.deepEqual(
    body.content.map(({ type }: { type: string }) => type),
    ['heading', 'paragraph', 'figure'],
  );
  assert.deepEqual(
    body.content[1].content.map(({ text, marks = [] }: { text: string; marks?: { attrs?: { href: string } }[] }) => [
      text,
      marks[0]?.attrs?.href,
    ]),
    [
      ['One ', undefined],
      ['bold', undefined],
      ['there', `entry:${second}`],
      ['out', 'https://e.example'],
    ],
  );
  assert.equal(body.content[2].attrs.assetId, cover.assetId);
  assert.deepEqual(
    parts.map(({ _block, entry }: { _block: string; entry?: string }) => [_block, entry]),
    [
      ['text', undefined],
      ['entry', ada?.id],
    ],
    'embedded entries are blocks among texts',
  );
  assert.deepEqual(others, {
    title: 'Hello',
    'title@de': 'Hallo',
    slug: 'hello',
    rating: 4.5,
    featured: false,
    date: '2026-03-01T09:00:00.000Z',
    day: '2026-03-01',
    tags: ['a', 'b'],
    kind: 'news',
    author: ada?.id,
    related: [second, ada?.id],
    place: { lat: 1, lng: 2 },
    extra: { a: [1] },
    publishedOn: '2024-01-02T03:04:05.000Z',
  });
  assert.deepEqual(values[1]?.related, [entries[0]?.id], 'in both directions');
});

/** All that an account has, without IDs and times. */
async function contentOf(token: string) {
  const client = createClient({ baseUrl, token });
  const collections = await client.listCollections().all();
  const found: Record<string, unknown[]> = {};
  for (const { id, name } of collections) {
    const entries = await client.listEntries({ collectionId: id }).all();
    found[name] = [...(found[name] ?? []), ...entries.map(({ values }) => (values as { importId?: string }).importId)];
  }
  return { ...found, files: (await client.listFiles().all()).map(({ name }) => name).sort() };
}

test('what was imported is known to the service: nothing is created twice, changes are brought, and what was deleted comes again', async () => {
  const path = write('again/export.json', contentfulExport());
  write('again/images.ctfassets.net/space1/a1/h/my cover.png', png);
  const trial = await service.newAccount();
  await importContent('contentful', path, createClient({ baseUrl, token: trial.token }));
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const first = await importContent('contentful', path, client);
  assert.deepEqual([first.entries, first.files], [5, 1], 'a trial in another account is no progress of this one');
  const before = await contentOf(token);
  const { collection, entries } = await entriesOf(token, 'Post');
  const repeated = await importContent('contentful', path, client);
  assert.deepEqual(
    [repeated.collections, repeated.entries, repeated.files, repeated.updated, repeated.skipped],
    [0, 0, 0, 0, 6],
  );
  assert.deepEqual(repeated.failed, first.failed, 'what is not whole is named again');
  assert.match(repeated.notes.map(({ note }) => note).join(' '), /An earlier run imported/);
  assert.deepEqual(await contentOf(token), before);
  assert.deepEqual(
    (await entriesOf(token, 'Post')).entries.map(({ version }) => version),
    entries.map(({ version }) => version),
    'nothing was written',
  );

  // Changed there: one is changed here, too, one was edited here, and the collection accepts the refused value now.
  const [hello, bad, old] = entries;
  await client.updateEntry({ collectionId: collection.id, entryId: old?.id ?? '' }, { values: { title: 'Edited' } });
  const kinds = [
    ...(collection.fields.find(({ id }) => id === 'kind')?.options ?? []),
    { value: 'none', label: 'None' },
  ];
  await client.updateCollection({ collectionId: collection.id }, { fields: [{ id: 'kind', options: kinds }] });
  const changed = contentfulExport({ title: 'Hello again' });
  const edited = changed.entries.find(({ sys }) => sys.id === 'p3');
  Object.assign(edited?.fields ?? {}, { title: { 'en-US': 'Older' } });
  changed.entries.reverse();
  const moved = write('elsewhere/renamed.json', changed);
  write('elsewhere/images.ctfassets.net/space1/a1/h/my cover.png', png);
  const update = await importContent('contentful', moved, client);
  assert.deepEqual([update.entries, update.files, update.updated, update.failed], [0, 0, 2, []]);
  const left = update.notes.find(({ note }) => note.includes('were also changed here'));
  assert.deepEqual([left?.amount, left?.names], ['1 entry', ['p3']]);
  const now = await entriesOf(token, 'Post');
  assert.deepEqual(
    now.values.map(({ title, kind }) => [title, kind]),
    [
      ['Hello again', 'news'],
      ['Bad', 'none'],
      ['Edited', undefined],
      ['Changed', undefined],
    ],
  );
  const published = await client.listEntries({ collectionId: collection.id, state: 'published' }).all();
  assert.deepEqual(
    published.map(({ values }) => (values as { title: string }).title),
    ['Hello again', 'Bad'],
  );

  // Deleted here.
  await client.deleteEntry({ collectionId: collection.id, entryId: hello?.id ?? '' });
  await client.deleteEntry({ collectionId: collection.id, entryId: hello?.id ?? '', permanently: true });
  await client.deleteEntry({ collectionId: collection.id, entryId: bad?.id ?? '' });
  const [file] = await client.listFiles().all();
  await client.deleteFile({ assetId: file?.assetId ?? '', force: true });
  const restored = await importContent('contentful', moved, client);
  assert.deepEqual([restored.entries, restored.files, restored.failed], [2, 1, []]);
  const deleted = restored.notes.filter(({ note }) => /deleted here/.test(note)).map(({ names }) => names);
  assert.deepEqual(deleted, [['my cover.png'], ['p2']]);
  assert.deepEqual(await contentOf(token), { ...before, Post: ['p3', 'p4', 'p2', 'p1'] });
  const found = (await entriesOf(token, 'Post')).values.find(({ title }) => title === 'Hello again');
  assert.equal(found?.cover.name, 'my cover.png');
  await client.deleteCollection({ collectionId: collection.id });
  const whole = await importContent('contentful', moved, client);
  assert.deepEqual([whole.collections, whole.entries], [1, 4]);
});

test('another export of the same system is kept apart by a name', async () => {
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const field = { collection: 'notes', field: 'text', type: 'string', meta: {}, schema: {} };
  const snapshot = { directus: '11.0.0', collections: [{ collection: 'notes', schema: {} }], fields: [field] };
  for (const site of ['one', 'two']) {
    write(`sites/${site}/snapshot.json`, snapshot);
    write(`sites/${site}/notes.json`, [{ id: 1, text: site }]);
    await importContent('directus', join(folder, 'sites', site), client, undefined, { source: site });
  }
  // Their ids are the same. Where the export has times of creation, they tell that it is another site.
  const created = { ...field, field: 'at', type: 'timestamp', meta: { special: ['date-created'] } };
  for (const [n, site] of ['three', 'four'].entries()) {
    write(`sites/${site}/snapshot.json`, { ...snapshot, fields: [field, created] });
    write(`sites/${site}/notes.json`, [{ id: 1, text: site, at: `2024-01-0${n + 1}T00:00:00Z` }]);
  }
  const once = await service.newAccount();
  const other = createClient({ baseUrl, token: once.token });
  await importContent('directus', join(folder, 'sites/three'), other);
  await assert.rejects(
    importContent('directus', join(folder, 'sites/four'), other),
    /of another export of Directus.*--source/,
  );
  assert.deepEqual(
    (await entriesOf(once.token, 'notes')).values.map(({ text }) => text),
    ['three'],
  );
  const { collections } = await client.listCollections();
  assert.deepEqual(collections.map(({ name, key }) => [name, key]).sort(), [
    ['notes', 'notes'],
    ['notes', 'notes_2'],
  ]);
});

test('files that arrive later are attached to entries that exist', async () => {
  const path = write('late/export.json', contentfulExport({ kind: 'news' }));
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const early = await importContent('contentful', path, client);
  assert.deepEqual([early.files, early.entries], [0, 5]);
  write('late/images.ctfassets.net/space1/a1/h/my cover.png', png);
  const late = await importContent('contentful', path, client);
  assert.deepEqual([late.files, late.entries, late.updated], [1, 0, 1]);
  const { values } = await entriesOf(token, 'Post');
  assert.equal(values[0]?.cover.name, 'my cover.png');
});

test('files that cannot be read are named, and nothing is created', async () => {
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const mark = Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(JSON.stringify(contentfulExport()))]);
  const whole = write('broken/bom.json', mark);
  assert.equal((await importContent('contentful', whole, client, undefined, { dryRun: true })).entries, 5, 'a BOM');
  const short = write('broken/short.json', Buffer.from(JSON.stringify(contentfulExport()).slice(0, 500)));
  await assert.rejects(importContent('contentful', short, client), /short\.json is no whole JSON/);
  for (const name of ['contentful', 'directus', 'payload', 'strapi'] as const) {
    await assert.rejects(importContent(name, join(folder, 'nowhere'), client), /nowhere does not exist/);
  }
  await assert.rejects(importContent('contentful', folder, client), /is a folder, not a file/);
  await assert.rejects(importContent('strapi', whole, client), /is a file, not a folder/);
  const csv = { collection: 'Post', key: undefined, dryRun: false };
  await assert.rejects(importCsv(join(folder, 'nowhere'), csv, client), /does not exist/);
  await assert.rejects(importCsv(folder, csv, client), /is a folder, not a file/);
  assert.deepEqual((await client.listCollections()).collections, []);
});

test('of a refused value the rest of its entry is imported, and the field is named', async () => {
  const field = (name: string, type: string, meta: object = {}) => ({
    ...{ collection: 'articles', field: name, type, meta },
    schema: { is_primary_key: name === 'id' },
  });
  const choices = { interface: 'select-dropdown', options: { choices: [{ text: 'Live', value: 'live' }] } };
  write('refused/snapshot.json', {
    directus: '12.0.0',
    collections: [
      { collection: 'articles', schema: {} },
      { collection: 'settings', schema: {}, meta: { singleton: true } },
    ],
    fields: [
      ...[field('id', 'integer'), field('title', 'string', { required: true }), field('kind', 'string', choices)],
      ...[field('day', 'date'), field('changed', 'dateTime'), field('views', 'integer'), field('tags', 'csv')],
      { collection: 'settings', field: 'data', type: 'string', meta: {}, schema: {} },
    ],
    relations: [],
  });
  const row = {
    title: 'Good',
    kind: 'live',
    day: '2026-01-02T00:00:00',
    changed: '2026-01-02',
    views: 1,
    tags: ['a', 'b'],
  };
  write('refused/articles.json', [
    { id: 1, ...row },
    { id: 2, ...row, title: null },
    { id: 3, ...row, kind: 'other', day: 'yesterday', views: 'many' },
    { id: 4, ...row, tags: ['a', 'x'.repeat(100_001), 'c', 'y'.repeat(100_001)] },
  ]);
  // The item of a singleton, as it is and with a field of this name.
  write('refused/settings.json', { id: 1, data: 'Site' });
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('directus', join(folder, 'refused'), client);
  assert.deepEqual([report.collections, report.entries, report.updated], [2, 5, 0]);
  assert.deepEqual(
    report.failed.map(({ id, reason }) => [
      id,
      [...reason.matchAll(/(?:without |; )([\w.]+): /g)].map(([, at]) => at).sort(),
    ]),
    [
      ['articles/3', ['day', 'views']],
      ['articles/4', ['tags.1', 'tags.3']],
    ],
  );
  assert.ok(
    report.notes.some(
      ({ note, names }) => /no directus_files\.json/.test(note) && names?.includes('directus_files.json'),
    ),
  );
  assert.ok(
    report.notes.some(({ note, amount }) => /^"title" is not required here/.test(note) && amount === '1 entry'),
  );
  const { collection, values } = await entriesOf(token, 'articles');
  const good = {
    title: 'Good',
    kind: 'live',
    day: '2026-01-02',
    changed: '2026-01-02T00:00:00.000Z',
    views: 1,
    tags: ['a', 'b'],
  };
  const { title: _, ...untitled } = good;
  assert.deepEqual(values, [
    good,
    untitled,
    { title: 'Good', kind: 'other', changed: good.changed, tags: good.tags },
    { ...good, tags: ['a', 'c'] },
  ]);
  assert.equal(collection.fields.find(({ id }) => id === 'title')?.required, false, 'an entry lacks it');
  assert.deepEqual((await entriesOf(token, 'settings')).values, [{ data: 'Site' }]);
  const again = await importContent('directus', join(folder, 'refused'), client);
  assert.deepEqual([again.entries, again.updated, again.failed], [0, 0, report.failed]);
});

test('files keep folders, tags, focal points and texts in other locales; fields keep their rules', async () => {
  write('described/snapshot.json', {
    directus: '12.0.0',
    collections: [{ collection: 'notes', schema: {} }],
    fields: [
      { collection: 'notes', field: 'id', type: 'integer', schema: { is_primary_key: true } },
      { collection: 'notes', field: 'code', type: 'string', meta: { note: 'On the box' }, schema: { is_unique: true } },
    ],
  });
  write('described/notes.json', [{ id: 1, code: 'a' }]);
  write('described/directus_folders.json', [
    { id: 'outer', name: 'Photos', parent: null },
    { id: 'inner', name: '2024', parent: 'outer' },
  ]);
  const described = { title: 'Sea', description: 'A view', tags: ['blue'], folder: 'inner' };
  write('described/directus_files.json', [
    {
      id: 'f1',
      filename_disk: 'f1.png',
      filename_download: 'sea.png',
      width: 40,
      height: 30,
      focal_point_x: 10,
      focal_point_y: 15,
      ...described,
    },
  ]);
  write('described/uploads/f1.png', png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  await importContent('directus', join(folder, 'described'), client);
  const [file] = await client.listFiles().all();
  assert.ok(file);
  const { name, alt, title, tags, focalPoint, folderId } = file;
  assert.deepEqual(
    { name, alt, title, tags, focalPoint },
    { name: 'sea.png', alt: 'A view', title: 'Sea', tags: ['blue'], focalPoint: { x: 0.25, y: 0.5 } },
  );
  const { folders } = await client.listFolders();
  const inner = folders.find(({ id }) => id === folderId);
  assert.deepEqual([inner?.name, folders.find(({ id }) => id === inner?.parentId)?.name], ['2024', 'Photos']);
  const { collection } = await entriesOf(token, 'notes');
  const code = collection.fields.find(({ id }) => id === 'code');
  assert.deepEqual([code?.unique, code?.helpText], [true, 'On the box']);
  // What is said about a file changes there.
  write('described/directus_files.json', [
    { id: 'f1', filename_disk: 'f1.png', filename_download: 'sea.png', ...described, title: 'Ocean' },
  ]);
  const update = await importContent('directus', join(folder, 'described'), client);
  assert.deepEqual([update.files, update.updated], [0, 1]);
  assert.equal((await client.getFile({ assetId: file.assetId })).title, 'Ocean');
});

test('rows of Strapi 4 that are localizations of each other are one entry', async () => {
  const uid = 'api::page.page';
  const i18n = { pluginOptions: { i18n: { localized: true } } };
  const lines = (path: string, items: object[]) =>
    write(`strapi4/${path}`, Buffer.from(`\uFEFF${items.map((each) => JSON.stringify(each)).join('\n')}\n`));
  const attributes = {
    title: { type: 'string', maxLength: 80, regex: '^[A-Z]', ...i18n },
    code: { type: 'uid', pluginOptions: { i18n: { localized: false } } },
  };
  lines('schemas/schemas_00001.jsonl', [
    {
      uid,
      kind: 'collectionType',
      info: { displayName: 'Page' },
      options: { draftAndPublish: true },
      ...i18n,
      attributes,
    },
  ]);
  const entity = (id: number, locale: string, title: string, publishedAt: string | null) => ({
    ...{ type: uid, id },
    data: { id, title, code: 'home', locale, publishedAt },
  });
  lines('entities/entities_00001.jsonl', [
    entity(3, 'de', 'Start', '2023-01-01T00:00:00.000Z'),
    entity(1, 'en', 'Home', '2023-01-01T00:00:00.000Z'),
    entity(2, 'en', 'Other', null),
  ]);
  const localization = (from: number, to: number) => ({
    ...{ kind: 'relation.circular', relation: 'oneToMany' },
    ...{ left: { type: uid, ref: from, field: 'localizations' }, right: { type: uid, ref: to } },
  });
  lines('links/links_00001.jsonl', [localization(1, 3), localization(3, 1)]);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('strapi', join(folder, 'strapi4'), client);
  assert.deepEqual([report.entries, report.failed], [2, []]);
  const { collection, entries, values } = await entriesOf(token, 'Page');
  const [title, code] = ['title', 'code'].map((id) => collection.fields.find((each) => each.id === id));
  assert.deepEqual([title?.validation, code?.unique], [{ maxLength: 80, pattern: '(?s:.*)(?:^[A-Z])(?s:.*)' }, true]);
  assert.deepEqual(values.map(({ title, code, ...others }) => [title, code, others['title@de']]).sort(), [
    ['Home', 'home', 'Start'],
    ['Other', 'home', undefined],
  ]);
  assert.equal(entries.filter(({ publishedVersion }) => publishedVersion !== null).length, 1);
});

test('an export of Directus becomes collections, entries and files', async () => {
  const field = (name: string, type: string, meta: object = {}, schema: object = {}) => ({
    collection: 'articles',
    field: name,
    type,
    meta,
    schema,
  });
  write('directus/snapshot.json', {
    version: 1,
    directus: '11.0.0',
    collections: [
      { collection: 'articles', meta: { note: 'The blog' }, schema: {} },
      { collection: 'folder', schema: null },
    ],
    fields: [
      field('id', 'integer', {}, { is_primary_key: true }),
      field('title', 'string', { required: true, sort: 1 }),
      field('status', 'string', {
        sort: 2,
        interface: 'select-dropdown',
        options: { choices: [{ text: 'Live', value: 'live' }] },
      }),
      field('views', 'bigInteger', { sort: 3 }),
      field('day', 'date', { sort: 4 }),
      field('changed', 'dateTime', { sort: 5 }),
      field('tags', 'csv', { sort: 6, special: ['cast-csv'] }),
      field('extra', 'json', { sort: 7 }),
      field('image', 'uuid', { sort: 8, special: ['file'] }),
      field('author', 'integer', { sort: 9 }),
      field('comments', 'alias', { sort: 10, interface: 'list-o2m' }),
    ],
    relations: [
      { collection: 'articles', field: 'image', related_collection: 'directus_files' },
      { collection: 'articles', field: 'author', related_collection: 'authors' },
    ],
  });
  write('directus/articles.json', [
    {
      id: 7,
      title: 'First',
      status: 'live',
      views: '12',
      day: '2026-01-02',
      changed: '2026-01-02T03:04:05',
      tags: ['x', 'y'],
      extra: { a: 1 },
      image: 'f1',
      author: 3,
    },
    { id: 8, title: 'Second', status: null, image: 'gone', views: JSON.rawJSON('76561198009194284') },
  ]);
  write('directus/directus_files.json', {
    data: [
      { id: 'f1', filename_disk: 'f1.png', filename_download: 'photo.png' },
      { id: 'gone', filename_disk: 'gone.png' },
    ],
  });
  write('directus/uploads/f1.png', png);
  const { token } = await service.newAccount();
  const report = await importContent('directus', join(folder, 'directus'), createClient({ baseUrl, token }));
  assert.deepEqual([report.collections, report.entries, report.files, report.failed], [1, 2, 1, []]);
  assert.ok(report.notes.some(({ collection, names }) => collection === 'articles' && names?.includes('comments')));
  const { collection, values: found } = await entriesOf(token, 'articles');
  assert.equal(collection.description, 'The blog');
  // Entries are created at the same time, in any order.
  const titled = (title: string) => found.find((each) => each.title === title);
  const { image, ...values } = titled('First') ?? {};
  assert.equal(image?.name, 'photo.png');
  assert.deepEqual(values, {
    title: 'First',
    status: 'live',
    views: 12,
    day: '2026-01-02',
    changed: '2026-01-02T03:04:05.000Z',
    tags: ['x', 'y'],
    extra: { a: 1 },
    author: '3',
  });
  assert.equal(titled('Second')?.views, '76561198009194284');
  assert.ok(report.notes.some(({ note }) => note.includes('Relations to authors')));
});

test('an export of Directus keeps relations, translations, rich text, order and what is published', async () => {
  const path = writeDirectus(folder, png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('directus', path, client);
  assert.deepEqual([report.collections, report.entries, report.files, report.failed], [4, 6, 1, []]);
  const [posts, people, texts] = [
    await entriesOf(token, 'posts'),
    await entriesOf(token, 'people'),
    await entriesOf(token, 'block_text'),
  ];
  assert.deepEqual(
    posts.values.map(({ status }) => status),
    ['published', 'draft'],
    'in their order',
  );
  const [first, second] = posts.values;
  const nameOf = (id: string) => people.entries.find((each) => each.id === id)?.values.name;
  assert.deepEqual([nameOf(first?.author), first?.readers.map(nameOf)], ['Ada', ['Bob', 'Ada']]);
  assert.deepEqual(first?.blocks, [
    texts.entries[0]?.id,
    people.entries.find(({ values }) => values.name === 'Ada')?.id,
  ]);
  assert.deepEqual([first?.title, first?.['title@de-DE'], first?.price], ['Hello', 'Hallo', '12.50']);
  assert.deepEqual(first?.place, { lat: 52.5, lng: 13.4 });
  assert.equal(first?.body.content[0].content[1].marks[0].type, 'strong');
  assert.deepEqual([first?.gallery[0].alt, first?.gallery[0].title], ['A view of the sea', 'Photo']);
  assert.equal(second?.author, undefined);
  assert.deepEqual(
    posts.entries.map(({ publishedVersion }) => publishedVersion !== null),
    [true, false],
  );
  const { collection } = await entriesOf(token, 'settings');
  assert.equal(collection.singleton, true);
  const again = await importContent('directus', path, client);
  assert.deepEqual([again.collections, again.entries, again.files], [0, 0, 0]);
});

test('an export of Payload keeps blocks, relations, locales, drafts and alternative texts', async () => {
  const path = writePayload(folder, png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const dry = await importContent('payload', path, client, undefined, { dryRun: true });
  assert.deepEqual([dry.entries, dry.files, dry.notes], [4, 1, []]);
  rmSync(join(path, 'tags.json'));
  const without = await importContent('payload', path, client, undefined, { dryRun: true });
  assert.deepEqual(without.notes.map(({ collection, note, amount }) => `${collection} ${note} ${amount}`).sort(), [
    'pages References to entries that are not in the export, or were refused, are left out. 1 reference',
    'tags There is no tags.json, so the collection is empty. 1 file',
  ]);
  write('payload/tags.json', { docs: [{ id: 5, name: 'News' }] });
  const report = await importContent('payload', path, client);
  assert.deepEqual([report.collections, report.entries, report.files, report.failed], [3, 4, 1, []]);
  const pages = await entriesOf(token, 'Pages');
  const [home, second] = pages.entries;
  const tags = await entriesOf(token, 'tags');
  interface Block {
    _block: string;
    headline?: string;
    pages?: string[];
    media?: { alt: string };
    text?: object;
  }
  const {
    layout = [],
    'layout@de': german = [],
    ...values
  } = (home?.values ?? {}) as Record<string, unknown> & {
    layout?: Block[];
    'layout@de'?: Block[];
  };
  assert.deepEqual([values.title, values['title@de']], ['Home 2', 'Start'], 'the draft');
  assert.deepEqual(
    layout.map(({ _block, headline }) => [_block, headline]),
    [
      ['hero', 'Hi'],
      ['archive', undefined],
    ],
  );
  assert.equal(german[0]?.headline, 'Hallo');
  assert.deepEqual(layout[1]?.pages, [second?.id, home?.id]);
  assert.equal(layout[0]?.media?.alt, 'A view');
  assert.equal(JSON.stringify(layout[0]?.text).includes('"strong"'), true);
  assert.deepEqual(values.related, [tags.entries[0]?.id, second?.id]);
  assert.deepEqual(
    [values.place, values.meta, values.links],
    [{ lat: 52.5, lng: 13.4 }, { description: 'About' }, [{ url: '/a' }, { url: '/b' }]],
  );
  assert.deepEqual(
    pages.entries.map(({ publishedVersion }) => publishedVersion !== null),
    [true, false],
  );
  const header = await entriesOf(token, 'header');
  assert.deepEqual([header.collection.singleton, header.values[0]?.home], [true, home?.id]);
});

test('an export that Strapi 5.48 wrote becomes collections, entries and files, with relations, components and drafts', async () => {
  const path = join(folder, 'strapi');
  cpSync(join(import.meta.dirname, 'fixtures/strapi'), path, { recursive: true });
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('strapi', path, client);
  assert.deepEqual([report.collections, report.entries, report.files, report.failed], [2, 4, 2, []]);
  assert.deepEqual(
    report.notes.map(({ note }) => note),
    [
      'Fields of the type password are not imported.',
      'publishedOn stores when the entry was first published; publishedAt is the time of the import.',
    ],
  );
  const { collection, entries, values: found } = await entriesOf(token, 'Article');
  const authors = await entriesOf(token, 'Author');
  assert.deepEqual([collection.description, collection.publishing], ['Of the magazine', true]);
  assert.deepEqual(found.map(({ title }) => title).sort(), ['Draft only', 'Edited draft', 'Hello']);
  const published = await client.listEntries({ collectionId: collection.id, state: 'published' }).all();
  assert.deepEqual(published.map(({ values }) => values.title).sort(), ['Hello', 'Published']);
  assert.equal(entries.length, 3);
  const { cover, gallery, author, ...values } = found.find(({ title }) => title === 'Hello') ?? {};
  assert.equal(cover.name, 'cover.png');
  assert.deepEqual(
    gallery.map(({ name }: { name: string }) => name),
    ['cover.png', 'second.png'],
  );
  assert.equal(cover.alt, 'Alt');
  assert.equal(author, authors.entries[0]?.id);
  const { body, ...rest } = values;
  assert.deepEqual(
    body.content.map(({ type }: { type: string }) => type),
    ['heading', 'paragraph', 'bullet_list'],
  );
  assert.deepEqual(rest, {
    title: 'Hello',
    summary: '**Bold**',
    rating: 4.5,
    reads: 9007199254740991,
    featured: false,
    day: '2026-03-01',
    moment: '2026-03-01T10:00:00.000Z',
    clock: '10:30:00',
    kind: 'news',
    slug: 'hello',
    extra: { a: [1, 2] },
    quotes: [{ text: 'Q1', source: 'S1' }, { text: 'Q2' }],
    lead: { text: 'L' },
    publishedOn: '2026-11-22T13:10:24.078Z',
  });
  assert.equal((await importContent('strapi', path, client)).entries, 0, 'a second run creates nothing');
});

test('a CSV becomes entries of a collection; run again it only reports, and a corrected file updates by a key', async () => {
  const account = await service.newAccount();
  const client = createClient({ baseUrl, token: account.token });
  const fields = [
    { id: 'sku', label: 'SKU', type: 'text' as const },
    { id: 'price', label: 'Price', type: 'number' as const },
  ];
  await client.createCollection({ name: 'Products', fields });
  // Each stage is a job.
  for (const worker of service.workers) worker.start();
  const file = join(folder, 'products.csv');
  writeFileSync(file, 'SKU,Price,Color\na,1.5,red\nb,nothing,blue\n');
  const options = { collection: 'Products', key: 'sku', dryRun: false };
  const checked = await importCsv(file, { ...options, dryRun: true }, client);
  assert.deepEqual([checked.rows, checked.created, checked.failed.length], [2, 1, 1]);
  assert.deepEqual((await entriesOf(account.token, 'Products')).values, []);
  const done = await importCsv(file, options, client);
  assert.deepEqual([done.created, done.failed.map(({ id }) => id)], [1, ['row 3']]);
  assert.match(done.notes[0]?.note ?? '', /"Color" matches no field/);
  const repeated = await importCsv(file, options, client);
  assert.deepEqual(
    [repeated.created, repeated.updated, repeated.failed],
    [0, 0, done.failed],
    'nothing is imported twice',
  );
  assert.match(repeated.notes[0]?.note ?? '', /An earlier run imported this file \(1 created, 0 updated\)/);
  // Known by its content, whatever it is called and however new it is.
  const copy = join(folder, 'copied', 'again.csv');
  mkdirSync(join(folder, 'copied'), { recursive: true });
  writeFileSync(copy, readFileSync(file));
  utimesSync(file, new Date(), new Date());
  for (const each of [file, copy]) assert.equal((await importCsv(each, options, client)).created, 0);
  writeFileSync(file, 'SKU,Price\na,2\nb,3.25\n');
  const again = await importCsv(file, options, client);
  assert.deepEqual([again.created, again.updated, again.failed], [1, 1, []]);
  const { values } = await entriesOf(account.token, 'Products');
  assert.deepEqual(values.map(({ sku, price }) => `${sku} ${price}`).sort(), ['a 2', 'b 3.25']);
  await assert.rejects(importCsv(file, { ...options, collection: 'Nothing' }, client), /--collection must be/);
});

test('a file of another kind is refused, and nothing is created', async () => {
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  await assert.rejects(
    importContent('contentful', write('other.json', { a: 1 }), client),
    /is no export of Contentful/,
  );
  await assert.rejects(importContent('directus', folder, client), /has no snapshot\.json/);
  assert.deepEqual((await client.listCollections()).collections, []);
});
