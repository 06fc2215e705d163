import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createDelivery, DeliveryError } from '../src/delivery.ts';

interface Request {
  url: URL;
  init: RequestInit & { headers: Record<string, string> };
}

/** A service that gives these answers, and what it was asked. */
function fake(...answers: { status?: number; body?: unknown; etag?: string }[]) {
  const requests: Request[] = [];
  const fetch = (async (url: string, init: Request['init']) => {
    requests.push({ url: new URL(url), init });
    const { status = 200, body = {}, etag } = answers[requests.length - 1] ?? {};
    return new Response(status === 304 ? null : JSON.stringify(body), { status, ...(etag && { headers: { etag } }) });
  }) as typeof globalThis.fetch;
  return { requests, fetch };
}

type Schema = { posts: { title: string; price?: number } };
const OPTIONS = { url: 'https://headwater.example/', key: 'hw_pk_x' };
const page = (titles: string[], nextPageToken: string | null = null) => ({
  entries: titles.map((title) => ({ id: title, values: { title } })),
  nextPageToken,
});

test('a query is sent as the parameters of the list', async () => {
  const { fetch, requests } = fake({ body: page(['a']) });
  const delivery = createDelivery<Schema>({ ...OPTIONS, fetch });
  await delivery.list('posts', {
    where: { title: { eq: 'a' } },
    select: ['title'],
    sort: ['title:asc'],
    total: true,
    locale: 'de',
  });
  const [{ url, init }] = requests as [Request];
  assert.equal(url.pathname, '/v1/content/posts');
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    where: '{"title":{"eq":"a"}}',
    select: 'title',
    sort: 'title:asc',
    count: 'exact',
    locale: 'de',
  });
  assert.equal(init.headers['x-api-key'], 'Bearer hw_pk_x');
});

test('a long query is sent in a body', async () => {
  const { fetch, requests } = fake({ body: page([]) });
  await createDelivery<Schema>({ ...OPTIONS, fetch }).list('posts', { where: { title: { eq: 'x'.repeat(7_000) } } });
  const [{ url, init }] = requests as [Request];
  assert.deepEqual([url.pathname, init.method], ['/v1/content/posts/query', 'POST']);
  assert.equal(JSON.parse(String(init.body)).where.title.eq.length, 7_000);
});

test('each goes through all pages, and reads none before it is needed', async () => {
  const { fetch, requests } = fake({ body: page(['a', 'b'], 'next') }, { body: page(['c']) });
  const titles: string[] = [];
  for await (const { values } of createDelivery<Schema>({ ...OPTIONS, fetch }).each('posts', { pageSize: 2 })) {
    titles.push(values.title);
    if (titles.length === 2) assert.equal(requests.length, 1);
  }
  assert.deepEqual(titles, ['a', 'b', 'c']);
  assert.equal(requests[1]?.url.searchParams.get('pageToken'), 'next');
});

test('an entry that does not exist is null; other refusals are errors with every fault', async () => {
  const problem = {
    code: 'field_unknown',
    detail: 'No.',
    errors: [{ pointer: '?select', code: 'field_unknown', detail: 'No.' }],
  };
  const { fetch } = fake({ status: 404 }, { status: 400, body: problem }, { status: 502 });
  const delivery = createDelivery<Schema>({ ...OPTIONS, fetch });
  assert.equal(await delivery.get('posts', 'a/b'), null);
  await assert.rejects(delivery.list('posts'), (error) => {
    assert.ok(error instanceof DeliveryError);
    assert.deepEqual([error.status, error.code, error.errors], [400, 'field_unknown', problem.errors]);
    return true;
  });
  await assert.rejects(delivery.get('posts', 'a'), { status: 502, code: 'http_502' });
});

test('with a cache, what has not changed is not transferred again', async () => {
  const { fetch, requests } = fake({ body: page(['a']), etag: '"1"' }, { status: 304 });
  const delivery = createDelivery<Schema>({ ...OPTIONS, fetch, cache: new Map() });
  const first = await delivery.list('posts');
  assert.deepEqual(await delivery.list('posts'), first);
  assert.deepEqual(
    requests.map(({ init }) => init.headers['if-none-match']),
    [undefined, '"1"'],
  );
});

test('a preview is neither kept nor answered from what is kept', async () => {
  const { fetch, requests } = fake(
    { body: { id: 'a' }, etag: '"1"' },
    { body: { id: 'draft' }, etag: '"2"' },
    { status: 304 },
  );
  const delivery = createDelivery<Schema>({ ...OPTIONS, fetch, cache: new Map() });
  const read = (preview?: string) => delivery.get('posts', 'a', { preview });
  assert.deepEqual([(await read())?.id, (await read('token'))?.id, (await read())?.id], ['a', 'draft', 'a']);
  assert.equal(requests[1]?.url.searchParams.get('preview'), 'token');
  assert.deepEqual(
    requests.map(({ init }) => init.headers['if-none-match']),
    [undefined, undefined, '"1"'],
  );
});

test('a path leads to its entry, to where it is now, or to nothing; redirects are read to the last page', async () => {
  const moved = [1, 2].map((i) => ({ from: `/old-${i}`, to: '/new', status: 301 }));
  const { fetch, requests } = fake(
    { body: { collection: 'posts', entry: { id: 'a' }, locale: 'de' } },
    { body: { redirectTo: '/new' } },
    { status: 404 },
    { body: { redirects: [moved[0]], nextPageToken: 'next' } },
    { body: { redirects: [moved[1]], nextPageToken: null } },
  );
  const delivery = createDelivery<Schema>({ ...OPTIONS, fetch });
  assert.equal((await delivery.resolve('/de/a', { richtext: 'html' }))?.entry?.id, 'a');
  assert.equal((await delivery.resolve('/old'))?.redirectTo, '/new');
  assert.equal(await delivery.resolve('/none'), null);
  assert.deepEqual(await delivery.redirects(), moved);
  assert.deepEqual(
    requests.map(({ url }) => url.pathname + url.search),
    [
      '/v1/content/resolve?richtext=html&path=%2Fde%2Fa',
      ...['/v1/content/resolve?path=%2Fold', '/v1/content/resolve?path=%2Fnone'],
      ...['/v1/content/redirects', '/v1/content/redirects?pageToken=next'],
    ],
  );
});

test('it has at most 4 kB, gzipped, and none of the rest of the client', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { createDelivery } from './delivery.ts';`,
      resolveDir: join(import.meta.dirname, '../src'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    tsconfigRaw: '{}',
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const size = gzipSync(code).length;
  assert.ok(size > 400 && size <= 4_000, `${size} bytes`);
});
