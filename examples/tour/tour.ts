/**
 * The whole journey, against a running service: `npm start` in one terminal, `npm run tour` in another.
 *
 * Content with a picture goes in and comes out; a visit from an ad is recorded, and an event with an e-mail; a back end
 * reports the sale with nothing but the click id, restates it, and finds it in an export.
 *
 * BASE_URL   where the service is (http://localhost:3000)
 * TOKEN      a secret token; without one the tour makes an account of its own, which needs the service's DATA_DIR
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
  const made = execFileSync('npx', ['headwater', 'accounts', 'create', 'Tour', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(made);
}

const { token, apiKey } = keys();

/** Calls the service and fails loudly: the answers are what the tour is about. */
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
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

function say(title: string, value: unknown): void {
  console.log(`\n\u001b[1m${title}\u001b[0m\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`);
}

/** A PNG of one colour: a real picture, without a library. */
function picture(width: number, height: number, [red, green, blue]: [number, number, number]): Buffer {
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
form.append('file', new Blob([new Uint8Array(picture(640, 360, [24, 119, 242]))]), 'hero.png');
const asset = await call<{ assetId: string; url: string; type: string }>('POST', '/v1/files/upload', form);
say('A picture is uploaded: told by its bytes, measured, stored', asset);

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
say('An entry with that picture comes back whole', entry);

const served = await fetch(entry.values.hero.url);
say(
  '…and its address works in a browser',
  `${served.status} ${served.headers.get('content-type')}, ${(await served.bytes()).length} bytes`,
);

const listed = await call<{ entries: unknown[] }>(
  'GET',
  `${entries}?filter[priority][gte]=5&sort=headline:asc&q=summer`,
);
say('Entries are filtered, sorted and searched', `${listed.entries.length} found`);

const clickId = `EAIaIQobChMI-${Date.now()}`;
const visit = await call<{ sessionHash: string; shortSessionHash: string; visitorId: string }>('POST', '/v1/visits', {
  api_key: apiKey,
  url: `https://shop.example/summer?utm_source=google&utm_medium=cpc&utm_campaign=summer&gclid=${clickId}`,
  referrer: 'https://www.google.com/',
  title: 'Summer sale',
});
say('A visitor lands from an ad', visit);

const event = await call('POST', '/v1/events', {
  api_key: apiKey,
  event: 'newsletter_signed_up',
  properties: { email: 'ann@example.com', funnel_id: 'summer', sessionHash: visit.sessionHash },
});
say('…and leaves an e-mail: an event, and a lead', event);

const eventId = `order-${Date.now()}`;
const report = (item: Record<string, unknown>) => call('POST', '/v1/analytics/report-conversion', item);
say(
  'Weeks later the back end reports the sale, with the click id it kept',
  await report({ gclid: clickId, eventId, value: 129.9, currency: 'EUR' }),
);
say(
  'Half is returned: the same eventId restates the value',
  await report({ gclid: clickId, eventId, value: '64.95', currency: 'EUR' }),
);
say(
  'A batch answers item by item',
  await call('POST', '/v1/analytics/report-conversion', [
    { sessionHash: visit.sessionHash, value: 10, currency: 'EUR', event: 'upsell' },
    { gclid: 'a-click-nobody-saw', value: 5 },
    { value: 5 },
  ]),
);

interface Job {
  id: string;
  status: string;
  result: { url: string; rows: number } | null;
  error: unknown;
}
let job = await call<Job>('POST', '/v1/analytics/export', { dataset: 'conversions', format: 'csv' });
for (const deadline = Date.now() + 60_000; job.status === 'queued' || job.status === 'running'; ) {
  if (Date.now() > deadline) throw new Error('the export takes too long');
  await new Promise((resolve) => setTimeout(resolve, 100));
  job = await call<Job>('GET', `/v1/jobs/get-by-id?id=${job.id}`);
}
if (!job.result) throw new Error(`the export ended as ${job.status}: ${JSON.stringify(job.error)}`);
say('An export is ready', job);
say('…and holds the sale, with the visit and the ad it came from', await (await fetch(job.result.url)).text());
