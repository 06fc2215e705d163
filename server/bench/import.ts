import { addEntriesTo } from '../src/content/index.ts';
import { parseId } from '../src/shared/ids.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 100_000);

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'sku', label: 'SKU', type: 'text' },
  { id: 'price', label: 'Price', type: 'number' },
  { id: 'live', label: 'Live', type: 'boolean' },
  { id: 'day', label: 'Day', type: 'date' },
  { id: 'kind', label: 'Kind', type: 'select', options: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
];

const valuesOf = (i: number) => ({
  title: `Thing ${i}, with some words`,
  sku: `sku-${i}`,
  price: i / 100,
  live: i % 2 === 1,
  day: `2026-01-${10 + (i % 20)}`,
  kind: 'abc'.charAt(i % 3),
});

interface Step {
  id: string;
  status: string;
  rehearsal: { rows: number } | null;
  imported: { created: number; changed: number; unchanged: number } | null;
  undone: { deleted: number } | null;
}

/** A file of many rows: uploaded, rehearsed, imported, exported, imported again with each row found by its id, undone. */
export async function benchImport(service: BenchService, report: Report): Promise<void> {
  const base = `http://127.0.0.1:${service.port}`;
  const token = { 'x-api-key': `Bearer ${service.token}` };
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${base}${path}`, {
      headers: { ...token, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  /** How long it takes, how much more memory, and how long a request waited meanwhile at the most. */
  const measure = async <T>(work: () => Promise<T>) => {
    const before = service.rss();
    let [highest, slowest] = [before, 0];
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        highest = Math.max(highest, service.rss());
        const began = performance.now();
        await call('/v1/limits');
        slowest = Math.max(slowest, performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const began = performance.now();
    const result = await work();
    const seconds = (performance.now() - began) / 1_000;
    isOver = true;
    await watching;
    return { result, seconds, memory: Math.round(highest - before), slowest: Math.round(slowest) };
  };

  const { id } = await call<{ id: string }>('/v1/cms/collections', { name: 'Things', fields: FIELDS });
  const path = `/v1/cms/collections/${id}`;
  const upload = (text: string) => {
    const form = new FormData();
    form.set('file', new Blob([text], { type: 'text/csv' }), 'things.csv');
    return call<Step>(`${path}/imports`, form);
  };
  const step = async (importId: string, name: string, body: unknown, done: string): Promise<Step> => {
    await call(`${path}/imports/${importId}/${name}`, body);
    for (;;) {
      const state = await call<Step>(`${path}/imports/${importId}`);
      if (state.status === done) return state;
      if (state.status === 'stopped') throw new Error(`${name} stopped: ${JSON.stringify(state)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const tell = (
    what: string,
    { seconds, memory, slowest }: Awaited<ReturnType<typeof measure>>,
    rows = ROWS,
    limit?: number,
  ) =>
    report.row(`${what}, ${rows} rows`, {
      result: `${Math.round(rows / seconds)} rows/s, ${memory} MiB more memory, slowest request beside it ${slowest} ms`,
      ...(limit !== undefined && { limit: `unchecked ${Math.round(limit)} rows/s`, ratio: rows / seconds / limit }),
    });

  const lines = Array.from({ length: ROWS }, (_, i) => {
    const { title, sku, price, live, day, kind } = valuesOf(i);
    return `"${title}",${sku},${price},${live ? 'yes' : 'no'},${day},${kind}`;
  });
  const file = `title,sku,price,live,day,kind\r\n${lines.join('\r\n')}\r\n`;
  const columns = FIELDS.map((field) => ({ field: field.id }));
  const sent = await measure(() => upload(file));
  tell(`import: upload (${Math.round(file.length / 1_048_576)} MiB)`, sent);
  const importId = sent.result.id;
  tell('import: rehearsal', await measure(() => step(importId, 'rehearse', { columns, keyField: 'sku' }, 'rehearsed')));
  // The same entries, unchecked, by as many in a transaction: what the tables and their indexes take.
  const sql = await service.sql();
  const { id: bare } = await call<{ id: string }>('/v1/cms/collections', { name: 'Bare', fields: FIELDS });
  const written = Math.min(ROWS, 20_000);
  const bareBegan = performance.now();
  for (let from = 0; from < written; from += 1_000) {
    const ready = Array.from({ length: 1_000 }, (_, at) => ({ values: valuesOf(from + at) }));
    await addEntriesTo(sql, uuidOf(service.accountId), parseId('col', bare) ?? '', ready);
  }
  const limit = written / ((performance.now() - bareBegan) / 1_000);
  await sql.end();
  tell('import: new entries', await measure(() => step(importId, 'start', {}, 'imported')), ROWS, limit);

  const exported = await measure(async () => {
    let job = await call<{ id: string; status: string; result: { url: string } }>(`${path}/export`, { format: 'csv' });
    while (job.status === 'queued' || job.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      job = await call(`/v1/jobs/get-by-id?id=${job.id}`);
    }
    return job.result.url;
  });
  tell('export of entries, csv', exported);
  const text = await (await fetch(exported.result)).text();
  const changed = text.replaceAll(',true,', ',false,');
  const again = await upload(changed);
  const plan = { columns: [null, ...columns, null, null], idColumn: 0 };
  await step(again.id, 'rehearse', plan, 'rehearsed');
  const second = await measure(() => step(again.id, 'start', {}, 'imported'));
  tell(`import: found by id, ${second.result.imported?.changed} changed`, second);
  tell('import: undo of these changes', await measure(() => step(again.id, 'undo', {}, 'undone')), ROWS / 2);
  tell('import: undo of what was created', await measure(() => step(importId, 'undo', {}, 'undone')));
}
