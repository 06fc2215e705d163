/** Links to entries in rich text: kept as references, with their usages, and returned with the URLs of the entries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentService, faultsOf } from '../test-support.ts';

const service = await contentService();
const { call, ok, newAccount, newCollection, createEntry } = service;

const text = (id: string, more = {}) => ({ id, label: id, type: 'text', ...more });
const slug = text('slug', { format: 'slug', slugSource: 'title' });
const linkTo = (id: string) => ({ html: `<p>See <a href="entry:${id}">this one</a>.</p>` });

async function setup(more = {}) {
  const account = await newAccount();
  await ok('PUT /v1/cms/locales', account, { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const isPublic = { publishing: true, public: true, previewUrl: 'https://shop.example/{slug}?preview={token}' };
  const title = text('title', { localized: true });
  const pages = await newCollection(account, [title, { ...slug, localized: true }], {
    ...isPublic,
    urlPattern: '/{locale}/pages/{slug}',
  });
  const idOf = (path: string) => path.split('/').at(-1) ?? '';
  const body = text('body', { format: 'richtext', collectionIds: [idOf(pages)], ...more });
  const posts = await newCollection(account, [text('title'), body], isPublic);
  const page = await createEntry(account, pages, { title: 'Our shop', 'title@de': 'Unser Laden' });
  const post = await createEntry(account, posts, { title: 'Post', body: linkTo(page.id) });
  const publish = (path: string, id: string, action = 'publish') =>
    ok(`POST ${path}/entries/${id}/${action}`, account, {});
  await publish(posts, post.id);
  const read = async (query: string) =>
    (await ok(`GET /v1/content/${idOf(posts)}/${post.id}?key=${account.apiKey}&${query}`, account)).values.body;
  return { account, pages, posts, page, post, publish, read, idOf };
}

test('a link to an entry has its URL in the locale of the request, in HTML, Markdown and trees, and is a text while the entry is not public', async () => {
  const { account, pages, posts, page, post, publish, read, idOf } = await setup();
  assert.equal(await read('richtext=html'), '<p>See this one.</p>');
  await publish(pages, page.id);
  const html = (path: string) => `<p>See <a href="${path}" data-entry="${page.id}">this one</a>.</p>`;
  assert.equal(await read('richtext=html'), html('/en/pages/our-shop'));
  assert.equal(await read('richtext=html&locale=de'), html('/de/pages/unser-laden'));
  assert.equal(await read('richtext=markdown'), 'See [this one](/en/pages/our-shop).');
  const [, linked] = (await read('')).content[0].content;
  assert.deepEqual(linked.marks, [
    { type: 'link', attrs: { href: '/en/pages/our-shop', title: null, entryId: page.id } },
  ]);
  const list = await ok(`GET /v1/content/${idOf(posts)}?key=${account.apiKey}&richtext=html`, account);
  assert.equal(list.entries[0].values.body, html('/en/pages/our-shop'));
  // As it is stored, it names the entry.
  const { values } = await ok(`GET ${posts}/entries/${post.id}`, account);
  assert.equal(values.body.content[0].content[1].marks[0].attrs.href, `entry:${page.id}`);

  // A changed slug is seen at once, though the response was cached.
  await ok(`PATCH ${pages}/entries/${page.id}`, account, { values: { slug: 'the-shop' } });
  assert.equal(await read('richtext=html'), html('/en/pages/our-shop'));
  const { token } = await ok(`POST ${posts}/entries/${post.id}/preview`, account, {});
  assert.equal(await read(`richtext=html&preview=${token}`), html('/en/pages/the-shop'), 'a preview shows drafts');
  await publish(pages, page.id);
  assert.equal(await read('richtext=html'), html('/en/pages/the-shop'));
  await ok(`PATCH ${pages}`, account, { urlPattern: null });
  assert.equal(await read('richtext=html'), `<p>See <a data-entry="${page.id}">this one</a>.</p>`);
  assert.equal(await read('richtext=markdown'), 'See this one.');
  await publish(pages, page.id, 'unpublish');
  assert.equal(await read('richtext=html'), '<p>See this one.</p>');
});

test('a linked entry is used by the text, cannot be deleted if that is refused, and the text counts once', async () => {
  const { account, pages, posts, page, post, idOf } = await setup({ onDelete: 'refuse' });
  const { usages } = await ok(`GET ${pages}/entries/${page.id}/usages`, account);
  assert.deepEqual(usages, [{ entryId: post.id, collectionId: idOf(posts), title: 'Post', fields: ['body'] }]);
  const deleted = () => call(`DELETE ${pages}/entries/${page.id}`, { as: account });
  assert.deepEqual(faultsOf(await deleted()), [' entry_referenced']);
  const other = await createEntry(account, posts, { title: 'Empty' });
  const found = async (is: boolean) =>
    (await ok(`GET ${posts}/entries?filter[body][exists]=${is}&count=exact`, account)).entries.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual([await found(true), await found(false)], [[post.id], [other.id]]);

  const write = (body: unknown) =>
    call(`PATCH ${posts}/entries/${other.id}`, { as: account, body: { values: { body } } });
  assert.deepEqual(faultsOf(await write(linkTo('ent_none'))), ['/values/body reference_unknown']);
  assert.deepEqual(faultsOf(await write(linkTo(post.id))), ['/values/body reference_not_allowed']);
  assert.deepEqual(faultsOf(await write({ markdown: '[a](entry:x)' })), ['/values/body richtext_invalid']);

  // What is not protected can be deleted, and the text that links to it can be written.
  const fields = (await ok(`GET ${posts}`, account)).fields.map((field: { id: string }) =>
    field.id === 'body' ? { ...field, onDelete: 'keep' } : field,
  );
  await ok(`PATCH ${posts}`, account, { fields });
  assert.equal((await deleted()).status, 200);
  const body = { markdown: `**Now** [this](entry:${page.id})` };
  await ok(`PATCH ${posts}/entries/${post.id}`, account, { values: { body } });
  assert.deepEqual(faultsOf(await write(body)), ['/values/body reference_unknown']);
  await ok(`PATCH ${posts}/entries/${post.id}`, account, { values: { body: { markdown: 'Nothing' } } });
  assert.deepEqual(
    (await ok(`GET ${pages}/entries/${page.id}/usages?includeDeleted=true`, account)).usages.map(
      ({ fields }: { fields: string[] }) => fields,
    ),
    [['body']],
    'what is published links to it',
  );
});
