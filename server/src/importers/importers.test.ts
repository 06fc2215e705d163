import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@headwater/sdk';
import { testService } from '../../test/harness.ts';
import { portOf } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';
import { importContent, importCsv } from './index.ts';

const service = await testService();
const baseUrl = `http://127.0.0.1:${await portOf(service)}`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-importers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const png = await noiseImage(40, 30).png().toBuffer();

function write(path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

/** A collection and the values of its entries, oldest first. */
async function entriesOf(token: string, name: string) {
  const client = createClient({ baseUrl, token });
  const { collections } = await client.listCollections();
  const collection = collections.find((each) => each.name === name);
  assert.ok(collection, name);
  const entries = await client.listEntries({ collectionId: collection.id }).all();
  // biome-ignore lint/suspicious/noExplicitAny: values of every type
  return { collection, entries, values: entries.map((entry) => entry.values as Record<string, any>) };
}

const paragraph = (text: string) => ({ nodeType: 'paragraph', content: [{ nodeType: 'text', value: text }] });

test('an export of Contentful becomes collections, entries and files, and what has no counterpart is reported', async () => {
  const path = write('contentful/export.json', {
    locales: [{ code: 'en', default: true }, { code: 'de' }],
    contentTypes: [
      {
        sys: { id: 'post' },
        name: 'Post',
        displayField: 'title',
        fields: [
          { id: 'title', name: 'Title', type: 'Symbol', required: true },
          { id: 'body', name: 'Body', type: 'RichText' },
          { id: 'rating', name: 'Rating', type: 'Number' },
          { id: 'featured', name: 'Featured', type: 'Boolean' },
          { id: 'date', name: 'Date', type: 'Date' },
          { id: 'tags', name: 'Tags', type: 'Array', items: { type: 'Symbol' } },
          { id: 'kind', name: 'Kind', type: 'Symbol', validations: [{ in: ['news', 'guide'] }] },
          { id: 'cover', name: 'Cover', type: 'Link', linkType: 'Asset' },
          { id: 'gallery', name: 'Gallery', type: 'Array', items: { type: 'Link', linkType: 'Asset' } },
          { id: 'author', name: 'Author', type: 'Link', linkType: 'Entry' },
          { id: 'place', name: 'Place', type: 'Location' },
        ],
      },
    ],
    entries: [
      {
        sys: { id: 'p1', contentType: { sys: { id: 'post' } }, publishedVersion: 3 },
        fields: {
          title: { en: 'Hello', de: 'Hallo' },
          body: { en: { nodeType: 'document', content: [paragraph('One'), paragraph('Two')] } },
          rating: { en: 4.5 },
          featured: { en: false },
          date: { en: '2026-03-01T10:00+01:00' },
          tags: { en: ['a', 'b'] },
          kind: { en: 'news' },
          cover: { en: { sys: { id: 'a1', linkType: 'Asset' } } },
          gallery: { en: [{ sys: { id: 'a1' } }, { sys: { id: 'lost' } }] },
          author: { en: { sys: { id: 'p9', linkType: 'Entry' } } },
          place: { en: { lat: 1, lon: 2 } },
        },
      },
      {
        sys: { id: 'p2', contentType: { sys: { id: 'post' } }, publishedVersion: 1 },
        fields: { title: { en: 'Bad' }, kind: { en: 'none' } },
      },
      { sys: { id: 'p3', contentType: { sys: { id: 'post' } }, archivedVersion: 1 }, fields: { title: { en: 'Old' } } },
    ],
    assets: [
      {
        sys: { id: 'a1' },
        fields: { file: { en: { url: '//images.ctfassets.net/s/a1/h/cover.png', fileName: 'cover.png' } } },
      },
      {
        sys: { id: 'lost' },
        fields: { file: { en: { url: '//images.ctfassets.net/s/lost/h/lost.png', fileName: 'lost.png' } } },
      },
    ],
  });
  write('contentful/images.ctfassets.net/s/a1/h/cover.png', png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('contentful', path, client);
  assert.deepEqual(
    [report.collections, report.entries, report.files, report.failed.map(({ id }) => id)],
    [1, 1, 1, ['post/p2']],
  );
  assert.deepEqual(report.notes.map(({ note }) => note.split(' ', 3).join(' ')).sort(), [
    'Archived entries were',
    'Files that are',
    'Objects and locations',
    'Only the default',
    'References to entries',
    'Rich text is',
  ]);
  const { collection, values: found } = await entriesOf(token, 'Post');
  assert.equal(collection.displayFieldId, 'title');
  const { cover, gallery, ...others } = found[0] ?? {};
  assert.equal(cover?.name, 'cover.png');
  assert.deepEqual(
    gallery.map(({ assetId }: { assetId: string }) => assetId),
    [cover?.assetId],
  );
  assert.deepEqual(others, {
    title: 'Hello',
    body: 'One\nTwo',
    rating: 4.5,
    featured: false,
    date: '2026-03-01T09:00:00.000Z',
    tags: ['a', 'b'],
    kind: 'news',
    author: 'p9',
    place: '{"lat":1,"lon":2}',
  });

  // Again: what is there is skipped, what was refused is tried again.
  const again = await importContent('contentful', path, client);
  assert.deepEqual(
    [again.collections, again.entries, again.files, again.skipped, again.failed.length],
    [0, 0, 0, 3, 1],
  );
  assert.equal((await entriesOf(token, 'Post')).values.length, 1);
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
  assert.ok(report.notes.some(({ note }) => note.includes('articles.comments')));
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
  const field = (collection: string, name: string, type: string, meta: object = {}) => ({
    ...{ collection, field: name, type, meta },
    schema: { is_primary_key: name === 'id' },
  });
  const alias = (collection: string, name: string, special: string) =>
    field(collection, name, 'alias', { special: [special] });
  const relation = (collection: string, name: string, related_collection: string | null, meta: object = {}) => ({
    ...{ collection, field: name, related_collection },
    meta,
  });
  const folderOf = 'directus-relations';
  write(`${folderOf}/snapshot.json`, {
    directus: '12.0.0',
    collections: [
      {
        collection: 'posts',
        schema: {},
        meta: {
          sort_field: 'sort',
          archive_field: 'status',
          archive_value: 'archived',
          unarchive_value: 'draft',
        },
      },
      { collection: 'people', schema: {} },
      { collection: 'settings', schema: {}, meta: { singleton: true } },
      { collection: 'block_text', schema: {} },
      ...['posts_people', 'posts_blocks', 'posts_files', 'posts_translations'].map((collection) => ({
        collection,
        schema: {},
      })),
    ],
    fields: [
      ...[field('posts', 'id', 'uuid'), field('posts', 'sort', 'integer', { sort: 1 })],
      field('posts', 'status', 'string', {
        interface: 'select-dropdown',
        options: { choices: ['published', 'draft', 'archived'].map((value) => ({ text: value, value })) },
      }),
      field('posts', 'body', 'text', { interface: 'input-rich-text-html' }),
      field('posts', 'price', 'decimal'),
      field('posts', 'place', 'geometry.Point'),
      field('posts', 'author', 'uuid', { special: ['m2o'] }),
      alias('posts', 'readers', 'm2m'),
      alias('posts', 'blocks', 'm2a'),
      alias('posts', 'gallery', 'files'),
      alias('posts', 'translations', 'translations'),
      ...[field('people', 'id', 'uuid'), field('people', 'name', 'string'), alias('people', 'posts', 'o2m')],
      ...[field('settings', 'id', 'integer'), field('settings', 'title', 'string')],
      ...[field('block_text', 'id', 'integer'), field('block_text', 'text', 'text')],
      ...['id', 'posts_id', 'people_id'].map((name) => field('posts_people', name, 'integer')),
      ...['id', 'posts_id', 'item', 'collection', 'sort'].map((name) => field('posts_blocks', name, 'string')),
      ...['id', 'posts_id', 'directus_files_id'].map((name) => field('posts_files', name, 'string')),
      ...['id', 'posts_id', 'languages_code', 'title'].map((name) => field('posts_translations', name, 'string')),
    ],
    relations: [
      relation('posts', 'author', 'people', { one_field: 'posts' }),
      relation('posts_people', 'posts_id', 'posts', { one_field: 'readers', junction_field: 'people_id' }),
      relation('posts_people', 'people_id', 'people'),
      relation('posts_blocks', 'posts_id', 'posts', {
        one_field: 'blocks',
        junction_field: 'item',
        sort_field: 'sort',
      }),
      relation('posts_blocks', 'item', null, {
        one_collection_field: 'collection',
        one_allowed_collections: ['block_text', 'people'],
      }),
      relation('posts_files', 'posts_id', 'posts', { one_field: 'gallery', junction_field: 'directus_files_id' }),
      relation('posts_files', 'directus_files_id', 'directus_files'),
      relation('posts_translations', 'posts_id', 'posts', {
        one_field: 'translations',
        junction_field: 'languages_code',
      }),
      relation('posts_translations', 'languages_code', 'languages'),
    ],
  });
  const rows: Record<string, unknown> = {
    posts: [
      { id: 'b', sort: 2, status: 'draft', author: 'gone' },
      {
        ...{ id: 'a', sort: 1, status: 'published', body: '<p>One <strong>two</strong></p>', price: '12.50' },
        ...{ author: 'ada', place: { type: 'Point', coordinates: [13.4, 52.5] } },
      },
    ],
    people: [
      { id: 'ada', name: 'Ada' },
      { id: 'bob', name: 'Bob' },
    ],
    settings: { id: 1, title: 'Site' },
    block_text: [{ id: 1, text: 'A block' }],
    posts_people: [
      { id: 1, posts_id: 'a', people_id: 'bob' },
      { id: 2, posts_id: 'a', people_id: 'ada' },
    ],
    posts_blocks: [
      { id: '1', posts_id: 'a', item: 'ada', collection: 'people', sort: 2 },
      { id: '2', posts_id: 'a', item: '1', collection: 'block_text', sort: 1 },
    ],
    posts_files: [{ id: '1', posts_id: 'a', directus_files_id: 'f1' }],
    posts_translations: [
      { id: '1', posts_id: 'a', languages_code: 'en-US', title: 'Hello' },
      { id: '2', posts_id: 'a', languages_code: 'de-DE', title: 'Hallo' },
    ],
    directus_files: [{ id: 'f1', filename_disk: 'f1.png', title: 'Photo', description: 'A view of the sea' }],
  };
  for (const [name, content] of Object.entries(rows)) write(`${folderOf}/${name}.json`, content);
  write(`${folderOf}/uploads/f1.png`, png);
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('directus', join(folder, folderOf), client);
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
  const again = await importContent('directus', join(folder, folderOf), client);
  assert.deepEqual([again.collections, again.entries, again.files], [0, 0, 0]);
});

test('an export of Payload keeps blocks, relations, locales, drafts and alternative texts', async () => {
  const drafts = { drafts: true };
  const paragraph = (text: string, format = 0) => ({
    root: { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', text, format }] }] },
  });
  write('payload/config.json', {
    localization: { defaultLocale: 'en', locales: [{ code: 'en' }, { code: 'de' }] },
    collections: [
      {
        slug: 'pages',
        labels: { plural: 'Pages' },
        versions: drafts,
        admin: { useAsTitle: 'title' },
        fields: [
          { type: 'text', name: 'title', required: true, localized: true },
          {
            type: 'tabs',
            tabs: [
              {
                fields: [
                  {
                    type: 'blocks',
                    name: 'layout',
                    blocks: [
                      {
                        slug: 'hero',
                        fields: [
                          { type: 'text', name: 'headline', localized: true },
                          { type: 'upload', name: 'media', relationTo: 'media' },
                          { type: 'richText', name: 'text' },
                        ],
                      },
                      {
                        slug: 'archive',
                        fields: [{ type: 'relationship', name: 'pages', relationTo: 'pages', hasMany: true }],
                      },
                    ],
                  },
                ],
              },
              { name: 'meta', fields: [{ type: 'text', name: 'description' }] },
            ],
          },
          { type: 'relationship', name: 'related', relationTo: ['pages', 'tags'], hasMany: true },
          { type: 'point', name: 'place' },
          { type: 'array', name: 'links', fields: [{ type: 'row', fields: [{ type: 'text', name: 'url' }] }] },
        ],
      },
      { slug: 'tags', fields: [{ type: 'text', name: 'name' }] },
      { slug: 'media', upload: true, fields: [{ type: 'text', name: 'alt' }] },
      { slug: 'users', auth: true, fields: [] },
    ],
    globals: [{ slug: 'header', fields: [{ type: 'relationship', name: 'home', relationTo: 'pages' }] }],
  });
  const page = {
    ...{ id: 1, _status: 'published', title: { en: 'Home', de: 'Start' }, place: [13.4, 52.5] },
    layout: [
      {
        ...{ blockType: 'hero', headline: { en: 'Hi', de: 'Hallo' }, media: 9, text: paragraph('Bold', 1) },
      },
      { blockType: 'archive', pages: [2, 1] },
    ],
    meta: { description: 'About' },
    related: [
      { relationTo: 'tags', value: 5 },
      { relationTo: 'pages', value: 2 },
    ],
    links: [{ url: '/a' }, { url: '/b' }],
  };
  write('payload/pages.json', { docs: [page, { id: 2, _status: 'draft', title: { en: 'Second' } }] });
  write('payload/pages.drafts.json', { docs: [{ ...page, _status: 'draft', title: { en: 'Home 2', de: 'Start' } }] });
  write('payload/tags.json', { docs: [{ id: 5, name: 'News' }] });
  write('payload/media.json', { docs: [{ id: 9, filename: 'a.png', alt: 'A view' }] });
  write('payload/media/a.png', png);
  write('payload/globals/header.json', { home: 1 });
  const { token } = await service.newAccount();
  const client = createClient({ baseUrl, token });
  const report = await importContent('payload', join(folder, 'payload'), client);
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
    ['Fields of the type password are not imported (article.secret).'],
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
