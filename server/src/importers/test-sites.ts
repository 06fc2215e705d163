import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// A site with the same content in the formats of several systems, as their own exporters write them.

export interface Post {
  n: number;
  title: string;
  german: string | undefined;
  rating: number;
  reads: number;
  isFeatured: boolean;
  day: string;
  moment: string;
  kind: 'news' | 'guide';
  author: number;
  related: number[];
  cover: number | undefined;
  gallery: number[];
  /** The post that its text links to, and the file that it shows. */
  body: { text: string; link: number; image: number };
  quotes: { text: string; person: number }[];
  isPublished: boolean;
  /** The title of what is edited since it was published. */
  draftTitle: string | undefined;
}

export interface Site {
  people: number;
  files: Buffer[];
  posts: Post[];
}

/** @param random between 0 and 1 */
export function makeSite(posts: number, people: number, files: Buffer[], random: () => number): Site {
  const below = (n: number) => Math.floor(random() * n);
  const some = (n: number, most: number) => [...new Set(Array.from({ length: below(most + 1) }, () => below(n)))];
  const make = (_: unknown, n: number): Post => {
    const isPublished = random() < 0.7;
    return {
      n,
      title: `Post ${n} „${below(1000)}“ <&>`,
      german: random() < 0.6 ? `Beitrag ${n}` : undefined,
      rating: below(50) / 10,
      reads: below(2 ** 40),
      isFeatured: random() < 0.5,
      day: `2024-0${1 + below(9)}-1${below(10)}`,
      moment: `2024-0${1 + below(9)}-1${below(10)}T0${below(10)}:00:00.000Z`,
      kind: random() < 0.5 ? 'news' : 'guide',
      author: below(people),
      related: some(posts, 4),
      cover: random() < 0.7 ? below(files.length) : undefined,
      gallery: some(files.length, 3),
      body: { text: `Text ${n} & more`, link: below(posts), image: below(files.length) },
      quotes: Array.from({ length: below(3) }, (_, i) => ({ text: `Quote ${n}.${i}`, person: below(people) })),
      isPublished,
      draftTitle: isPublished && random() < 0.3 ? `Edited ${n}` : undefined,
    };
  };
  return { people, files, posts: Array.from({ length: posts }, make) };
}

/** An export once more: rows have other numbers, and another order. */
export interface Again {
  offset: number;
  shuffle<T>(items: T[]): T[];
}

export const FIRST: Again = { offset: 0, shuffle: (items) => items };

/** The ids of an entry or file there, in every export. */
export const idOf = (what: 'post' | 'person' | 'file', n: number): string =>
  `${{ post: '10000000', person: '20000000', file: '30000000' }[what]}-0000-4000-8000-${String(n).padStart(12, '0')}`;

function writer(folder: string) {
  return (path: string, content: unknown) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, isText ? content : JSON.stringify(content));
  };
}

export function writeStrapi5(folder: string, { people, files, posts }: Site, { offset, shuffle }: Again): void {
  const write = writer(folder);
  const lines = (items: object[]) => items.map((each) => JSON.stringify(each)).join('\n');
  const [person, post, file] = ['api::person.person', 'api::post.post', 'plugin::upload.file'];
  const i18n = (localized: boolean) => ({ pluginOptions: { i18n: { localized } } });
  const shared = i18n(false);
  const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target, ...shared });
  write(
    'schemas/schemas_00001.jsonl',
    lines([
      {
        ...{
          uid: person,
          modelType: 'contentType',
          kind: 'collectionType',
          info: { singularName: 'person', displayName: 'Person' },
        },
        ...{ options: { draftAndPublish: false }, attributes: { name: { type: 'string', unique: true } } },
      },
      {
        ...{
          uid: post,
          modelType: 'contentType',
          kind: 'collectionType',
          info: { singularName: 'post', displayName: 'Post' },
        },
        ...{ options: { draftAndPublish: true }, ...i18n(true) },
        attributes: {
          title: { type: 'string', required: true, ...i18n(true) },
          rating: { type: 'decimal', min: 0, max: 5, ...shared },
          reads: { type: 'biginteger', ...shared },
          featured: { type: 'boolean', ...shared },
          day: { type: 'date', ...shared },
          moment: { type: 'datetime', ...shared },
          kind: { type: 'enumeration', enum: ['news', 'guide'], ...shared },
          author: relation('manyToOne', person),
          related: { ...relation('manyToMany', post), inversedBy: 'relatedFrom' },
          relatedFrom: { ...relation('manyToMany', post), mappedBy: 'related' },
          cover: { type: 'media', multiple: false, ...shared },
          gallery: { type: 'media', multiple: true, ...shared },
          body: { type: 'blocks', ...shared },
          note: { type: 'richtext', ...shared },
          quotes: { type: 'dynamiczone', components: ['blocks.quote'], ...shared },
        },
      },
      {
        ...{ uid: 'blocks.quote', modelType: 'component', info: { displayName: 'Quote' } },
        attributes: { text: { type: 'text' }, person: { type: 'relation', relation: 'oneToOne', target: person } },
      },
      { uid: file, modelType: 'contentType', info: {}, attributes: {} },
    ]),
  );
  const entities: object[] = [];
  const links: object[] = [];
  const row = {
    post: new Map<string, number>(),
    person: (n: number) => offset + n + 1,
    file: (n: number) => offset + n + 1,
  };
  let next = offset;
  const versions = posts.flatMap((each) =>
    (each.isPublished ? ['draft', 'published'] : ['draft']).flatMap((state) =>
      (each.german === undefined ? ['en'] : ['en', 'de']).map((locale) => ({ each, state, locale })),
    ),
  );
  for (const { each, state, locale } of shuffle(versions)) row.post.set(`${each.n} ${state} ${locale}`, ++next);
  for (let n = 0; n < people; n++) {
    entities.push({ type: person, id: row.person(n), data: { documentId: idOf('person', n), name: `Person ${n}` } });
  }
  for (const [n, content] of files.entries()) {
    write(`assets/uploads/file_${n}.png`, content);
    const data = {
      documentId: idOf('file', n),
      hash: `file_${n}`,
      ext: '.png',
      name: `file ${n}.png`,
      alternativeText: `File ${n}`,
    };
    entities.push({ type: file, id: row.file(n), data });
  }
  const media = (n: number, type: string, ref: number, field: string, pos = 1) =>
    links.push({
      kind: 'relation.morph',
      left: { type: file, field: 'related', ref: row.file(n) },
      right: { type, ref, field, pos },
    });
  for (const { each, state, locale } of versions) {
    const id = row.post.get(`${each.n} ${state} ${locale}`) ?? 0;
    const title = locale === 'de' ? each.german : state === 'draft' ? (each.draftTitle ?? each.title) : each.title;
    const text = (value: string) => ({ type: 'text', text: value });
    const image = { url: `https://cms.example/uploads/file_${each.body.image}.png`, alternativeText: '' };
    entities.push({
      ...{ type: post, id },
      data: {
        ...{
          id,
          documentId: idOf('post', each.n),
          locale,
          title,
          publishedAt: state === 'published' ? each.moment : null,
        },
        ...{ rating: each.rating, reads: String(each.reads), featured: each.isFeatured, day: each.day },
        ...{ moment: each.moment, kind: each.kind, note: `![x](/uploads/small_file_${each.body.image}.png)` },
        body: [
          { type: 'paragraph', children: [text(each.body.text)] },
          { type: 'image', image, children: [text('')] },
        ],
        quotes: each.quotes.map((quote, i) => ({ __component: 'blocks.quote', id: id * 10 + i, text: quote.text })),
      },
    });
    links.push({
      kind: 'relation.basic',
      left: { type: post, ref: id, field: 'author' },
      right: { type: person, ref: row.person(each.author) },
    });
    const related = each.related.map((to, pos) => {
      const target = posts[to];
      const version = state === 'published' && target?.isPublished ? 'published' : 'draft';
      const right = { type: post, ref: row.post.get(`${to} ${version} en`), field: 'relatedFrom' };
      return { kind: 'relation.circular', left: { type: post, ref: id, field: 'related', pos: pos + 1 }, right };
    });
    links.push(...related);
    if (each.cover !== undefined) media(each.cover, post, id, 'cover');
    for (const [pos, n] of each.gallery.entries()) media(n, post, id, 'gallery', pos + 1);
    for (const [i, { person: n }] of each.quotes.entries()) {
      const left = { type: 'blocks.quote', ref: id * 10 + i, field: 'person' };
      links.push({ kind: 'relation.basic', left, right: { type: person, ref: row.person(n) } });
    }
  }
  write('entities/entities_00001.jsonl', lines(shuffle(entities)));
  write('links/links_00001.jsonl', lines(shuffle(links)));
}

export function writeContentful(folder: string, { people, files, posts }: Site, { shuffle }: Again): void {
  const write = writer(folder);
  const localized = (value: unknown) => (value === undefined ? undefined : { en: value });
  const link = (linkType: string, id: string) => ({ sys: { type: 'Link', linkType, id } });
  const field = (id: string, type: string, more: object = {}) => ({
    id,
    name: id,
    type,
    localized: false,
    required: false,
    ...more,
  });
  const sys = (id: string, isPublished = true, more: object = {}) => ({
    ...{ id, space: { sys: { id: 'site' } }, version: 2, ...(isPublished && { publishedVersion: 1 }) },
    ...more,
  });
  const of = (type: string) => ({ contentType: { sys: { id: type } } });
  const entryList = { type: 'Array', items: { type: 'Link', linkType: 'Entry' } };
  const contentTypes = [
    {
      sys: { id: 'person' },
      name: 'Person',
      displayField: 'name',
      fields: [field('name', 'Symbol', { validations: [{ unique: true }] })],
    },
    {
      ...{ sys: { id: 'post' }, name: 'Post', displayField: 'title' },
      fields: [
        field('title', 'Symbol', { localized: true, required: true }),
        field('rating', 'Number', { validations: [{ range: { min: 0, max: 5 } }] }),
        ...[field('reads', 'Integer'), field('featured', 'Boolean'), field('day', 'Date'), field('moment', 'Date')],
        field('kind', 'Symbol', { validations: [{ in: ['news', 'guide'] }] }),
        field('author', 'Link', { linkType: 'Entry', validations: [{ linkContentType: ['person'] }] }),
        ...[field('related', 'Array', entryList), field('cover', 'Link', { linkType: 'Asset' })],
        field('gallery', 'Array', { items: { type: 'Link', linkType: 'Asset' } }),
        ...[field('body', 'RichText'), field('note', 'Text')],
      ],
    },
  ];
  const url = (n: number) => `//images.ctfassets.net/site/f${n}/h/file%20${n}.png`;
  const node = (nodeType: string, content: object[], data: object = {}) => ({ nodeType, content, data });
  const text = (value: string) => ({ nodeType: 'text', value, marks: [], data: {} });
  const entries = [
    ...Array.from({ length: people }, (_, n) => ({
      sys: sys(idOf('person', n), true, of('person')),
      fields: { name: localized(`Person ${n}`) },
    })),
    ...posts.map((each) => ({
      sys: sys(idOf('post', each.n), each.isPublished, of('post')),
      fields: {
        title: { en: each.title, ...(each.german !== undefined && { de: each.german }) },
        ...{ rating: localized(each.rating), reads: localized(each.reads), featured: localized(each.isFeatured) },
        ...{ day: localized(each.day), moment: localized(each.moment), kind: localized(each.kind) },
        author: localized(link('Entry', idOf('person', each.author))),
        related: localized(each.related.map((n) => link('Entry', idOf('post', n)))),
        cover: localized(each.cover === undefined ? undefined : link('Asset', idOf('file', each.cover))),
        gallery: localized(each.gallery.map((n) => link('Asset', idOf('file', n)))),
        body: localized(
          node('document', [
            node('paragraph', [
              text(each.body.text),
              node('entry-hyperlink', [text('link')], { target: link('Entry', idOf('post', each.body.link)) }),
            ]),
            node('embedded-asset-block', [], { target: link('Asset', idOf('file', each.body.image)) }),
          ]),
        ),
        note: localized(`![x](https:${url(each.body.image)})`),
      },
    })),
  ];
  const assets = files.map((content, n) => {
    write(`images.ctfassets.net/site/f${n}/h/file ${n}.png`, content);
    const file = { url: url(n), fileName: `file ${n}.png`, contentType: 'image/png' };
    return { sys: sys(idOf('file', n)), fields: { description: localized(`File ${n}`), file: localized(file) } };
  });
  const locales = [{ code: 'en', default: true }, { code: 'de' }];
  write('export.json', { locales, contentTypes, entries: shuffle(entries), assets: shuffle(assets) });
}

export function writeDirectus(folder: string, { people, files, posts }: Site, { offset, shuffle }: Again): void {
  const write = writer(folder);
  const field = (collection: string, name: string, type: string, meta: object = {}, schema: object = {}) => ({
    ...{ collection, field: name, type, meta, schema: { is_primary_key: name === 'id', ...schema } },
  });
  const alias = (name: string, special: string) => field('posts', name, 'alias', { special: [special] });
  const relation = (collection: string, name: string, related_collection: string | null, meta: object = {}) => ({
    ...{ collection, field: name, related_collection, meta },
  });
  const joins = ['posts_posts', 'posts_files', 'posts_quotes', 'posts_translations'];
  const choices = (values: string[]) => ({
    interface: 'select-dropdown',
    options: { choices: values.map((value) => ({ text: value, value })) },
  });
  write('snapshot.json', {
    directus: '12.4.0',
    collections: [
      {
        collection: 'posts',
        schema: {},
        meta: { archive_field: 'status', archive_value: 'archived', unarchive_value: 'draft', sort_field: 'sort' },
      },
      ...['people', 'quotes', ...joins].map((collection) => ({ collection, schema: {}, meta: {} })),
    ],
    fields: [
      ...[field('posts', 'id', 'uuid'), field('posts', 'sort', 'integer')],
      field('posts', 'status', 'string', choices(['published', 'draft', 'archived'])),
      ...[
        field('posts', 'rating', 'float'),
        field('posts', 'reads', 'bigInteger'),
        field('posts', 'featured', 'boolean'),
      ],
      ...[
        field('posts', 'day', 'date'),
        field('posts', 'moment', 'dateTime'),
        field('posts', 'kind', 'string', choices(['news', 'guide'])),
      ],
      ...[field('posts', 'author', 'uuid', { special: ['m2o'] }), alias('related', 'm2m'), alias('quotes', 'm2a')],
      ...[
        field('posts', 'cover', 'uuid', { special: ['file'] }),
        alias('gallery', 'files'),
        alias('translations', 'translations'),
      ],
      ...[
        field('posts', 'body', 'text', { interface: 'input-rich-text-html' }),
        field('posts', 'note', 'text', { interface: 'input-rich-text-md' }),
      ],
      ...[field('people', 'id', 'uuid'), field('people', 'name', 'string', {}, { is_unique: true })],
      ...[
        field('quotes', 'id', 'integer'),
        field('quotes', 'text', 'text'),
        field('quotes', 'person', 'uuid', { special: ['m2o'] }),
      ],
      ...['id', 'from_id', 'to_id', 'sort'].map((name) => field('posts_posts', name, 'integer')),
      ...['id', 'posts_id', 'directus_files_id', 'sort'].map((name) => field('posts_files', name, 'integer')),
      ...['id', 'posts_id', 'item', 'collection', 'sort'].map((name) => field('posts_quotes', name, 'string')),
      ...['id', 'posts_id', 'languages_code', 'title'].map((name) => field('posts_translations', name, 'string')),
    ],
    relations: [
      relation('posts', 'author', 'people'),
      relation('posts', 'cover', 'directus_files'),
      relation('quotes', 'person', 'people'),
      relation('posts_posts', 'from_id', 'posts', {
        one_field: 'related',
        junction_field: 'to_id',
        sort_field: 'sort',
      }),
      relation('posts_posts', 'to_id', 'posts'),
      relation('posts_files', 'posts_id', 'posts', {
        one_field: 'gallery',
        junction_field: 'directus_files_id',
        sort_field: 'sort',
      }),
      relation('posts_files', 'directus_files_id', 'directus_files'),
      relation('posts_quotes', 'posts_id', 'posts', {
        one_field: 'quotes',
        junction_field: 'item',
        sort_field: 'sort',
      }),
      relation('posts_quotes', 'item', null, {
        one_collection_field: 'collection',
        one_allowed_collections: ['quotes', 'people'],
      }),
      relation('posts_translations', 'posts_id', 'posts', {
        one_field: 'translations',
        junction_field: 'languages_code',
      }),
      relation('posts_translations', 'languages_code', 'languages'),
    ],
  });
  let row = offset;
  const rows: Record<string, object[]> = { people: [], quotes: [], posts: [], directus_files: [] };
  for (const join of joins) rows[join] = [];
  const add = (to: string, item: object) => rows[to]?.push(item);
  for (let n = 0; n < people; n++) add('people', { id: idOf('person', n), name: `Person ${n}` });
  for (const [n, content] of files.entries()) {
    write(`uploads/${idOf('file', n)}.png`, content);
    add('directus_files', {
      ...{
        id: idOf('file', n),
        filename_disk: `${idOf('file', n)}.png`,
        filename_download: `file ${n}.png`,
        description: `File ${n}`,
      },
    });
  }
  for (const each of posts) {
    const id = idOf('post', each.n);
    const image = `https://cms.example/assets/${idOf('file', each.body.image)}?width=300`;
    add('posts', {
      ...{
        id,
        sort: each.n,
        status: each.isPublished ? 'published' : 'draft',
        rating: each.rating,
        reads: String(each.reads),
      },
      ...{ featured: each.isFeatured, day: each.day, moment: each.moment.slice(0, 19), kind: each.kind },
      ...{ author: idOf('person', each.author), cover: each.cover === undefined ? null : idOf('file', each.cover) },
      ...{
        body: `<p>${each.body.text.replace('&', '&amp;')}</p><p><img src="${image}" alt=""></p>`,
        note: `![x](${image})`,
      },
    });
    for (const [sort, n] of each.related.entries())
      add('posts_posts', { id: ++row, from_id: id, to_id: idOf('post', n), sort });
    for (const [sort, n] of each.gallery.entries()) {
      add('posts_files', { id: ++row, posts_id: id, directus_files_id: idOf('file', n), sort });
    }
    for (const [sort, { text, person }] of each.quotes.entries()) {
      const item = each.n * 10 + sort;
      add('quotes', { id: item, text, person: idOf('person', person) });
      add('posts_quotes', { id: ++row, posts_id: id, item: String(item), collection: 'quotes', sort });
    }
    add('posts_translations', { id: ++row, posts_id: id, languages_code: 'en-US', title: each.title });
    if (each.german !== undefined)
      add('posts_translations', { id: ++row, posts_id: id, languages_code: 'de-DE', title: each.german });
  }
  for (const [name, all] of Object.entries(rows)) write(`${name}.json`, shuffle(all));
}

export function writePayload(folder: string, { people, files, posts }: Site, { shuffle }: Again): void {
  const write = writer(folder);
  const text = (value: string) => ({ type: 'text', text: value, format: 0 });
  const relationship = (name: string, relationTo: string, hasMany = false) => ({
    type: 'relationship',
    name,
    relationTo,
    hasMany,
  });
  write('config.json', {
    localization: { defaultLocale: 'en', locales: [{ code: 'en' }, { code: 'de' }] },
    collections: [
      { slug: 'people', labels: { plural: 'People' }, fields: [{ type: 'text', name: 'name', unique: true }] },
      { slug: 'media', upload: true, fields: [{ type: 'text', name: 'alt' }] },
      {
        ...{ slug: 'posts', labels: { plural: 'Posts' }, versions: { drafts: true }, admin: { useAsTitle: 'title' } },
        fields: [
          { type: 'text', name: 'title', required: true, localized: true },
          ...[
            { type: 'number', name: 'rating', min: 0, max: 5 },
            { type: 'number', name: 'reads' },
          ],
          ...[
            { type: 'checkbox', name: 'featured' },
            { type: 'text', name: 'day' },
            { type: 'date', name: 'moment' },
          ],
          { type: 'select', name: 'kind', options: ['news', 'guide'] },
          ...[relationship('author', 'people'), relationship('related', 'posts', true)],
          ...[
            { type: 'upload', name: 'cover', relationTo: 'media' },
            { type: 'upload', name: 'gallery', relationTo: 'media', hasMany: true },
          ],
          { type: 'richText', name: 'body' },
          {
            type: 'blocks',
            name: 'quotes',
            blocks: [{ slug: 'quote', fields: [{ type: 'text', name: 'text' }, relationship('person', 'people')] }],
          },
        ],
      },
    ],
  });
  const all = (state: 'published' | 'draft') =>
    posts.map((each) => ({
      ...{ id: idOf('post', each.n), _status: each.isPublished && state === 'published' ? 'published' : 'draft' },
      title: {
        en: state === 'draft' ? (each.draftTitle ?? each.title) : each.title,
        ...(each.german !== undefined && { de: each.german }),
      },
      ...{
        rating: each.rating,
        reads: each.reads,
        featured: each.isFeatured,
        day: each.day,
        moment: each.moment,
        kind: each.kind,
      },
      ...{ author: idOf('person', each.author), related: each.related.map((n) => idOf('post', n)) },
      ...(each.cover !== undefined && { cover: idOf('file', each.cover) }),
      gallery: each.gallery.map((n) => idOf('file', n)),
      body: {
        root: {
          type: 'root',
          children: [
            {
              type: 'paragraph',
              children: [
                text(each.body.text),
                {
                  ...{ type: 'link', children: [text('link')] },
                  fields: { linkType: 'internal', doc: { relationTo: 'posts', value: idOf('post', each.body.link) } },
                },
              ],
            },
            { type: 'upload', relationTo: 'media', value: idOf('file', each.body.image) },
          ],
        },
      },
      quotes: each.quotes.map((quote) => ({
        blockType: 'quote',
        text: quote.text,
        person: idOf('person', quote.person),
      })),
    }));
  write('posts.json', { docs: shuffle(all('published')) });
  write('posts.drafts.json', { docs: shuffle(all('draft').filter((_, i) => posts[i]?.isPublished)) });
  write('people.json', {
    docs: Array.from({ length: people }, (_, n) => ({ id: idOf('person', n), name: `Person ${n}` })),
  });
  write('media.json', {
    docs: files.map((_, n) => ({ id: idOf('file', n), filename: `file ${n}.png`, alt: `File ${n}` })),
  });
  for (const [n, content] of files.entries()) write(`media/file ${n}.png`, content);
}
