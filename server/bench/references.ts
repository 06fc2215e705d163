import type pg from 'pg';
import { seedEntries } from '../src/content/index.ts';
import { parseId, publicId } from '../src/shared/ids.ts';
import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const ENTRIES = Number(process.env.BENCH_REFERENCES ?? 1_000_000);
const BATCH = 1_000;

/** Reads entries of a large collection that reference each other, with references expanded. */
export async function benchReferences(service: BenchService, report: Report): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const base = `http://127.0.0.1:${service.port}/v1/cms/collections`;
  const request = async (method: string, path: string, body: unknown) => {
    const response = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };
  const field = (id: string, more: object = {}) => ({ id, label: id, type: 'text', ...more });
  const { id } = await request('POST', '', { name: 'Articles', fields: [field('title'), field('body')] });
  const reference = { format: 'reference', collectionIds: [id] };
  const fields = [field('author', reference), field('related', { ...reference, repeated: true })];
  await request('PATCH', `/${id}`, { fields });
  const sql = await service.sql();
  const ids = await seed(sql, uuidOf(service.accountId), parseId('col', id) ?? '');
  await sql.query('vacuum analyze entries, entry_index, entry_texts');
  await sql.end();

  const one = () => ids[Math.floor(Math.random() * ids.length)];
  const path = `/v1/cms/collections/${id}/entries`;
  const reads: [name: string, url: () => string, target: string][] = [
    ['get', () => `${path}/${one()}`, ''],
    ['get, expanded by one level', () => `${path}/${one()}?expand=author,related`, '5 ms'],
    ['get, expanded by two levels', () => `${path}/${one()}?expand=author.author,related.related`, '5 ms'],
    ['get, expanded by three levels', () => `${path}/${one()}?expand=author.author.author`, ''],
    ['list of 50', () => `${path}?sort=createdAt:desc`, ''],
    ['list of 50 with 100 expanded entries', () => `${path}?sort=createdAt:desc&expand=author.author`, '5 ms'],
    ['list of 50 with 600 expanded entries', () => `${path}?sort=createdAt:desc&expand=related.related`, ''],
    ['usages of an entry', () => `${path}/${one()}/usages`, '5 ms'],
  ];
  for (const [name, url, target] of reads) {
    const requests = Array.from({ length: 500 }, () => httpRequest('GET', encodeURI(url()), headers));
    const plan = { port: service.port, requests, connections: 1, seconds: 4, warmUpSeconds: 1 };
    const { p50, p99, failed } = await load(plan);
    const result = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`;
    report.row(`${name}, ${ENTRIES.toLocaleString('en')} entries, 1 connection`, { result, target, failed });
  }
}

/** Entries that reference earlier ones. Returns their IDs. */
async function seed(sql: pg.Client, account: string, collection: string): Promise<string[]> {
  const ids: string[] = [];
  const one = () => ids[Math.floor(Math.random() * ids.length)];
  for (let from = 0; from < ENTRIES; from += BATCH) {
    const values = Array.from({ length: Math.min(BATCH, ENTRIES - from) }, (_, i) => ({
      title: `Article ${from + i}`,
      body: 'A few words about the article. '.repeat(4),
      ...(ids.length > 0 && { author: one(), related: [one(), one(), one()] }),
    }));
    const entries = values.map((each, i) => ({ values: each, createdAt: 1.75e12 + from + i }));
    const written = await seedEntries(sql, account, collection, entries);
    for (const entry of written) ids.push(publicId('ent', entry.id));
  }
  return ids;
}
