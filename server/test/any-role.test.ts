// Slow: random roles, each with an account of its own.
/**
 * What a role may not read is in no response, and what it may not do does not happen, whatever it asks for. Decided by an oracle
 * that knows only the permissions and what the owner reads. `ROLES=300 npm test -- server/test/any-role.test.ts` makes more roles;
 * by default each tries a part of all reads, drawn by the seed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveringService, startReceiver } from '../src/webhooks/test-support.ts';
import { type Asking, tryExports, tryImport, tryWebhook } from './any-role/later.ts';
import { Oracle, type Snapshot } from './any-role/oracle.ts';
import { type RandomRole, randomOf, randomRole } from './any-role/random-role.ts';
import { readsOf } from './any-role/reads.ts';
import { makeWorld, type World } from './any-role/world.ts';
import { excessOf, writeOf } from './any-role/writes.ts';
import type { Answer, CallOptions } from './service-under-test.ts';
import { createTestUser } from './users.ts';

const ROLES = Number(process.env.ROLES ?? 2);
const SEED = Number(process.env.SEED ?? 20_265_489);
const WRITES = Number(process.env.WRITES ?? 20);
const READS = Number(process.env.READS ?? (process.env.ROLES ? 1 : 0.2));
/** What is reported of a broken rule is enough to find it. */
const MAX_REPORTED = 60;

const service = await deliveringService();
const receiver = await startReceiver();
const counts = {
  requests: 0,
  bytes: 0,
  exports: 0,
  imports: 0,
  webhooks: 0,
  leaks: 0,
  writes: 0,
  written: 0,
  excess: 0,
  differences: 0,
};
const reported: string[] = [];

function report(kind: 'leaks' | 'excess' | 'differences', seed: number, what: string): void {
  counts[kind]++;
  if (reported.length < MAX_REPORTED) reported.push(`${kind} (SEED=${seed} ROLES=1): ${what}`);
}

/** A token with a role, or a member. */
async function callerOf(world: World, role: RandomRole, isMember: boolean): Promise<CallOptions> {
  const { account } = world;
  const owner = await createTestUser(service, account, 'owner');
  const made = await service.call('POST /v1/roles', { by: owner, body: { name: 'Random', ...role } });
  assert.equal(made.status, 200, JSON.stringify([made.body, role]));
  if (isMember) {
    const by = await createTestUser(service, account, 'viewer');
    const body = { roleId: made.body.id };
    const assigned = await service.call(`PATCH /v1/members/${by.userId}`, { by: owner, body });
    assert.equal(assigned.status, 200, JSON.stringify(assigned.body));
    world.me = by.userId;
    return { by };
  }
  const key = await service.call('POST /v1/keys', {
    by: owner,
    body: { type: 'secret', name: 'Random', roleId: made.body.id },
  });
  assert.equal(key.status, 200, JSON.stringify(key.body));
  world.me = key.body.id;
  return { as: key.body.token };
}

/** Everything, as the owner's key reads it. */
async function readAll({ account, collections }: World): Promise<Snapshot> {
  const all: Snapshot = new Map();
  const read = async (path: string) => {
    const { status, body } = await service.call(`GET ${path}`, { as: account });
    assert.equal(status, 200, JSON.stringify(body));
    return body.entries as {
      id: string;
      version: number;
      status: 'active' | 'deleted';
      values: Record<string, unknown>;
      parentId?: string | null;
      position?: string;
    }[];
  };
  for (const { key, id, publishing, entries } of collections) {
    const path = `/v1/cms/collections/${id}`;
    for (const entry of [...(await read(`${path}/entries?pageSize=100`)), ...(await read(`${path}/trash`))]) {
      const { values, version, status, parentId = null, position = null } = entry;
      const place = { parentId, position };
      all.set(entry.id, { id: entry.id, collection: key, version, status, values, published: null, ...place });
      if (!entries.includes(entry.id)) entries.push(entry.id);
    }
    if (!publishing) continue;
    for (const entry of await read(`${path}/entries?state=published&pageSize=100`)) {
      const stored = all.get(entry.id);
      if (stored) stored.published = entry.values;
    }
  }
  return all;
}

const MARKS = /zq\w{4}q|\b9\d{7}\b/g;

function checkShown(oracle: Oracle, request: string, body: unknown, answer: Answer, seed: number): void {
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  counts.requests++;
  counts.bytes += text.length;
  if (answer.status >= 500) report('differences', seed, `${request} ${JSON.stringify(body)} is ${answer.status}`);
  const sent = `${request} ${JSON.stringify(body ?? '')}`;
  const found = new Set(text.match(MARKS) ?? []);
  const leaked = [...found].filter((mark) => !sent.includes(mark) && !oracle.mayShow(mark));
  if (leaked.length > 0)
    report('leaks', seed, `${sent} shows ${leaked.slice(0, 3).join(' ')} in ${text.slice(0, 300)}`);
}

async function tryRole(seed: number): Promise<void> {
  const random = randomOf(seed);
  const world = await makeWorld(service);
  const role = randomRole(random, world);
  const isMember = seed % 2 === 1;
  const caller = await callerOf(world, role, isMember);
  const oracle = new Oracle(role, world);
  const told = () => JSON.stringify(role.permissions);
  const send: Asking['send'] = async (request, body, more = {}) => {
    const accept = request.endsWith('/mcp') ? { accept: 'application/json, text/event-stream' } : {};
    const headers = { ...accept, ...more };
    const answer = await service.call(request, { ...caller, headers, ...(body !== undefined && { body }) });
    checkShown(oracle, request, body, answer, seed);
    return answer;
  };
  // Some entries are of who asks.
  for (const { id, fields, entries } of world.collections) {
    const field = fields.find(({ kind }) => kind === 'owner')?.id ?? '';
    for (const entry of [entries[0], entries[3]]) {
      const path = `PATCH /v1/cms/collections/${id}/entries/${entry}`;
      const { status } = await service.call(path, { as: world.account, body: { values: { [field]: world.me } } });
      assert.equal(status, 200);
    }
  }
  oracle.entries = await readAll(world);
  const readEverything = async () => {
    const chosen = randomOf(seed);
    for (const { request, body, check } of readsOf(random, world, oracle)) {
      if (chosen() > READS) continue;
      const answer = await send(request, body);
      // Public content is for keys.
      const wrong = isMember && answer.status === 401 ? undefined : check?.(answer);
      if (wrong) report('differences', seed, `${request} ${JSON.stringify(body ?? '')}: ${wrong} ${told()}`);
    }
  };
  await readEverything();
  const asking: Asking = {
    ...{ service, world, oracle, caller, send },
    shown: (by, body) => checkShown(oracle, by, undefined, { status: 200, body } as Answer, seed),
    report: (kind, what) => report(kind, seed, `${what} ${told()}`),
  };
  counts.exports += await tryExports(random, asking);
  if (role.features.webhooks === 'write') {
    for (const collection of world.collections)
      counts.webhooks += await tryWebhook(random, asking, collection, receiver, () => readAll(world));
  }
  const compare = (after: Snapshot, what: string) => {
    for (const excess of excessOf(oracle, oracle.entries, after))
      report('excess', seed, `${what}: ${excess} ${told()}`);
    oracle.entries = after;
  };
  counts.imports += await tryImport(random, asking, seed);
  compare(await readAll(world), 'an import');
  for (let i = 0; i < WRITES; i++) {
    const { request, body, isAllowed } = writeOf(random, world, oracle, seed * 1_000 + i);
    const before = oracle.entries;
    const answer = await send(request, body);
    const follow = [answer];
    if (answer.status === 200 && answer.body.undoId && random() < 0.5) {
      follow.push(await send(`POST ${request.split(' ')[1]?.replace(/entries\/.*/, 'undo')}/${answer.body.undoId}`));
    }
    if (answer.status === 200 && request === 'POST /v1/cms/releases') {
      follow.push(await send(`POST /v1/cms/releases/${answer.body.id}/publish`));
    }
    counts.writes++;
    if (isAllowed !== undefined && isAllowed !== (answer.status === 200)) {
      const what = `${request} ${JSON.stringify(body)} is ${answer.status} ${answer.body.code}, not ${isAllowed}`;
      report('differences', seed, `${what} ${told()}`);
    }
    const after = await readAll(world);
    const isChanged = JSON.stringify([...before]) !== JSON.stringify([...after]);
    counts.written += Number(isChanged);
    if (isChanged && follow.every(({ status }) => status !== 200))
      report('excess', seed, `${request} was refused, but done`);
    compare(after, `${request} ${JSON.stringify(body ?? '')}`);
  }
}

test('nothing is shown or done beyond a role', async (context) => {
  for (let i = 0; i < ROLES; i++) await tryRole(SEED + i);
  context.diagnostic(`roles: ${ROLES} ${JSON.stringify(counts)}`);
  assert.ok(counts.requests > ROLES * 50 && counts.written > ROLES, 'too little was tried');
  assert.equal(reported.length, 0, reported.join('\n'));
});
