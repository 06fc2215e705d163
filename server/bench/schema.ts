import { seedEntries } from '../src/content/index.ts';
import { parseId } from '../src/shared/ids.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const COLLECTIONS = 60;
const FIELDS = 12;
const ENTRIES = Number(process.env.BENCH_SCHEMA_ENTRIES ?? 1_000_000);
const BATCH = 1_000;

/** Pushes schemas: many collections at once, and a rename in a collection with many entries while others write to it. */
export async function benchSchema(service: BenchService, report: Report): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const call = async (method: string, path: string, body: unknown) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  /** By the clock and of processors, which a busy machine does not change as much. */
  const timed = async (work: () => Promise<unknown>) => {
    const [start, before] = [performance.now(), service.cpu()];
    await work();
    const ms = performance.now() - start;
    const after = service.cpu();
    const cpu = after.service - before.service + (after.postgres - before.postgres);
    return { ms, result: `${(ms / 1000).toFixed(2)} s, ${cpu.toFixed(2)} s of processors` };
  };
  const fieldsOf = (i: number) =>
    Array.from({ length: FIELDS }, (_, n) => {
      const reference = { format: 'reference', collectionIds: [`things${(i + n) % COLLECTIONS}`] };
      return { id: `field${n}`, label: `Field ${n}`, type: 'text', ...(n % 4 === 3 && reference) };
    });
  const collections = Array.from({ length: COLLECTIONS }, (_, i) => ({
    key: `things${i}`,
    name: `Things ${i}`,
    publishing: i % 2 === 0,
    fields: fieldsOf(i),
  }));
  // The first push of a process also loads what it runs.
  await call('PUT', '/v1/schema?dryRun=true', {
    collections: collections.slice(0, 2).map((each) => ({ ...each, fields: [] })),
  });
  const made = await timed(() => call('PUT', '/v1/schema', { collections }));
  report.row(`push of ${COLLECTIONS} new collections of ${FIELDS} fields`, { result: made.result, target: '2 s' });
  const schema = (await (await fetch(`http://127.0.0.1:${service.port}/v1/schema`, { headers })).json()) as {
    collections: { id: string; name: string; fields: { label: string }[] }[];
  };
  const same = await timed(() => call('PUT', '/v1/schema', schema));
  report.row('push that changes nothing of them', { result: same.result });
  for (const each of schema.collections) each.name += '!';
  const all = await timed(() => call('PUT', '/v1/schema', schema));
  report.row('push that renames all of them', { result: all.result, target: '2 s' });

  const [large] = schema.collections;
  const field = large?.fields[0];
  if (!large || !field) throw new Error('there are no collections');
  const sql = await service.sql();
  const [account, collection] = [uuidOf(service.accountId), parseId('col', large.id) ?? ''];
  for (let from = 0; from < ENTRIES; from += BATCH) {
    const entries = Array.from({ length: Math.min(BATCH, ENTRIES - from) }, (_, i) => ({
      values: { field0: `Thing ${from + i}`, field1: 'A few words about it.' },
      createdAt: 1.75e12 + from + i,
    }));
    await seedEntries(sql, account, collection, entries);
  }
  await sql.end();

  const write = async () => {
    const start = performance.now();
    await call('POST', `/v1/cms/collections/${large.id}/entries`, { values: { field0: 'Written meanwhile' } });
    return performance.now() - start;
  };
  const longest = async (until: Promise<unknown>) => {
    let isDone = false;
    void until.finally(() => {
      isDone = true;
    });
    let most = 0;
    while (!isDone) most = Math.max(most, await write());
    return most;
  };
  const idle = await longest(new Promise((resolve) => setTimeout(resolve, 2_000)));
  large.name = 'Renamed';
  field.label = 'Renamed as well';
  let blocked = 0;
  const renamed = await timed(async () => {
    const push = call('PUT', '/v1/schema', schema);
    [blocked] = await Promise.all([longest(push), push]);
  });
  const name = `rename of a collection of ${ENTRIES.toLocaleString('en')} entries and of a field`;
  report.row(name, { result: renamed.result, target: '5 s' });
  report.row('… the longest write meanwhile', {
    result: `${blocked.toFixed(0)} ms`,
    limit: `${idle.toFixed(0)} ms without it`,
    target: '200 ms',
  });
}
