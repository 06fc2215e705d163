import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { seedEntries } from '../src/content/index.ts';
import { parseId, publicId } from '../src/shared/ids.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import { type BenchService, KEPT_DATA_DIR } from './service.ts';

const ENTRIES = Number(process.env.BENCH_QUERIES ?? 1_000_000);
const FEW = 20_000;
const AUTHORS = 1_000;
const BATCH = 1_000;
const TIMES = 60;

interface Ids {
  token: string;
  many: string;
  few: string;
  authors: string;
}

/** Queries of collections with 12 fields: conditions, several sort keys, aggregates, counts, joins and references. */
export async function benchQueries(service: BenchService, report: Report): Promise<void> {
  const ids = await prepared(service);
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${ids.token}` };
  const request = async (path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/cms/collections/${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { ok: response.ok, text: await response.text() };
  };
  const n = { count: { count: true } } as const;
  const group = { groupBy: ['status'], measures: { ...n, sum: { sum: 'price' } } };
  const join = { posts: { collection: ids.few, field: 'author', sort: 'price:desc', limit: 10, select: 'title' } };
  const all = `${ids.many}/entries/query`;
  const queries: [name: string, path: string, body: (i: number) => object, target: string][] = [
    ['or over two fields', all, (i) => ({ where: { or: [{ price: { eq: i } }, { stock: { eq: i } }] } }), '20 ms'],
    [
      'or over two fields that many have, sorted by a third',
      all,
      (i) => ({ where: { or: [{ status: { eq: 's1' } }, { rating: { eq: i % 100 } }] }, sort: 'day:desc' }),
      '20 ms',
    ],
    ['filter through a reference', all, (i) => ({ where: { 'author.name': { eq: `Author ${i}` } } }), '30 ms'],
    ['filter through two references', all, () => ({ where: { 'author.country.name': { eq: 'C 3' } } }), '30 ms'],
    ['three sort keys', all, () => ({ sort: 'status:asc,rating:desc,title:asc' }), '30 ms'],
    [
      'three sort keys, filtered',
      all,
      (i) => ({ where: { day: { eq: dayOf(i) } }, sort: 'status:asc,rating:desc,price:asc' }),
      '30 ms',
    ],
    ['exact count of a filtered list', all, (i) => ({ where: { rating: { eq: i % 100 } }, count: 'exact' }), '100 ms'],
    ['exact count, a fifth of all', all, (i) => ({ where: { status: { eq: `s${i % 5}` } }, count: 'exact' }), '100 ms'],
    ['group by a select, with count and sum', `${ids.many}/entries/aggregate`, () => group, '250 ms'],
    [`the same of ${FEW.toLocaleString('en')} entries`, `${ids.few}/entries/aggregate`, () => group, '15 ms'],
    ['join of 50 with 10 each', `${ids.authors}/entries/query`, () => ({ join, pageSize: 50 }), '15 ms'],
  ];
  const wanted = process.env.BENCH_QUERY;
  for (const [name, path, bodyOf, target] of queries) {
    if (wanted && !name.includes(wanted)) continue;
    const { text } = await request(path, { ...bodyOf(1), explain: true });
    const times: number[] = [];
    let failed = 0;
    for (let i = 0; i < 5; i++) await request(path, bodyOf(i));
    const before = service.cpu();
    for (let i = 0; i < TIMES; i++) {
      const start = performance.now();
      const { ok } = await request(path, bodyOf(i));
      times.push(performance.now() - start);
      if (!ok) failed++;
    }
    const after = service.cpu();
    const cpu = ((after.service - before.service + after.postgres - before.postgres) / TIMES) * 1_000;
    times.sort((a, b) => a - b);
    const at = (share: number) => `${times[Math.floor(share * TIMES)]?.toFixed(1)} ms`;
    const result = `p50 ${at(0.5)}, p95 ${at(0.95)}, ${cpu.toFixed(1)} ms of processor time; ${explained(text)}`;
    report.row(`${name}, ${ENTRIES.toLocaleString('en')} entries`, { result, target, failed });
  }
}

function explained(text: string): string {
  const { explain } = JSON.parse(text) as { explain?: { strategies: string[]; statements: { indexes: string[] }[] } };
  if (!explain) return text.slice(0, 200);
  const indexes = new Set(explain.statements.flatMap((statement) => statement.indexes));
  return `${explain.strategies.at(-1)}: ${[...indexes].join(', ')}`;
}

const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 1_000))).toISOString().slice(0, 10);

/** The collections, made once for a data folder that is kept. */
async function prepared(service: BenchService): Promise<Ids> {
  const kept = join(service.dataDir, 'bench-queries.json');
  if (KEPT_DATA_DIR && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Ids;
  const { token } = service;
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${token}` };
  const create = async (name: string, fields: object[]) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/cms/collections`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, fields }),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { id: string }).id;
  };
  const field = (id: string, type: string, more: object = {}) => ({ id, label: id, type, ...more });
  const reference = (id: string) => ({ format: 'reference', collectionIds: [id] });
  const countries = await create('Countries', [field('name', 'text')]);
  const authors = await create('Authors', [field('name', 'text'), field('country', 'text', reference(countries))]);
  const options = Array.from({ length: 5 }, (_, i) => ({ value: `s${i}`, label: `s${i}` }));
  const fields = [
    field('title', 'text'),
    field('body', 'text'),
    field('category', 'text'),
    field('sku', 'text'),
    field('tags', 'text', { repeated: true }),
    field('price', 'number'),
    field('stock', 'number'),
    field('rating', 'number'),
    field('live', 'boolean'),
    field('day', 'date'),
    field('status', 'select', { options }),
    field('author', 'text', reference(authors)),
  ];
  const [many, few] = [await create('Posts', fields), await create('Few', fields)];
  const sql = await service.sql();
  const seed = (collection: string, count: number, valuesOf: (i: number) => Record<string, unknown>) =>
    seedAll(sql, uuidOf(service.accountId), parseId('col', collection) ?? '', count, valuesOf);
  const countryIds = await seed(countries, 20, (i) => ({ name: `C ${i}` }));
  const authorIds = await seed(authors, AUTHORS, (i) => ({ name: `Author ${i}`, country: countryIds[i % 20] }));
  const valuesOf = (i: number) => ({
    title: `Article ${(i * 7_919) % 1_000_003} about ${WORDS[i % WORDS.length]}`,
    body: `A few words about ${WORDS[(i * 3) % WORDS.length]} and ${WORDS[(i * 11) % WORDS.length]}.`,
    category: `Category ${(i * 31) % 100}`,
    sku: `SKU-${i}`,
    tags: [`t${i % 50}`, `u${i % 7}`],
    price: (i * 7_907) % 10_000,
    stock: (i * 104_729) % 10_000,
    rating: (i * 13) % 100,
    live: i % 3 > 0,
    day: dayOf(i * 17),
    status: `s${(i * 3) % 5}`,
    author: authorIds[(i * 37) % AUTHORS],
  });
  await seed(few, FEW, valuesOf);
  await seed(many, ENTRIES, valuesOf);
  await sql.query('vacuum analyze entries, entry_index, entry_texts');
  await sql.end();
  const ids: Ids = { token, many, few, authors };
  if (KEPT_DATA_DIR) writeFileSync(kept, JSON.stringify(ids));
  return ids;
}

const WORDS = ['jasmine', 'cedar', 'amber', 'oil', 'water', 'serum', 'paper', 'glass', 'stone', 'wool', 'linen'];

async function seedAll(
  sql: pg.Client,
  account: string,
  collection: string,
  count: number,
  valuesOf: (i: number) => Record<string, unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    const entries = Array.from({ length: size }, (_, i) => ({
      values: valuesOf(from + i),
      createdAt: 1.75e12 + from + i,
    }));
    for (const { id } of await seedEntries(sql, account, collection, entries)) ids.push(publicId('ent', id));
  }
  return ids;
}
