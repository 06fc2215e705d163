import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type pg from 'pg';
import { createAccount } from '../src/accounts/index.ts';
import { buildApp } from '../src/app.ts';
import { addCell, addPreparedCell, withSchema } from '../src/cells/commands.ts';
import type { Cells, HostedCell } from '../src/cells/index.ts';
import { type Config, readConfig } from '../src/shared/config.ts';
import { parseId } from '../src/shared/ids.ts';
import { createLog, type Logger } from '../src/shared/log.ts';
import { createMetrics } from '../src/shared/metrics.ts';
import { pageTokens } from '../src/shared/page-token.ts';
import { asControl, type ControlDatabase, openDatabase } from '../src/shared/postgres/database.ts';
import { openInstance } from '../src/shared/secrets/instance.ts';
import { Vault } from '../src/shared/secrets/vault.ts';
import { type SessionIds, sessionIds } from '../src/shared/session-ids.ts';
import { asAdmin, dropDatabase, dropSchema, testServer } from './databases.ts';
import { NO_PLATFORMS } from './no-platforms.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { testKeys } from './test-keys.ts';
import { dashboardHeaders } from './users.ts';

export type { Account, Answer, CallOptions, ServiceUnderTest } from './service-under-test.ts';

/** The templates that `run.ts` has migrated, and an empty one. */
type Template = 'headwater' | 'headwater_cell' | 'template1';

/** Whether the services of this run have their accounts in a cell apart from the main one: `TEST_CELLS=on npm test`. */
const hasCells = process.env.TEST_CELLS === 'on';

/** A server, such as a Citus coordinator, on which that cell gets a schema of its own: see `npm run test:cluster`. */
const cellServer = process.env.TEST_CELL_SERVER;

/** Of a test that looks at plans or locks, which only the node of a Citus cluster has. */
export const NEEDS_ITS_SERVER = { skip: cellServer !== undefined };

/** Creates a migrated database for this test file, which is dropped after it. */
async function createTestDatabase(template: Template = 'headwater'): Promise<pg.ClientConfig> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`create database ${name} template ${template} strategy file_copy`);
  after(() => dropDatabase(name));
  return { ...testServer(), database: name };
}

export async function testDatabase(): Promise<ControlDatabase> {
  return openTestDatabase(await createTestDatabase());
}

function openTestDatabase(connection: pg.ClientConfig): ControlDatabase {
  // Tests make many requests at a time on busy machines.
  const db = openDatabase(connection, 8, () => {}, { checkoutMs: 10_000 });
  after(() => db.close());
  return asControl(db);
}

/** The URL of a new test database, for services that run as processes. */
export async function testDatabaseUrl(template?: Template): Promise<string> {
  return urlOf(await createTestDatabase(template));
}

function urlOf({ host = '', port, user = '', database }: pg.ClientConfig): string {
  return `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
}

export interface TestService extends ServiceUnderTest {
  /** The URL of the control database. */
  databaseUrl: string;
  cells: Cells;
  app: Awaited<ReturnType<typeof buildApp>>['app'];
  workers: Awaited<ReturnType<typeof buildApp>>['workers'];
  firstRunLink: Awaited<ReturnType<typeof buildApp>>['firstRunLink'];
  config: Config;
  /** The instance's secret. */
  secret: Buffer;
  sessionIds: SessionIds;
  dataDir: string;
}

/** The URL of a schema for a cell, which is dropped after this test file. */
function newSchema(server: string): string {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  after(() => dropSchema(schema, server));
  return withSchema(server, schema);
}

/** The URL of an empty cell: a database or, in a test of a cluster, a schema there. */
export async function newCellUrl(): Promise<string> {
  return cellServer === undefined ? testDatabaseUrl('template1') : newSchema(cellServer);
}

/** A cell for all accounts of a service. */
async function addTestCell(control: ControlDatabase, secret: Buffer, cells: Cells): Promise<HostedCell> {
  if (cellServer !== undefined) {
    await addCell(control, secret, 'apart', newSchema(cellServer), Date.now());
    await control.query("update cells set is_open = name <> 'main'");
    return cells.open('apart');
  }
  const connection = await createTestDatabase('headwater_cell');
  const db = openTestDatabase(connection);
  await db.query("update instance set secret = $1, cell = 'apart'", [secret]);
  await addPreparedCell(control, secret, 'apart', urlOf(connection), Date.now());
  await control.query("update cells set is_open = name <> 'main'");
  return cells.open('apart');
}

/** The whole service with its own database, without a socket; closed at the end of the test file. */
export async function testService(
  env: Record<string, string> = {},
  {
    apart = hasCells || cellServer !== undefined,
    ...replaced
  }: { log?: Logger; publicUrl?: string; apart?: boolean } = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-data-'));
  const connection = await createTestDatabase();
  const control = openTestDatabase(connection);
  const config = readConfig({
    RATE_LIMIT: 'off',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    DATA_DIR: dataDir,
    // A test that needs a platform starts one; nothing is sent anywhere else.
    ...NO_PLATFORMS,
    ...env,
  });
  const keys = testKeys();
  const { secret } = await openInstance(control, keys);
  await control.query('update instance set installation = gen_random_uuid()');
  const ids = sessionIds(secret);
  const clock = { now: Date.now() };
  const built = await buildApp({
    config,
    db: control,
    control,
    log: replaced.log ?? createLog(config.logLevel),
    metrics: createMetrics(),
    clock: () => clock.now,
    pageTokens: pageTokens(secret),
    sessionIds: ids,
    secret,
    vault: new Vault(keys),
    publicUrl: () => replaced.publicUrl ?? 'http://headwater.test',
  });
  const { app, cells, firstRunLink } = built;
  await app.ready();
  const cell = apart ? await addTestCell(control, secret, cells) : undefined;
  const db = cell?.db ?? control;
  const workers = cell ? [...cell.workers, ...built.workers.filter((worker) => worker !== cells)] : built.workers;
  after(async () => {
    await app.close();
    await Promise.all(workers.map((worker) => worker.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    db,
    control,
    databaseUrl: urlOf(connection),
    cells,
    app,
    workers,
    firstRunLink,
    config,
    secret,
    sessionIds: ids,
    dataDir,
    clock,
    async newAccount(name = 'Test') {
      const { account, token, apiKey } = await createAccount(control, name);
      return { id: account.id, uuid: parseId('acc', account.id) ?? '', token, apiKey };
    },
    async call(request, { as, by, body, headers = {} } = {}) {
      const [method = 'GET', url = '/'] = request.split(' ');
      const token = typeof as === 'string' ? as : as?.token;
      const payload =
        body === undefined
          ? undefined
          : typeof body === 'string' || Buffer.isBuffer(body)
            ? body
            : JSON.stringify(body);
      const response = await app.inject({
        method: method as 'GET',
        url,
        headers: {
          ...(by && dashboardHeaders(by)),
          ...(token !== undefined && { 'x-api-key': `Bearer ${token}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(payload !== undefined && { payload }),
      });
      const isJson = /[/+]json/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson && response.body !== '' ? JSON.parse(response.body) : response.body,
      };
    },
  };
}
