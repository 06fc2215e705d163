import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file of an export. @returns its path */
export function writeExport(folder: string, path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

const paragraph = (...content: object[]) => ({ nodeType: 'paragraph', data: {}, content });
const words = (value: string, ...marks: string[]) => ({
  nodeType: 'text',
  value,
  marks: marks.map((type) => ({ type })),
  data: {},
});
const link = (id: string, linkType: 'Entry' | 'Asset') => ({ sys: { type: 'Link', linkType, id } });

/** As `contentful space export` writes it. */
export function contentfulExport(changed: { title?: string; kind?: string; without?: string[] } = {}) {
  const { title = 'Hello', kind = 'none', without = [] } = changed;
  const field = (id: string, type: string, more: object = {}) => ({
    ...{ id, name: id, type, localized: false, required: false, validations: [], disabled: false, omitted: false },
    ...more,
  });
  const sys = (id: string, more: object = {}) => ({
    ...{
      id,
      space: { sys: { id: 'space1' } },
      type: 'Entry',
      version: 4,
      publishedVersion: 3,
      publishedAt: '2024-01-02T03:04:05.000Z',
    },
    ...more,
  });
  const entry = (type: string, id: string, fields: object, more: object = {}) => ({
    sys: sys(id, { contentType: { sys: { id: type } }, ...more }),
    metadata: { tags: [] },
    fields,
  });
  return {
    locales: [
      { code: 'en-US', default: true, fallbackCode: null },
      { code: 'de', default: false, fallbackCode: 'en-US' },
    ],
    tags: [{ sys: { id: 'summer' }, name: 'Summer' }],
    editorInterfaces: [
      {
        sys: { contentType: { sys: { id: 'post' } } },
        controls: [{ fieldId: 'note' }, { fieldId: 'plain', widgetId: 'multipleLine' }],
      },
    ],
    contentTypes: [
      {
        sys: { id: 'post' },
        name: 'Post',
        displayField: 'title',
        fields: [
          field('title', 'Symbol', { required: true, localized: true, validations: [{ size: { max: 40 } }] }),
          field('slug', 'Symbol', { validations: [{ unique: true }, { regexp: { pattern: '^[a-z0-9-]+$' } }] }),
          field('body', 'RichText', { localized: true }),
          field('parts', 'RichText'),
          field('note', 'Text'),
          field('plain', 'Text'),
          field('rating', 'Number', { validations: [{ range: { min: 0, max: 5 } }] }),
          field('featured', 'Boolean'),
          field('date', 'Date'),
          field('day', 'Date'),
          field('tags', 'Array', { items: { type: 'Symbol' }, validations: [{ size: { max: 3 } }] }),
          field('kind', 'Symbol', { validations: [{ in: ['news', 'guide'] }] }),
          field('cover', 'Link', { linkType: 'Asset' }),
          field('gallery', 'Array', { items: { type: 'Link', linkType: 'Asset' } }),
          field('author', 'Link', { linkType: 'Entry', validations: [{ linkContentType: ['person'] }] }),
          field('related', 'Array', { items: { type: 'Link', linkType: 'Entry' } }),
          field('place', 'Location'),
          field('extra', 'Object'),
        ],
      },
      { sys: { id: 'person' }, name: 'Person', displayField: 'name', fields: [field('name', 'Symbol')] },
    ],
    entries: [
      entry('post', 'p1', {
        title: { 'en-US': title, de: 'Hallo' },
        slug: { 'en-US': 'hello' },
        body: {
          'en-US': {
            nodeType: 'document',
            content: [
              { nodeType: 'heading-2', content: [words('Two')] },
              paragraph(
                words('One '),
                words('bold', 'bold'),
                { nodeType: 'entry-hyperlink', data: { target: link('p2', 'Entry') }, content: [words('there')] },
                { nodeType: 'hyperlink', data: { uri: 'https://e.example' }, content: [words('out')] },
              ),
              { nodeType: 'embedded-asset-block', data: { target: link('a1', 'Asset') }, content: [] },
            ],
          },
        },
        parts: {
          'en-US': {
            nodeType: 'document',
            content: [
              paragraph(words('Before')),
              { nodeType: 'embedded-entry-block', data: { target: link('ada', 'Entry') }, content: [] },
              paragraph(words('')),
            ],
          },
        },
        note: { 'en-US': '![x](https://images.ctfassets.net/space1/a1/h/my%20cover.png)' },
        rating: { 'en-US': 4.5 },
        featured: { 'en-US': false },
        date: { 'en-US': '2026-03-01T10:00+01:00' },
        day: { 'en-US': '2026-03-01' },
        tags: { 'en-US': ['a', 'b'] },
        kind: { 'en-US': 'news' },
        cover: { 'en-US': link('a1', 'Asset') },
        gallery: { 'en-US': [link('a1', 'Asset'), link('lost', 'Asset')] },
        author: { 'en-US': link('ada', 'Entry') },
        related: { 'en-US': [link('p2', 'Entry'), link('ada', 'Entry'), link('gone', 'Entry')] },
        place: { 'en-US': { lat: 1, lon: 2 } },
        extra: { 'en-US': { a: [1] } },
      }),
      entry('post', 'p2', {
        title: { 'en-US': 'Bad' },
        kind: { 'en-US': kind },
        related: { 'en-US': [link('p1', 'Entry')] },
      }),
      entry('post', 'p3', { title: { 'en-US': 'Old' } }, { archivedVersion: 1, publishedVersion: undefined }),
      entry('post', 'p4', { title: { 'en-US': 'Changed' } }, { version: 9 }),
      entry('person', 'ada', { name: { 'en-US': 'Ada' } }),
    ].filter(({ sys: { id } }) => !without.includes(id)),
    assets: [
      {
        sys: sys('a1'),
        metadata: { tags: [link('summer', 'Entry')] },
        fields: {
          title: { 'en-US': 'Cover' },
          description: { 'en-US': 'A view', de: 'Ein Blick' },
          file: {
            'en-US': {
              url: '//images.ctfassets.net/space1/a1/h/my%20cover.png',
              ...{ fileName: 'my cover.png', contentType: 'image/png' },
            },
          },
        },
      },
      {
        sys: sys('lost'),
        fields: { file: { 'en-US': { url: '//images.ctfassets.net/space1/lost/h/lost.png', fileName: 'lost.png' } } },
      },
    ],
  };
}

/** An export of Contentful with its files. @returns its path */
export function writeContentful(folder: string, png: Buffer): string {
  writeExport(folder, 'contentful/images.ctfassets.net/space1/a1/h/my cover.png', png);
  return writeExport(folder, 'contentful/export.json', contentfulExport());
}

/** A folder of Directus with relations of every kind. @returns its path */
export function writeDirectus(folder: string, png: Buffer): string {
  const folderOf = 'directus-relations';
  const write = (path: string, content: unknown) => writeExport(folder, path, content);
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
  return join(folder, folderOf);
}

/** A folder of Payload. @returns its path */
export function writePayload(folder: string, png: Buffer): string {
  const write = (path: string, content: unknown) => writeExport(folder, path, content);
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
  return join(folder, 'payload');
}

/** What Strapi 5.48 wrote. @returns its path */
export function writeStrapi(folder: string): string {
  const path = join(folder, 'strapi');
  cpSync(join(import.meta.dirname, 'fixtures/strapi'), path, { recursive: true });
  return path;
}
