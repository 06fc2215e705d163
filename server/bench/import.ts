import { seedEntries } from '../src/content/index.ts';
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

interface Import {
  id: string;
  status: string;
  dryRun: { rows: number } | null;
  imported: { created: number; updated: number; unchanged: number } | null;
  undone: { deleted: number } | null;
}

/** Uploads a large file, runs a dry run, imports, exports, imports again with rows matched by id, and undoes. */
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
  /** Measures the duration, the additional memory, and the slowest concurrent request. */
  const measure = async <T>(work: () => Promise<T>) => {
    const before = service.rss();
    let [highest, slowest] = [before, 0];
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        highest = Math.max(highest, service.rss());
        const started = performance.now();
        await call('/v1/limits');
        slowest = Math.max(slowest, performance.now() - started);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const started = performance.now();
    const result = await work();
    const seconds = (performance.now() - started) / 1_000;
    isOver = true;
    await watching;
    return { result, seconds, memory: Math.round(highest - before), slowest: Math.round(slowest) };
  };

  const { id } = await call<{ id: string }>('/v1/cms/collections', { name: 'Things', fields: FIELDS });
  const path = `/v1/cms/collections/${id}`;
  const upload = (text: string) => {
    const form = new FormData();
    form.set('file', new Blob([text], { type: 'text/csv' }), 'things.csv');
    return call<Import>(`${path}/imports`, form);
  };
  const runStage = async (importId: string, name: string, body: unknown, done: string): Promise<Import> => {
    await call(`${path}/imports/${importId}/${name}`, body);
    for (;;) {
      const state = await call<Import>(`${path}/imports/${importId}`);
      if (state.status === done) return state;
      if (state.status === 'stopped') throw new Error(`${name} stopped: ${JSON.stringify(state)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const reportStage = (
    what: string,
    { seconds, memory, slowest }: Awaited<ReturnType<typeof measure>>,
    { rows = ROWS, limit, target = '' }: { rows?: number; limit?: number; target?: string } = {},
  ) =>
    report.row(`${what}, ${rows} rows`, {
      result: `${Math.round(rows / seconds)} rows/s, ${memory} MiB more memory, slowest concurrent request ${slowest} ms`,
      target,
      ...(limit !== undefined && { limit: `unchecked ${Math.round(limit)} rows/s`, ratio: rows / seconds / limit }),
    });

  const lines = Array.from({ length: ROWS }, (_, i) => {
    const { title, sku, price, live, day, kind } = valuesOf(i);
    return `"${title}",${sku},${price},${live ? 'yes' : 'no'},${day},${kind}`;
  });
  const file = `title,sku,price,live,day,kind\r\n${lines.join('\r\n')}\r\n`;
  const columns = FIELDS.map((field) => ({ field: field.id }));
  const sent = await measure(() => upload(file));
  reportStage(`import: upload (${Math.round(file.length / 1_048_576)} MiB)`, sent);
  const importId = sent.result.id;
  reportStage(
    'import: dry run',
    await measure(() => runStage(importId, 'dry-run', { columns, keyField: 'sku' }, 'dry_run_completed')),
  );
  // The same entries inserted without checks: the limit that tables and indexes set.
  const sql = await service.sql();
  const { id: bare } = await call<{ id: string }>('/v1/cms/collections', { name: 'Bare', fields: FIELDS });
  const written = Math.min(ROWS, 20_000);
  const bareStarted = performance.now();
  for (let from = 0; from < written; from += 1_000) {
    const ready = Array.from({ length: 1_000 }, (_, at) => ({ values: valuesOf(from + at) }));
    await seedEntries(sql, uuidOf(service.accountId), parseId('col', bare) ?? '', ready);
  }
  const limit = written / ((performance.now() - bareStarted) / 1_000);
  await sql.end();
  reportStage('import: new entries', await measure(() => runStage(importId, 'start', {}, 'imported')), {
    limit,
    target: '12,000 rows/s',
  });

  const exported = await measure(async () => {
    let job = await call<{ id: string; status: string; result: { url: string } }>(`${path}/export`, { format: 'csv' });
    while (job.status === 'queued' || job.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      job = await call(`/v1/jobs/get-by-id?id=${job.id}`);
    }
    return job.result.url;
  });
  reportStage('export of entries, csv', exported);
  const text = await (await fetch(exported.result)).text();
  const changed = text.replaceAll(',true,', ',false,');
  const again = await upload(changed);
  const mapping = { columns: [null, ...columns, null, null], idColumn: 0 };
  await runStage(again.id, 'dry-run', mapping, 'dry_run_completed');
  const second = await measure(() => runStage(again.id, 'start', {}, 'imported'));
  reportStage(`import: matched by id, ${second.result.imported?.updated} updated`, second);
  reportStage('import: undo of the updates', await measure(() => runStage(again.id, 'undo', {}, 'undone')), {
    rows: ROWS / 2,
  });
  reportStage('import: undo of the new entries', await measure(() => runStage(importId, 'undo', {}, 'undone')), {
    target: '10,000 rows/s',
  });
}
