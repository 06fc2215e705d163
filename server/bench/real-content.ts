import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const CONNECTIONS = 32;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = 2;
const BATCH = 1_000;
const BATCHES = 8;
const NUMBER = '00000000';

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
const IMAGE = { id: 'image', label: 'image', type: 'asset' };
const SLUG = text('slug', { format: 'slug', slugSource: 'title' });
const LOREM = 'A few words about the page that people write and change. '.repeat(3);

/** A kind of collection, and the least part of the speed of plain text fields that creating, reading and updating its entries has. */
interface Kind {
  name: string;
  fields: object[];
  settings?: object;
  values?: object;
  targets: [create: string, get: string, update: string];
}

/**
 * Collections as people make them against one of plain text fields, in turns. What counts is the processor time of the service and its
 * database per request, which other work on the machine changes less than the requests per second.
 */
export async function benchRealContent(service: BenchService, report: Report): Promise<void> {
  const headers = { 'x-api-key': `Bearer ${service.token}` };
  const json = { ...headers, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: json,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string; entries: { id: string }[] };
  };
  const assetId = await uploadImage(service.port, headers);
  await call('PUT', '/v1/cms/locales', { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const authors = await call('POST', '/v1/cms/collections', { name: 'Authors', fields: [text('name')] });
  const author = await call('POST', `/v1/cms/collections/${authors.id}/entries`, { values: { name: 'Ada' } });

  const AUTHOR = text('author', { format: 'reference', collectionIds: [authors.id] });
  const image = { image: { assetId } };
  const kinds: Kind[] = [
    { name: 'plain', fields: [text('more')], values: { more: LOREM }, targets: ['', '', ''] },
    { name: 'with an image', fields: [IMAGE], values: image, targets: ['0.70', '0.90', '0.70'] },
    { name: 'with a slug', fields: [SLUG], targets: ['0.70', '0.90', '0.70'] },
    { name: 'with a reference', fields: [AUTHOR], values: { author: author.id }, targets: ['0.80', '0.90', '0.70'] },
    {
      name: 'image, slug, reference, two locales, publishing',
      fields: [IMAGE, SLUG, AUTHOR],
      settings: { publishing: true },
      values: { ...image, author: author.id, 'title@de': LOREM },
      targets: ['0.50', '0.90', '0.70'],
    },
  ];
  const made = [];
  for (const kind of kinds) {
    const localized = kind.settings !== undefined;
    const plain = Array.from({ length: 6 }, (_, i) => text(`text${i}`));
    const fields = [text('title', { localized, required: true }), ...plain, ...kind.fields];
    const { id } = await call('POST', '/v1/cms/collections', { name: kind.name, fields, ...kind.settings });
    const path = `/v1/cms/collections/${id}/entries`;
    const texts = Object.fromEntries(plain.map((field) => [field.id, LOREM]));
    made.push({ ...kind, id, path, values: { ...texts, ...kind.values }, ids: [] as string[], used: newUse() });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { path, values, ids, used } of made) {
      const body = JSON.stringify({ values: { ...values, title: `Page ${round} ${NUMBER}` } });
      used.create.push(await measure(service, [httpRequest('POST', path, json, body)], NUMBER));
      if (ids.length === 0) {
        const page = await fetch(`http://127.0.0.1:${service.port}${path}?pageSize=100`, { headers });
        ids.push(...((await page.json()) as { entries: { id: string }[] }).entries.map(({ id }) => id));
      }
      const gets = ids.map((id) => httpRequest('GET', `${path}/${id}`, headers));
      used.get.push(await measure(service, gets));
      const change = JSON.stringify({ values: { text0: `changed ${NUMBER}` } });
      const updates = ids.map((id) => httpRequest('PATCH', `${path}/${id}`, json, change));
      used.update.push(await measure(service, updates, NUMBER));
    }
  }
  const [plain] = made;
  for (const { name, targets, used } of made) {
    for (const [i, what] of (['create', 'get', 'update'] as const).entries()) {
      const [own, other] = [leastOf(used[what]), leastOf(plain?.used[what] ?? [])];
      const failed = used[what].reduce((sum, each) => sum + each.failed, 0);
      const result = `${(own.service * 1e3).toFixed(2)} + ${(own.postgres * 1e3).toFixed(2)} ms of processor time`;
      const total = (use: Use) => use.service + use.postgres;
      const ratio = total(other) / total(own);
      report.row(`${what}, ${name}`, { result, ratio, target: targets[i] ?? '', failed });
    }
  }
  for (const { name, id, values } of made) {
    const create = (n: number) => ({ op: 'create', collection: id, values: { ...values, title: `Batch ${n}` } });
    const uses: Use[] = [];
    const times: number[] = [];
    for (let batch = 0; batch <= BATCHES; batch++) {
      const operations = Array.from({ length: BATCH }, (_, i) => create(batch * BATCH + i));
      const [before, start] = [service.cpu(), performance.now()];
      await call('POST', '/v1/cms/batch', { operations });
      times.push(performance.now() - start);
      uses.push({ ...usedSince(service, before, 1), failed: 0 });
    }
    // The first one plans its statements.
    const { service: own, postgres } = leastOf(uses.slice(1));
    const perSecond = Math.round((BATCH * 1e3) / Math.min(...times)).toLocaleString('en');
    const result = `${(own * 1e3).toFixed(0)} + ${(postgres * 1e3).toFixed(0)} ms of processor time, at most ${perSecond}/s`;
    report.row(`batch of 1,000 creates, ${name}`, { result, target: '15,000/s' });
  }
}

/** Seconds of processor time per request. */
interface Use {
  service: number;
  postgres: number;
  failed: number;
}

const newUse = () => ({ create: [] as Use[], get: [] as Use[], update: [] as Use[] });

async function measure(service: BenchService, requests: string[], unique?: string): Promise<Use> {
  const plan = { port: service.port, requests, connections: CONNECTIONS, ...(unique && { unique }) };
  await load({ ...plan, seconds: 0.5, warmUpSeconds: 0 });
  const before = service.cpu();
  const { perSecond, failed } = await load({ ...plan, seconds: SECONDS, warmUpSeconds: 0 });
  return { ...usedSince(service, before, perSecond * SECONDS), failed };
}

function usedSince(service: BenchService, before: ReturnType<BenchService['cpu']>, count: number): Omit<Use, 'failed'> {
  const after = service.cpu();
  return {
    service: (after.service - before.service) / count,
    postgres: (after.postgres - before.postgres) / count,
  };
}

/** The lowest, which other work disturbs least. */
function leastOf(uses: readonly Use[]): Use {
  const [least] = uses.toSorted((a, b) => a.service + a.postgres - b.service - b.postgres);
  return least ?? { service: Number.NaN, postgres: Number.NaN, failed: 0 };
}

/** An image of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function uploadImage(port: number, headers: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'image.png');
  const response = await fetch(`http://127.0.0.1:${port}/v1/files/upload`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { assetId: string }).assetId;
}
