import assert from 'node:assert/strict';
import type { Receiver } from '../../src/webhooks/test-support.ts';
import { filePart } from '../furnished-account.ts';
import type { TestService } from '../harness.ts';
import type { Answer, CallOptions } from '../service-under-test.ts';
import { until } from '../until.ts';
import type { Oracle, Snapshot } from './oracle.ts';
import { pick, type Random } from './random-role.ts';
import type { World, WorldCollection } from './world.ts';

/** Who asks, and where it is noted what is wrong. */
export interface Asking {
  service: TestService;
  world: World;
  oracle: Oracle;
  caller: CallOptions;
  send(request: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Something that is shown otherwise than by the response to a request. */
  shown(by: string, body: unknown): void;
  report(kind: 'leaks' | 'differences', what: string): void;
}

/** The job of a response, when it has ended. */
async function endOf({ service, caller }: Asking, { body }: Answer): Promise<Answer['body']> {
  const id = body.job?.id ?? body.id;
  let job: Answer['body'];
  await until(async () => {
    job = (await service.call(`GET /v1/jobs/get-by-id?id=${id}`, caller)).body;
    return job.status !== 'queued' && job.status !== 'running';
  });
  return job;
}

/** Exports what the role reads of each collection. @returns how many files were written */
export async function tryExports(random: Random, asking: Asking): Promise<number> {
  let files = 0;
  const { service, world, oracle, send, shown, report } = asking;
  for (const collection of world.collections) {
    const state = collection.publishing ? pick(random, ['draft', 'published'] as const) : 'draft';
    const body = { format: pick(random, ['csv', 'ndjson']), ...(state === 'published' && { state }) };
    const request = `POST /v1/cms/collections/${collection.id}/export`;
    const started = await send(request, body);
    if (started.status !== 200) continue;
    const { status, result } = await endOf(asking, started);
    if (status !== 'completed') {
      report('differences', `${request} ends as ${status}`);
      continue;
    }
    files++;
    const file = await service.app.inject({ url: result.url.replace('http://headwater.test', '') });
    shown(`${request} ${JSON.stringify(body)}`, file.payload);
    const wanted = oracle.visible(collection, state).length;
    if (result.rows !== wanted) report('differences', `${request} has ${result.rows} rows, the oracle ${wanted}`);
  }
  return files;
}

/** Imports a file that updates an entry and creates another one. @returns whether it did, as a number */
export async function tryImport(random: Random, asking: Asking, count: number): Promise<number> {
  const { world, send } = asking;
  const { id, fields, entries } = pick(random, world.collections);
  const plain = fields.filter(({ kind }) => kind === 'text' || kind === 'owner');
  const [one, other] = [pick(random, plain).id, pick(random, plain).id];
  const sheet = `id,${one},${other}\r\n${pick(random, entries)},i${count},me\r\n,j${count},them\r\n`;
  const { payload, headers } = filePart('file', 'rows.csv', Buffer.from(sheet));
  const path = `/v1/cms/collections/${id}/imports`;
  const uploaded = await send(`POST ${path}`, payload, headers);
  if (uploaded.status !== 200) return 0;
  const at = `${path}/${uploaded.body.id}`;
  const columns = [null, { field: one }, one === other ? null : { field: other }];
  for (const [stage, body] of [
    ['dry-run', { columns, idColumn: 0 }],
    ['start', {}],
  ] as const) {
    const started = await send(`POST ${at}/${stage}`, body);
    if (started.status !== 200) return 0;
    await endOf(asking, started);
    await send(`GET ${at}`);
  }
  return 1;
}

/** Has a webhook of the role tell by its filter whether an entry has a value. @returns how often it told */
export async function tryWebhook(
  random: Random,
  asking: Asking,
  collection: WorldCollection,
  receiver: Receiver,
  readAll: () => Promise<Snapshot>,
): Promise<number> {
  const { service, world, oracle, send, shown, report, caller } = asking;
  const { key, id } = collection;
  const owner = { as: world.account };
  const { id: field } = pick(
    random,
    collection.fields.filter(({ kind }) => kind === 'text'),
  );
  const number = collection.fields.find(({ kind }) => kind === 'number')?.id ?? '';
  const known = [...oracle.entries.values()].filter(
    (each) => each.collection === key && each.status === 'active' && typeof each.values[field] === 'string',
  );
  const entry = pick(random, known);
  const [origin, path] = [`http://127.0.0.1:${receiver.port}`, `/${world.account.id}/${key}`];
  const selection = { events: ['entry.updated'], collectionIds: [id] };
  const filter = { field: `values.${field}`, operator: 'eq', value: entry.values[field] };
  const made = await send('POST /v1/webhooks', { url: `${origin}${path}`, ...selection, filters: [filter] });
  if (made.status !== 200) return 0;
  const all = await service.call('POST /v1/webhooks', {
    ...owner,
    body: { url: `${origin}${path}/all`, ...selection },
  });
  assert.equal(all.status, 200, JSON.stringify(all.body));
  const change = { ...owner, body: { values: { [number]: Math.floor(random() * 1_000) } } };
  assert.equal((await service.call(`PATCH /v1/cms/collections/${id}/entries/${entry.id}`, change)).status, 200);
  oracle.entries = await readAll();
  // Both are planned in one transaction.
  await until(() => receiver.received.some((each) => each.path === `${path}/all`));
  const list = async () => (await service.call(`GET /v1/webhooks/${made.body.id}/deliveries`, caller)).body.deliveries;
  await until(async () => (await list()).every(({ status }: { status: string }) => status === 'delivered'));
  const arrived = receiver.received.filter((each) => each.path === path);
  for (const { text } of arrived) shown(`a webhook of ${key}`, text);
  const now = oracle.entries.get(entry.id);
  const isDue = now !== undefined && oracle.sees(now) && oracle.readsField(key, field);
  if (isDue !== arrived.length > 0)
    report(isDue ? 'differences' : 'leaks', `a webhook of ${key} with a filter by ${field} sent ${arrived.length}`);
  for (const each of [made, all]) await service.call(`DELETE /v1/webhooks/${each.body.id}`, owner);
  return arrived.length;
}
