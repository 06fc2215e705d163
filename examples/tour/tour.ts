/**
 * A tour of the API against a running service: `npm start` in one terminal, `npm run tour` in another.
 *
 * It creates content with an image, records a visit from an ad and an event with an email, reports a sale by its click id,
 * restates it, and exports it.
 *
 * BASE_URL   the URL of the service (http://localhost:3000)
 * TOKEN      a secret token; without one, the tour creates an account, which needs the service's DATA_DIR
 * API_KEY    the publishable key of the same account
 */
import { execFileSync } from 'node:child_process';
import { crc32, deflateSync } from 'node:zlib';

const BASE_URL = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;

interface Keys {
  token: string;
  apiKey: string;
}

function keys(): Keys {
  const { TOKEN: token, API_KEY: apiKey } = process.env;
  if (token && apiKey) return { token, apiKey };
  const created = execFileSync('npx', ['headwater', 'accounts', 'create', 'Tour', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(created);
}

const { token, apiKey } = keys();

/** Calls the service, and throws unless it responds with 200. */
async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: {
      'x-api-key': `Bearer ${token}`,
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

function print(title: string, value: unknown): void {
  console.log(`\n\u001b[1m${title}\u001b[0m\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`);
}

/** Creates a PNG of one color. */
function createImage(width: number, height: number, [red, green, blue]: [number, number, number]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red, green, blue]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const form = new FormData();
form.append('file', new Blob([new Uint8Array(createImage(640, 360, [24, 119, 242]))]), 'hero.png');
const asset = await call<{ assetId: string; url: string; type: string }>('POST', '/v1/files/upload', form);
print('Upload an image: its type and size are detected from its content', asset);

const collection = await call<{ id: string; fields: unknown[] }>('POST', '/v1/cms/collections', {
  name: 'Landing pages',
  displayFieldId: 'headline',
  defaultSort: { fieldId: 'priority', direction: 'desc' },
  fields: [
    { id: 'headline', label: 'Headline', type: 'text', required: true },
    { id: 'hero', label: 'Hero', type: 'asset' },
    { id: 'priority', label: 'Priority', type: 'number' },
    {
      id: 'theme',
      label: 'Theme',
      type: 'select',
      options: [
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ],
    },
    { id: 'faq', label: 'FAQ', type: 'group', repeated: true, fields: [{ id: 'q', label: 'Question', type: 'text' }] },
  ],
});
const entries = `/v1/cms/collections/${collection.id}/entries`;
const entry = await call<{ id: string; values: { hero: { url: string } } }>('POST', entries, {
  values: {
    headline: 'Summer sale',
    hero: { assetId: asset.assetId },
    priority: 10,
    theme: 'light',
    faq: [{ q: 'Until when?' }],
  },
});
print('Create an entry with the image', entry);

const served = await fetch(entry.values.hero.url);
print(
  'The URL of the image works in a browser',
  `${served.status} ${served.headers.get('content-type')}, ${(await served.bytes()).length} bytes`,
);

const listed = await call<{ entries: unknown[] }>(
  'GET',
  `${entries}?filter[priority][gte]=5&sort=headline:asc&q=summer`,
);
print('Filter, sort and search entries', `${listed.entries.length} found`);

const clickId = `EAIaIQobChMI-${Date.now()}`;
const visit = await call<{ sessionHash: string; shortSessionHash: string; visitorId: string }>('POST', '/v1/visits', {
  api_key: apiKey,
  url: `https://shop.example/summer?utm_source=google&utm_medium=cpc&utm_campaign=summer&gclid=${clickId}`,
  referrer: 'https://www.google.com/',
  title: 'Summer sale',
});
print('Record a visit from an ad', visit);

const event = await call('POST', '/v1/events', {
  api_key: apiKey,
  event: 'newsletter_signed_up',
  properties: { email: 'ann@example.com', funnel_id: 'summer', sessionHash: visit.sessionHash },
});
print('Record an event with an email, which creates a lead', event);

const eventId = `order-${Date.now()}`;
const report = (item: Record<string, unknown>) => call('POST', '/v1/analytics/report-conversion', item);
print(
  'Report a sale from the back end, by its click id',
  await report({ gclid: clickId, eventId, value: 129.9, currency: 'EUR' }),
);
print(
  'Restate its value after a partial refund, by its eventId',
  await report({ gclid: clickId, eventId, value: '64.95', currency: 'EUR' }),
);
print(
  'Report a batch: each item has its own result',
  await call('POST', '/v1/analytics/report-conversion', [
    { sessionHash: visit.sessionHash, value: 10, currency: 'EUR', event: 'upsell' },
    { gclid: 'an-unknown-click', value: 5 },
    { value: 5 },
  ]),
);

interface Overview {
  current: { visits: number; conversions: number };
}
const today = new Date().toISOString().slice(0, 10);
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
let overview: Overview;
do {
  await new Promise((resolve) => setTimeout(resolve, 250));
  overview = await call<Overview>('GET', `/v1/analytics/overview?from=${today}&to=${tomorrow}`);
} while (overview.current.visits === 0 || overview.current.conversions === 0);
print('The overview counts the visit and its sales, some seconds after they arrived', overview.current);

interface Job {
  id: string;
  status: string;
  result: { url: string; rows: number } | null;
  error: unknown;
}
let job = await call<Job>('POST', '/v1/analytics/export', { dataset: 'conversions', format: 'csv' });
for (const deadline = Date.now() + 60_000; job.status === 'queued' || job.status === 'running'; ) {
  if (Date.now() > deadline) throw new Error('The export did not finish in time.');
  await new Promise((resolve) => setTimeout(resolve, 100));
  job = await call<Job>('GET', `/v1/jobs/get-by-id?id=${job.id}`);
}
if (!job.result) throw new Error(`The export ended with status ${job.status}: ${JSON.stringify(job.error)}`);
print('Export conversions', job);
print('The export contains the sale, with its session and ad', await (await fetch(job.result.url)).text());
