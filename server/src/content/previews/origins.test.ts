/** Where texts of previews come from: marks for click to edit, and nothing of them elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originAttributes, originOf, stripOrigins } from '@headwater/sdk/origins';
import { contentService, faultsOf } from '../test-support.ts';
import { markMarkdown } from './mark-rich-text.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const text = (id: string, more = {}) => ({ id, label: id, type: 'text', ...more });
const INVISIBLE = /[\u2060-\u2064]/;

test('texts of a preview say which entry, field and locale they come from; what programs read, and what is published, has no marks', async () => {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const previewUrl = 'https://shop.example/{slug}?preview={token}';
  const isPublic = { publishing: true, public: true, previewUrl };
  const authors = await newCollection(account, [text('name'), text('mail', { format: 'email' })], isPublic);
  const authorId = authors.split('/').at(-1) ?? '';
  const path = await newCollection(
    account,
    [
      text('title', { localized: true }),
      text('slug', { format: 'slug', slugSource: 'title' }),
      text('code'),
      text('shout', { computed: '{title}!' }),
      text('notes', { format: 'markdown' }),
      text('body', { format: 'richtext' }),
      text('tags', { repeated: true }),
      { ...text('link'), type: 'url' },
      { ...text('price'), type: 'number' },
      { ...text('state'), type: 'select', options: [{ value: 'new', label: 'New' }] },
      { ...text('seo'), type: 'group', fields: [text('title')] },
      {
        ...text('blocks', { format: 'blocks', repeated: true }),
        type: 'group',
        blocks: [{ id: 'hero', label: 'Hero', fields: [text('headline')] }],
      },
      text('author', { format: 'reference', collectionIds: [authorId] }),
    ],
    isPublic,
  );
  const id = path.split('/').at(-1) ?? '';
  const author = await createEntry(account, authors, { name: 'Ada', mail: 'ada@shop.example' });
  const values = {
    ...{ title: 'One', 'title@de': 'Eins', code: 'https://shop.example/', link: 'https://shop.example/a', price: 5 },
    ...{ notes: '# Hello\n\n```\ncode\n```', tags: ['red', 'blue'], state: 'new', seo: { title: 'Seo' } },
    body: { html: '<pre><code>first</code></pre><p>A <strong>bold</strong> text</p>' },
    ...{ blocks: [{ _block: 'hero', _id: 'row_1', headline: 'Big' }], author: author.id },
  };
  const entry = await createEntry(account, path, values);
  await ok(`POST ${authors}/entries/${author.id}/publish`, account, {});
  const { token } = await ok(`POST ${path}/entries/${entry.id}/preview`, account, {});
  const read = async (query: string, of = entry.id) => {
    const url = `GET /v1/content/${id}${of === '' ? '' : `/${of}`}?key=${account.apiKey}&expand=author&${query}`;
    return (await call(url)).body;
  };

  const plain = await read(`preview=${token}&locale=de`);
  assert.doesNotMatch(JSON.stringify(plain), INVISIBLE, 'only if it is asked for');
  const marked = await read(`preview=${token}&locale=de&origins=true`);
  assert.deepEqual(stripOrigins(marked), plain);
  assert.deepEqual(stripOrigins((await read(`preview=${token}&locale=de&origins=true`, '')).entries), [plain]);
  const at = { entryId: entry.id, collectionId: id };
  assert.deepEqual(originOf(marked.values.title), { ...at, field: 'title', locale: 'de' });
  assert.deepEqual(originOf((await read(`preview=${token}&origins=true`)).values.title), {
    ...at,
    field: 'title',
    locale: 'en',
  });
  const { values: own } = marked;
  for (const [value, field] of [
    [own.notes, 'notes'],
    [own.tags[1], 'tags.1'],
    [own.seo.title, 'seo.title'],
    [own.blocks[0].headline, 'blocks.row_1.headline'],
    [JSON.stringify(own.body), 'body'],
  ]) {
    assert.deepEqual(originOf(value), { ...at, field });
  }
  assert.deepEqual(originOf(own.author.values.name), {
    entryId: author.id,
    collectionId: authorId,
    field: 'name',
  });
  const { slug, code, shout, link, price, state } = own;
  assert.doesNotMatch(JSON.stringify([slug, code, shout, link, price, state, own.author.values.mail]), INVISIBLE);
  for (const richtext of ['html', 'markdown']) {
    const { body } = (await read(`preview=${token}&origins=true&richtext=${richtext}`)).values;
    const { body: unmarked } = (await read(`preview=${token}&richtext=${richtext}`)).values;
    assert.equal(stripOrigins(body), unmarked);
    if (richtext === 'html') {
      assert.match(body, /^<pre><code>first<\/code><\/pre><p>A[\u2060-\u2064]+ <strong>/, 'not inside code');
      assert.deepEqual(originOf(originAttributes(body)['data-headwater-origin'] ?? ''), { ...at, field: 'body' });
    }
  }

  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  assert.doesNotMatch(JSON.stringify([await read('locale=de'), await read('', '')]), INVISIBLE);
  const refused = await call(`GET /v1/content/${id}?key=${account.apiKey}&origins=true`);
  assert.deepEqual(faultsOf(refused), ['?origins preview_required']);
  // The token of one collection also marks what is published of another, and a preview of a future time marks all.
  const other = await call(`GET /v1/content/${authorId}?key=${account.apiKey}&preview=${token}&origins=true`);
  assert.equal(originOf(other.body.entries[0].values.name)?.entryId, author.id);
  const at2027 = await ok(`POST ${path}/entries/${entry.id}/preview?at=2100-01-01T00:00:00Z`, account, {});
  assert.equal(originOf((await read(`preview=${at2027.token}&origins=true`)).values.title)?.entryId, entry.id);
});

test('a mark in Markdown never becomes part of its syntax', () => {
  for (const [markdown, marked] of [
    ['\n\nText  \nmore', '\n\nText+  \nmore'],
    ['## A title', '## A title+'],
    ['- item\n- item', '- item+\n- item'],
    ['```js\ncode\n```', undefined],
    ['| a | b |\n|---|---|', undefined],
    ['[a]: https://shop.example', undefined],
    ['---\ntitle: a\n---', undefined],
    ['    code', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(markMarkdown(markdown, '+'), marked ?? markdown);
  }
});
