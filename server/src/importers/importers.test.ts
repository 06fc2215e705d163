import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '@headwater/sdk';
import { testService } from '../../test/harness.ts';
import { portOf } from '../files/test-support.ts';
import { noiseImage } from '../media/test-media.ts';
import { importContent } from './index.ts';

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
  return { collection, values: entries.map((entry) => entry.values as Record<string, any>) };
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
    { id: 8, title: 'Second', status: null, image: 'gone' },
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
    extra: '{"a":1}',
    author: '3',
  });
  assert.ok(titled('Second'));
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
