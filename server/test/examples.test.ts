// Slow: a request of every operation.
/**
 * The examples of the API document: what one small shop asks for each operation, and what it is answered. `npm run examples` records them;
 * otherwise each is sent again, and has to be answered in the same form.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Operation, readOperations } from '../chaos/fuzz/operations.ts';
import { goodRequest, inOrder } from '../chaos/fuzz/requests.ts';
import { type Seed, seedOf } from '../chaos/fuzz/seeds.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { addCell } from '../src/cells/commands.ts';
import {
  addLeaves,
  canonical,
  type Described,
  type Examples,
  formOf,
  isTrivial,
  requestOf,
  withForms,
} from './examples.ts';
import { furnish, SSO } from './furnished-account.ts';
import { testDatabaseUrl, testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { PASSWORD, type TestUser } from './users.ts';

const FILE = join(import.meta.dirname, '../src/shared/http/examples.json');

/** Redirects of a browser to a provider that signs users in, and back. */
const REDIRECTS = ['GET /auth/sso/:accountId/start', 'GET /auth/sso/:accountId/callback'];

const backups = mkdtempSync(join(tmpdir(), 'headwater-examples-'));
after(() => rmSync(backups, { recursive: true, force: true }));

const found: Examples = { operations: {}, schemas: {} };
const left = new Map(readOperations().map((operation) => [operation.name, operation]));
const refused: string[] = [];

/** Sends the requests that have not been answered by 200, in a service with a shop. */
async function sendAll(): Promise<void> {
  const service = await testService({ ...LOCAL_FETCHES, BACKUP_URL: backups }, { apart: false });
  const document = (await service.app.openapi()) as unknown as Described;
  const send = async (operation: Operation, seed: Seed, by: Parameters<typeof goodRequest>[1]) => {
    const { payload, ...request } = goodRequest(operation, by, seed);
    const { statusCode, headers, body } = await service.app.inject({
      ...{ method: request.method as 'GET', url: request.url, headers: request.headers },
      ...(payload && { payload }),
    });
    if (statusCode !== 200) refused.push(`${operation.name}: ${statusCode} ${body}`);
    else left.delete(operation.name);
    const isJson = /[/+]json/.test(String(headers['content-type']));
    return { operation, seed, payload, statusCode, headers, answer: isJson ? JSON.parse(body) : undefined };
  };
  type Sent = Awaited<ReturnType<typeof send>>;

  refused.length = 0;
  const nobody: TestUser = { userId: '', uuid: '', email: '', sessionId: '', cookie: '', account: undefined };
  const token = new URL((await service.firstRunLink()) ?? '').hash.slice(1);
  const person = { email: 'grace@users.example', name: 'Grace', password: PASSWORD, accountName: 'First shop' };
  const first: Sent[] = [];
  for (const [name, body] of [
    ['POST /auth/first-run/inspect', { token }],
    ['POST /auth/first-run', { token, ...person }],
  ] as const) {
    const operation = readOperations().find((each) => each.name === name);
    if (operation) first.push(await send(operation, { by: nobody, body }, undefined as never));
  }
  const cookie = String([first[1]?.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
  const operator = { ...nobody, cookie };

  const mine = await furnish(service, 'ada', 'trail-shoes');
  const second = await service.newAccount('Second shop');
  await addCell(service.control, service.secret, 'east', await testDatabaseUrl('template1'), Date.now());
  const backup = await writeBackup({
    cells: [{ cell: 'main', connection: service.db.connection }],
    ...{ storageUrl: undefined, dataDir: service.dataDir, target: backups, recipient: undefined },
    ...{ secret: service.secret, keep: undefined, unlessYoungerThanMs: undefined },
  });
  const seeds: Record<string, Seed> = {
    'GET /auth/sso': { query: `domain=${SSO.domain}` },
    'POST /operator/backups/:name/check': { by: operator, params: { name: backup?.name ?? '' } },
    'POST /operator/moves': { by: operator, body: { account: second.id, cell: 'east' } },
    'POST /operator/moves/:account/cancel': { by: operator, params: { account: second.id } },
  };

  const record = ({ operation, seed, payload, answer }: Pick<Sent, 'operation' | 'seed' | 'payload' | 'answer'>) => {
    const shown = <Value>(value: Value) => canonical(value, mine, service.clock.now, backups);
    const { id, request, schema } = requestOf(document, operation, seed, payload);
    found.operations[id] = shown(request);
    if (schema && answer !== undefined) addLeaves(found.schemas, document.components.schemas, schema, shown(answer));
  };
  for (const each of first) record(each);
  // What is read is as it was made.
  const operations = [...left.values()].sort((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'));
  for (const operation of inOrder(operations)) {
    if (REDIRECTS.includes(operation.name)) {
      left.delete(operation.name);
      record({ operation, seed: { params: { accountId: mine.id } }, payload: undefined, answer: undefined });
      continue;
    }
    const situation = { service, mine, operator };
    const seed =
      seeds[operation.name] ??
      (await seedOf(operation, situation).catch((error: Error) => void refused.push(`${operation.name}: ${error}`)));
    if (!seed) continue;
    const sent = await send(operation, seed, mine);
    if (sent.statusCode === 200) record(sent);
  }
}

await sendAll();
// Some need what others have changed or deleted.
if (left.size > 0) await sendAll();

test('there is a request for each operation, and it is answered', () => {
  assert.deepEqual([refused, [...left.keys()]], [[], []]);
});

if (process.env.RECORD_EXAMPLES) {
  const isShown = ([, value]: [string, unknown]) => value === null || !isTrivial(value);
  const shown = Object.entries(found.schemas).map(([name, members]) => [name, Object.entries(members).filter(isShown)]);
  const schemas = Object.fromEntries(shown.map(([name, members]) => [name, Object.fromEntries(members as [])]));
  writeFileSync(FILE, `${JSON.stringify({ ...found, schemas }, null, 1)}\n`);
}

test('the requests are those of the document, and the responses are of the form that it shows', () => {
  const shown: Examples = JSON.parse(readFileSync(FILE, 'utf8'));
  const advice = 'run npm run examples';
  assert.deepEqual(withForms(found.operations), withForms(shown.operations), advice);
  for (const [name, members] of Object.entries(shown.schemas)) {
    for (const [pointer, value] of Object.entries(members)) {
      const answered = found.schemas[name]?.[pointer];
      if (answered !== null && value !== null)
        assert.deepEqual(formOf(answered), formOf(value), `${name}${pointer}: ${advice}`);
    }
  }
});

test('the document has these examples for each parameter that is required, and for each body', async () => {
  const { app } = await testService();
  const document = (await app.openapi()) as unknown as Described;
  const missing: string[] = [];
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, parameters = [], requestBody } = operation;
    for (const each of parameters) {
      const parameter = each.$ref ? document.components.parameters[each.$ref.split('/').at(-1) ?? ''] : each;
      const isShown = parameter && ('example' in parameter || parameter.content);
      if (parameter?.required && !isShown) missing.push(`${operationId} ${parameter.name}`);
    }
    const json = requestBody?.content['application/json'];
    const isEmpty = requestBody?.required === false;
    if (json && !isEmpty && !('example' in json)) missing.push(`${operationId} body`);
  }
  assert.deepEqual(missing, []);
});
