import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { seedEntries } from '../src/content/index.ts';
import { parseId } from '../src/shared/ids.ts';
import { httpRequest, type LoadResult, load } from './load.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import { type BenchService, startProgram } from './service.ts';

const SIZES = (process.env.BENCH_ENTRIES ?? '10000,1000000').split(',').map(Number);
const WORDS = 'amber basil cedar delta ember fjord glade harbor indigo jasper kelp lumen maple nectar onyx pearl'.split(
  ' ',
);

const SCHEMA = {
  fields: [
    { id: 'title', label: 'Title', type: 'text', required: true },
    { id: 'body', label: 'Body', type: 'text' },
    { id: 'price', label: 'Price', type: 'number' },
    { id: 'rating', label: 'Rating', type: 'number' },
    { id: 'live', label: 'Live', type: 'boolean' },
    { id: 'day', label: 'Day', type: 'date' },
    { id: 'at', label: 'At', type: 'timestamp' },
    { id: 'link', label: 'Link', type: 'url' },
    {
      id: 'theme',
      label: 'Theme',
      type: 'select',
      options: Array.from({ length: 8 }, (_, i) => ({ value: `theme-${i}`, label: `Theme ${i}` })),
    },
  ],
};

const random = (below: number) => Math.floor(Math.random() * below);
const words = (count: number) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');

function valuesOf(i: number): Record<string, unknown> {
  return {
    title: `${words(2)} ${i}`,
    body: words(20),
    price: random(100_000) / 100,
    rating: random(100),
    live: i % 2 === 0,
    day: new Date(1.6e12 + random(1e11)).toISOString().slice(0, 10),
    at: new Date(1.6e12 + random(1e11)).toISOString(),
    link: `https://shop.example/${i}`,
    theme: `theme-${random(8)}`,
  };
}

/** Listings that use the index in different ways. */
const LISTINGS: Record<string, () => string> = {
  'in order of creation': () => '',
  'sorted by number': () => 'sort=price:asc',
  'sorted by text, descending': () => 'sort=title:desc',
  'sorted by time': () => 'sort=at:asc',
  'filtered by select': () => `filter[theme][eq]=theme-${random(8)}`,
  'filtered by number range': () => `filter[price][gte]=${random(900)}`,
  'filtered by number, sorted by time': () => `filter[rating][eq]=${random(100)}&sort=at:desc`,
  'filtered by select and boolean, sorted by number': () =>
    `filter[theme][eq]=theme-${random(8)}&filter[live][eq]=true&sort=price:asc`,
  'searched by word': () => `q=${WORDS[random(WORDS.length)]}`,
  'searched by a word of one entry': () => `q=${1000 + random(8000)}`,
};

/** Lists, gets, creates, updates and removes entries of a collection of ten thousand and one of a million. */
export async function benchEntries(service: BenchService, report: Report): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const base = `http://127.0.0.1:${service.port}/v1/cms/collections`;
  const sql = await service.sql();
  const paths: string[] = [];
  const ids: string[][] = [];
  for (const size of SIZES) {
    const body = JSON.stringify({ name: `${size} entries`, ...SCHEMA });
    const { id } = (await (await fetch(base, { method: 'POST', headers, body })).json()) as { id: string };
    await seed(sql, uuidOf(service.accountId), id, size);
    paths.push(`/v1/cms/collections/${id}/entries`);
  }
  await sql.query('vacuum analyze entries, entry_index, entry_texts');

  const get = (path: string) => httpRequest('GET', encodeURI(path), headers);
  const measure = (requests: string[], connections: number, seconds: number) =>
    load({ port: service.port, requests, connections, seconds, warmUpSeconds: 1 });
  const labels = SIZES.map((size) => size.toLocaleString('en'));

  for (const [name, query] of Object.entries(LISTINGS)) {
    const medians: number[] = [];
    let failed = 0;
    for (const path of paths) {
      const requests = Array.from({ length: 200 }, () => get(`${path}?${query()}`));
      const result = await measure(requests, 1, 3);
      medians.push(result.p50);
      failed += result.failed;
    }
    const [small = 0, large = 0] = medians;
    report.row(`list 50, ${name}, 1 connection`, {
      result: `median ${large.toFixed(2)} ms at ${labels[1]}`,
      limit: `${small.toFixed(2)} ms at ${labels[0]}`,
      ratio: large / small,
      target: '1.5 ms; ratio at most 1.50',
      failed,
    });
  }
  for (const [i, path] of paths.entries()) {
    const page = (await (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).json()) as {
      entries: { id: string }[];
    };
    ids[i] = page.entries.map((entry) => entry.id);
    const collection = parseId('col', path.split('/').at(-2) ?? '') ?? '';
    const bare = await startProgram('bare-reader.ts', service.dataDir, uuidOf(service.accountId), collection);
    const uuids = page.entries.map(({ id }) => parseId('ent', id));
    const reads: [string, string[], string[], string][] = [
      ['list 50, the same', [get(path)], [get('/')], '0.80'],
      ['list 50, each another', ...(await pagesOf(service.port, path, headers)), '0.80'],
      ['get', (ids[i] ?? []).map((id) => get(`${path}/${id}`)), uuids.map((id) => get(`/?id=${id}`)), '0.70'],
    ];
    for (const [name, requests, bareRequests, target] of reads) {
      const limit = await load({
        port: bare.port,
        requests: bareRequests,
        connections: 32,
        seconds: 5,
        warmUpSeconds: 1,
      });
      const result = await measure(requests, 32, 5);
      report.row(`${name}, 32 connections, ${labels[i]} entries`, {
        result: perSecond(result),
        limit: `bare Node and pg ${perSecond(limit)}`,
        ratio: result.perSecond / limit.perSecond,
        target,
        failed: result.failed + limit.failed,
      });
    }
    bare.stop();
    const one = await measure(
      (ids[i] ?? []).map((id) => get(`${path}/${id}`)),
      1,
      3,
    );
    report.row(`get, 1 connection, ${labels[i]} entries`, {
      result: `median ${one.p50.toFixed(2)} ms`,
      failed: one.failed,
    });
    const flush = medianFlush(service.dataDir);
    const creates = Array.from({ length: 500 }, (_, n) =>
      httpRequest('POST', path, headers, JSON.stringify({ values: valuesOf(n) })),
    );
    const created = await measure(creates, 1, 3);
    report.row(`create, 1 connection, ${labels[i]} entries`, {
      result: `median ${created.p50.toFixed(2)} ms`,
      limit: `flush ${flush.toFixed(2)} ms`,
      target: '3 ms beyond the flush',
      failed: created.failed,
    });
    const updates = Array.from({ length: 500 }, (_, n) =>
      httpRequest(
        'PATCH',
        `${path}/${ids[i]?.[n % 50]}`,
        headers,
        JSON.stringify({ values: { price: random(1000), body: words(20) } }),
      ),
    );
    const updated = await measure(updates, 1, 3);
    report.row(`update, 1 connection, ${labels[i]} entries`, {
      result: `median ${updated.p50.toFixed(2)} ms`,
      failed: updated.failed,
    });
    for (const [name, requests] of [['create', creates] as const, ['update', updates] as const]) {
      const written = await measure(requests, 32, 5);
      const target = name === 'create' ? '4,500/s' : '3,500/s';
      report.row(`${name}, 32 connections, ${labels[i]} entries`, {
        result: perSecond(written),
        target,
        failed: written.failed,
      });
    }
  }
  await benchSubscribed(service, report, paths[0] ?? '', ids[0] ?? []);
  const [path = '', other = path] = paths.toReversed();
  await benchRemoval(service, report, { sql, path, size: SIZES.at(-1) ?? 0, other });
  await sql.end();
}

/** Requests of the first pages of a collection. */
/** Requests for the first pages: of the service, and of the bare reader. */
async function pagesOf(port: number, path: string, headers: Record<string, string>): Promise<[string[], string[]]> {
  const requests: string[] = [];
  const bare = [httpRequest('GET', '/', headers)];
  for (let url = path; requests.length < 40; ) {
    requests.push(httpRequest('GET', url, headers));
    const page = await (await fetch(`http://127.0.0.1:${port}${url}`, { headers })).json();
    const { entries, nextPageToken } = page as { entries: { id: string }[]; nextPageToken: string | null };
    if (nextPageToken === null) break;
    bare.push(httpRequest('GET', `/?after=${parseId('ent', entries.at(-1)?.id ?? '')}`, headers));
    url = `${path}?pageToken=${encodeURIComponent(nextPageToken)}`;
  }
  return [requests, bare.slice(0, requests.length)];
}

/** Writes of entries that webhooks are told of, with history. */
async function benchSubscribed(service: BenchService, report: Report, path: string, ids: string[]): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const receiver = await startProgram('receiver.ts');
  const endpoint = { url: `http://127.0.0.1:${receiver.port}/`, events: ['entry.created', 'entry.updated'] };
  const created = await fetch(`http://127.0.0.1:${service.port}/v1/webhooks`, {
    method: 'POST',
    headers,
    body: JSON.stringify(endpoint),
  });
  if (created.status !== 200) throw new Error(`the endpoint was not created: ${await created.text()}`);
  const body = (i: number) => JSON.stringify({ values: valuesOf(i) });
  const creates = Array.from({ length: 500 }, (_, i) => httpRequest('POST', path, headers, body(i)));
  const updates = ids.map((id, i) => httpRequest('PATCH', `${path}/${id}`, headers, body(i)));
  for (const [name, requests] of [['create', creates] as const, ['update', updates] as const]) {
    const plan = { port: service.port, requests, connections: 32, seconds: 5, warmUpSeconds: 1 };
    const written = await load(plan);
    report.row(`${name}, 32 connections, with history and webhooks`, {
      result: perSecond(written),
      target: '3,500/s',
      failed: written.failed,
    });
  }
  receiver.stop();
}

function perSecond({ perSecond, p50, p99 }: LoadResult): string {
  return `${Math.round(perSecond)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** Permanently deletes a collection while another one is listed. */
async function benchRemoval(
  service: BenchService,
  report: Report,
  { sql, path, size, other }: { sql: pg.Client; path: string; size: number; other: string },
): Promise<void> {
  const headers = { 'x-api-key': `Bearer ${service.token}` };
  const remove = (query: string) =>
    fetch(`http://127.0.0.1:${service.port}${path.replace('/entries', '')}${query}`, { method: 'DELETE', headers });
  await remove('');
  await remove('?permanently=true');
  const start = performance.now();
  const requests = [httpRequest('GET', other, headers)];
  const listed = await load({ port: service.port, requests, connections: 1, seconds: 5, warmUpSeconds: 0 });
  while ((await sql.query('select from collections where purging')).rows.length > 0) await setTimeout(50);
  const seconds = (performance.now() - start) / 1000;
  report.row(`permanently delete a collection of ${size.toLocaleString('en')}`, {
    result: `${seconds.toFixed(1)} s, ${Math.round(size / seconds)} entries/s; another one listed meanwhile: p50 ${listed.p50.toFixed(2)} ms, p99 ${listed.p99.toFixed(1)} ms`,
    failed: listed.failed,
  });
}

/** Inserts entries in batches of a thousand, one per millisecond, so that their IDs and times agree. */
async function seed(sql: pg.Client, account: string, publicId: string, size: number): Promise<void> {
  const collection = parseId('col', publicId) ?? '';
  for (let from = 0; from < size; from += 1000) {
    const batch = Array.from({ length: Math.min(1000, size - from) }, (_, i) => from + i);
    await seedEntries(
      sql,
      account,
      collection,
      batch.map((i) => ({ values: valuesOf(i) as never, createdAt: 1.75e12 + i })),
    );
  }
}

/** The median time in milliseconds that the disk takes to flush a page. No durable write is faster. */
function medianFlush(folder: string): number {
  const file = openSync(join(folder, 'flush.tmp'), 'w');
  const times = Array.from({ length: 200 }, (_, i) => {
    writeSync(file, Buffer.alloc(8192, 1), 0, 8192, i * 8192);
    const start = performance.now();
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return times.sort((a, b) => a - b)[100] ?? Number.NaN;
}
