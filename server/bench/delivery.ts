import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const ENTRIES = 1_000;

/** Reads published entries as pages do: pages of 50, what has not changed since, and pages that are not cached. */
export async function benchDelivery(service: BenchService, report: Report): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const base = `http://127.0.0.1:${service.port}/v1`;
  const post = async (path: string, body: unknown) => {
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };
  const collection = await post('/cms/collections', {
    name: 'Posts',
    publishing: true,
    public: true,
    fields: [
      { id: 'title', label: 'Title', type: 'text', required: true },
      { id: 'rank', label: 'Rank', type: 'number' },
      { id: 'teaser', label: 'Teaser', type: 'text' },
      { id: 'note', label: 'Note', type: 'text', private: true },
    ],
  });
  const ids: string[] = [];
  for (let i = 0; i < ENTRIES; i++) {
    const values = { title: `Post ${i}`, rank: i % 100, teaser: 'A few words about the post. '.repeat(4), note: 'x' };
    ids.push((await post(`/cms/collections/${collection.id}/entries`, { values })).id);
  }
  for (let i = 0; i < ENTRIES; i += 100) {
    await post(`/cms/collections/${collection.id}/publish`, { entryIds: ids.slice(i, i + 100) });
  }
  const path = `/v1/content/${collection.id}?key=${service.apiKey}`;
  const etag = (await fetch(`http://127.0.0.1:${service.port}${path}`)).headers.get('etag') ?? '';
  const measure = (requests: string[]) =>
    load({ port: service.port, requests, connections: 32, seconds: 6, warmUpSeconds: 2 });
  const row = async (name: string, requests: string[], target: string, status = 200) => {
    const { perSecond, p99, failed } = await measure(requests);
    const result = `${Math.round(perSecond).toLocaleString('en')} per second, p99 ${p99.toFixed(1)} ms`;
    report.row(name, { result, target, failed: status === 200 ? failed : 0 });
  };
  const get = (query: string, more: Record<string, string> = {}) => httpRequest('GET', encodeURI(path + query), more);
  await row('public list of 50, 32 connections', [get('')], '5,000 per second');
  await row(
    'public list of 50, unchanged (304), 32 connections',
    [get('', { 'if-none-match': etag })],
    '15,000 per second',
    304,
  );
  const different = Array.from({ length: 30_000 }, (_, i) => get(`&filter[rank][gte]=${i % 100}.${i}&sort=rank:asc`));
  await row('public list of 50, filtered and not cached, 32 connections', different, '');
}
