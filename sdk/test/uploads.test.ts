// Slow: a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { HeadwaterError, type ResumableUploadOptions, uploadResumable } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { noiseImage } from '../../server/src/media/test-media.ts';
import type { Account } from '../../server/test/harness.ts';
import { browser } from '../../tracker/test/browser.ts';
import { listeningService } from './service.ts';

const service = await listeningService();
const tusUrl = `${service.url}/files/tus`;
const bytes = await noiseImage(300, 200).png().toBuffer();
const ROOT = join(import.meta.dirname, '../..');
const SCRIPTS: Record<string, string> = {
  '/tus.js': join(ROOT, 'node_modules/tus-js-client/dist/tus.min.js'),
  '/sdk.js': join(ROOT, 'sdk/dist/index.js'),
};

/** The token with which an app's proxy uploads. */
let proxyToken = '';
const seen: string[] = [];

/** An app with a page, and a proxy for uploads under `/api/tus`. */
const app = createServer((request, response) => {
  const { url = '/', method = '', headers } = request;
  const script = SCRIPTS[url];
  if (script) return response.setHeader('content-type', 'text/javascript').end(readFileSync(script));
  if (!url.startsWith('/api/tus')) {
    return response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/tus.js"></script>');
  }
  seen.push(`${method} ${url}`);
  const path = url.replace('/api/tus', '/files/tus');
  const sent = forward(`${service.url}${path}`, {
    method,
    headers: { ...headers, 'x-api-key': `Bearer ${proxyToken}` },
  });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  return request.pipe(sent);
});
app.listen(0, '127.0.0.1');
await once(app, 'listening');
const appUrl = `http://shop.test:${(app.address() as AddressInfo).port}`;
const context = await browser.newContext();
after(async () => {
  await context.close();
  app.closeAllConnections();
  app.close();
});

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(appUrl);
  return page;
}

interface Outcome {
  url?: string | null;
  status?: number;
  body: string;
}

/** Uploads with tus-js-client in a page. */
function uploadInPage(page: Page, options: { endpoint: string; headers?: object; uploadLengthDeferred?: boolean }) {
  return page.evaluate(
    ({ base64, options }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const file = new File([content], 'Füße.png', { type: 'image/png' });
      // biome-ignore lint/suspicious/noExplicitAny: the script of the page
      const { tus } = globalThis as any;
      return new Promise<Outcome>((resolve) => {
        const upload = new tus.Upload(file, {
          ...options,
          chunkSize: 50_000,
          retryDelays: null,
          metadata: { filename: file.name, filetype: file.type },
          // biome-ignore lint/suspicious/noExplicitAny: as above
          onSuccess: ({ lastResponse }: any) => resolve({ url: upload.url, body: lastResponse.getBody() }),
          // biome-ignore lint/suspicious/noExplicitAny: as above
          onError: ({ originalResponse }: any) =>
            resolve({ status: originalResponse?.getStatus(), body: String(originalResponse?.getBody()) }),
        });
        upload.start();
      });
    },
    { base64: bytes.toString('base64'), options },
  );
}

const tokenOf = (account: Account, body: object = {}) => service.clientOf(account).createUploadToken(body);
const contentOf = async (url: string) => (await service.app.inject(new URL(url).pathname)).rawPayload;

test('a page uploads with tus-js-client and an upload token, and reads why it is refused', async () => {
  const account = await service.newAccount();
  const page = await openPage();
  const { token, assetId } = await tokenOf(account, { origin: appUrl, contentTypes: ['image/*'] });
  const headers = { authorization: `Bearer ${token}` };
  const done = await uploadInPage(page, { endpoint: tusUrl, headers });
  const asset = JSON.parse(done.body);
  assert.deepEqual([asset.assetId, asset.name, done.url], [assetId, 'Füße.png', `${tusUrl}/${assetId}`]);
  assert.ok((await contentOf(asset.url)).equals(bytes));

  const again = await uploadInPage(page, { endpoint: tusUrl, headers });
  assert.deepEqual([again.status, JSON.parse(again.body).code], [401, 'upload_token_used']);
  const elsewhere = await tokenOf(account, { origin: 'https://other.example' });
  const refused = await uploadInPage(page, {
    endpoint: tusUrl,
    headers: { authorization: `Bearer ${elsewhere.token}` },
  });
  assert.deepEqual([refused.status, JSON.parse(refused.body).code], [401, 'origin_not_allowed']);
  // A page cannot read what is said to a secret token.
  const secret = await uploadInPage(page, { endpoint: tusUrl, headers: { authorization: `Bearer ${account.token}` } });
  assert.equal(secret.status, undefined);
});

test('a page uploads with tus-js-client whose length is not known, and through a proxy of its app', async () => {
  const account = await service.newAccount();
  const page = await openPage();
  const { token } = await tokenOf(account);
  const headers = { authorization: `Bearer ${token}` };
  const deferred = await uploadInPage(page, { endpoint: tusUrl, headers, uploadLengthDeferred: true });
  assert.ok((await contentOf(JSON.parse(deferred.body).url)).equals(bytes));

  proxyToken = account.token;
  seen.length = 0;
  const done = await uploadInPage(page, { endpoint: `${appUrl}/api/tus` });
  const asset = JSON.parse(done.body);
  assert.equal(done.url, `${appUrl}/api/tus/${asset.assetId}`, 'all requests pass the proxy');
  assert.equal(seen[0], 'POST /api/tus');
  assert.deepEqual([...new Set(seen.slice(1))], [`PATCH /api/tus/${asset.assetId}`]);
  assert.ok((await contentOf(asset.url)).equals(bytes));
});

test('a page uploads with the SDK and an upload token', async () => {
  const account = await service.newAccount();
  const page = await openPage();
  const { token, assetId } = await tokenOf(account, { origin: appUrl });
  const result = await page.evaluate(
    async ({ base64, url, token }) => {
      const { uploadResumable } = await import('/sdk.js' as string);
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const shares: number[] = [];
      const asset = await uploadResumable(new File([content], 'photo.png', { type: 'image/png' }), {
        ...{ url, token, chunkBytes: 50_000 },
        onProgress: (share: number) => shares.push(share),
      });
      return { asset, shares };
    },
    { base64: bytes.toString('base64'), url: tusUrl, token },
  );
  assert.deepEqual([result.asset.assetId, result.asset.name], [assetId, 'photo.png']);
  assert.ok(result.shares.length > 2 && result.shares.at(-1) === 1, String(result.shares));
  assert.deepEqual(
    result.shares,
    result.shares.toSorted((a: number, b: number) => a - b),
  );
});

const FAST: ResumableUploadOptions['retry'] = { attempts: 3 };

test('an upload goes on where it stopped, after lost requests and responses', async () => {
  const account = await service.newAccount();
  const { token } = await tokenOf(account);
  const sent: string[] = [];
  let count = 0;
  /** Loses the response of some requests, and others before they are sent. */
  const unreliable: typeof fetch = async (url, init) => {
    sent.push(init?.method ?? '');
    const n = ++count;
    if (n === 2) throw new TypeError('fetch failed');
    const response = await fetch(url, init);
    // The first PATCH that arrives, and that with the last bytes.
    if (n === 4 || response.status === 200) {
      if (init?.method === 'PATCH' && !lost.has(n === 4 ? 'first' : 'last')) {
        lost.add(n === 4 ? 'first' : 'last');
        throw new TypeError('fetch failed');
      }
    }
    return response;
  };
  const lost = new Set<string>();
  const options = { url: tusUrl, token, chunkBytes: 100_000, retry: FAST, fetch: unreliable };
  const asset = await uploadResumable(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), {
    ...options,
    name: 'b.png',
  });
  assert.deepEqual([...lost], ['first', 'last']);
  assert.ok(sent.includes('HEAD'));
  assert.equal(asset.name, 'b.png');
  assert.ok((await contentOf(asset.url)).equals(bytes));
});

test('an upload is continued by its URL, and one that is refused is not repeated', async () => {
  const account = await service.newAccount();
  const { token } = await tokenOf(account);
  const file = new Blob([new Uint8Array(bytes)]);
  const controller = new AbortController();
  let uploadUrl: string | undefined;
  const first = uploadResumable(file, {
    ...{ url: tusUrl, token, chunkBytes: 60_000, signal: controller.signal },
    onUploadUrl: (url) => {
      uploadUrl = url;
    },
    onProgress: () => controller.abort(new Error('closed')),
  });
  await assert.rejects(first, /closed/);
  assert.ok(uploadUrl);
  const methods: string[] = [];
  const counted: typeof fetch = (url, init) => {
    methods.push(init?.method ?? '');
    return fetch(url, init);
  };
  const asset = await uploadResumable(file, { url: tusUrl, token, uploadUrl, fetch: counted });
  assert.deepEqual(methods, ['HEAD', 'PATCH']);
  assert.ok((await contentOf(asset.url)).equals(bytes));

  methods.length = 0;
  const again = uploadResumable(file, { url: tusUrl, token, fetch: counted });
  await assert.rejects(again, (error) => {
    assert.ok(error instanceof HeadwaterError);
    assert.deepEqual([error.status, error.code], [401, 'upload_token_used']);
    return true;
  });
  assert.deepEqual(methods, ['POST']);
});
