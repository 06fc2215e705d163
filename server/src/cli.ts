#!/usr/bin/env node
import { parseArgs } from 'node:util';
import {
  createAccount,
  createKey,
  type KeyType,
  listAccountKeys,
  listAccounts,
  revokeAccountKey,
} from './accounts/index.ts';
import { type BackupOptions, runBackupCommand } from './backup/index.ts';
import {
  addMasterKey,
  CELL_COMMANDS,
  inAllCells,
  inCellOf,
  masterKeyStatus,
  requireCell,
  rotateMasterKey,
} from './cells/index.ts';
import { importFrom } from './cli-import.ts';
import { progressBar, readable } from './cli-output.ts';
import { remoteSchema, schemaOfAccount } from './cli-schema.ts';
import { required, USAGE, UsageError } from './cli-usage.ts';
import { type Config, ConfigError, readConfig } from './shared/config.ts';
import type { Deps } from './shared/deps.ts';
import { ApiError, badRequest } from './shared/errors.ts';
import { publicId } from './shared/ids.ts';
import { createLog, scrub } from './shared/log.ts';
import { createMetrics } from './shared/metrics.ts';
import { pageTokens } from './shared/page-token.ts';
import type { ControlDatabase, Database } from './shared/postgres/database.ts';
import { isConnectionError } from './shared/postgres/database-errors.ts';
import { migrate } from './shared/postgres/migrate.ts';
import { openStore } from './shared/postgres/open-store.ts';
import { giveUpLost, type Lost, readInstance } from './shared/secrets/instance.ts';
import type { MasterKeys } from './shared/secrets/master-keys.ts';
import { Vault } from './shared/secrets/vault.ts';
import { sessionIdsOf } from './shared/session-ids.ts';
import { isoTime, parseTimestamp, systemClock } from './shared/time.ts';
import {
  confirmEmailByCommand,
  createFirstRunLink,
  disableTwoFactorByCommand,
  findServiceUrl,
  inviteByCommand,
  listUsersByCommand,
  makeSsoOptionalByCommand,
  proveDomainByCommand,
  resetByCommand,
  setOperatorByCommand,
} from './users/index.ts';
import { WEBHOOK_COMMANDS, type WebhookOptions } from './webhooks/index.ts';

const KEY_TYPES: readonly string[] = ['secret', 'publishable', 'postback'] satisfies KeyType[];

interface Options extends WebhookOptions {
  account?: string | undefined;
  name?: string | undefined;
  role?: string | undefined;
  expires?: string | undefined;
  allow?: string[] | undefined;
  email?: string | undefined;
  cell?: string | undefined;
  schema?: string | undefined;
  node?: string | undefined;
  strategy?: string | undefined;
  replica?: string | undefined;
  json: boolean;
  revoke: boolean;
  cancel: boolean;
  /** The base of links. */
  publicUrl: string;
  /** The size of a demo account. */
  size: string;
  file: string;
  'allow-data-loss': boolean;
  'exit-code': boolean;
  deps: Deps;
}

type Command = (control: ControlDatabase, args: string[], options: Options) => Promise<unknown>;

function invalidExpiry(): never {
  throw new UsageError('--expires must be a time such as 2027-01-31T00:00:00Z');
}

const COMMANDS: Record<string, Command> = {
  demo: (control, _args, options) => createDemo(control, options),
  'accounts create': async (control, [name], { cell }) => {
    if (cell !== undefined) await requireCell(control, cell);
    return createAccount(control, required(name, '<name>'), Date.now(), cell);
  },
  'accounts list': async (control) => ({
    accounts: (await listAccounts(control)).map((row) => ({
      id: publicId('acc', row.id),
      name: row.name,
      cell: row.cell,
      createdAt: isoTime(row.created_at),
    })),
  }),
  'tokens create': (control, _args, { account, name, type = 'secret', role, expires, allow }) => {
    if (!KEY_TYPES.includes(type)) throw new UsageError(`--type must be one of ${KEY_TYPES.join(', ')}`);
    const expiresAt = expires === undefined ? undefined : isoTime(parseTimestamp(expires) ?? invalidExpiry());
    const limits = {
      ...(role && { roleId: role }),
      ...(expiresAt && { expiresAt }),
      ...(allow && { allowedAddresses: allow }),
    };
    return createKey(control, required(account, '--account'), type as KeyType, required(name, '--name'), limits);
  },
  'tokens list': async (control, _args, { account }) => ({
    tokens: await listAccountKeys(control, required(account, '--account')),
  }),
  'tokens revoke': (control, [id]) => revokeAccountKey(control, required(id, 'the id of the token')),
  'files migrate': async (_control, _args, { to, json, deps }) => {
    const { migrateFiles } = await import('./files/index.ts');
    const progress = json ? () => {} : progressBar();
    const { missing, ...done } = await inAllCells(deps, (databases) =>
      migrateFiles(databases, deps.config, required(to, '--to'), progress),
    );
    for (const key of missing) console.error(`headwater: the storage does not contain ${key}`);
    return { ...done, missing: missing.length };
  },
  ...Object.fromEntries(Object.keys(CELL_COMMANDS).map((name) => [name, cellCommand(name)])),
  'users first-run-link': async (control, _args, { publicUrl }) => {
    const url = await createFirstRunLink(control, publicUrl, Date.now());
    if (url === undefined)
      throw badRequest('first_run_done', 'The service already has a user. List users with `headwater users list`.');
    return { url };
  },
  'users list': async (control) => ({ users: await listUsersByCommand(control) }),
  'users invite': (_control, _args, { account, role = 'owner', email, publicUrl, deps }) =>
    inviteByCommand(deps, required(account, '--account'), role, email, publicUrl),
  'users operator': (control, [email], { revoke }) =>
    setOperatorByCommand(control, required(email, 'the email of the user'), !revoke),
  'users reset-link': (control, [email], { publicUrl }) =>
    resetByCommand(control, required(email, 'the email of the user'), publicUrl, Date.now()),
  'users confirm-email': (control, [email]) =>
    confirmEmailByCommand(control, required(email, 'the email of the user'), Date.now()),
  'users disable-two-factor': (_control, [email], { deps }) =>
    disableTwoFactorByCommand(deps, required(email, 'the email of the user')),
  'sso prove-domain': (control, [domain], { account }) =>
    proveDomainByCommand(control, required(account, '--account'), required(domain, 'the domain'), Date.now()),
  'sso optional': (control, _args, { account }) =>
    makeSsoOptionalByCommand(control, required(account, '--account'), Date.now()),
  'secret status': (_control, _args, { deps }) => masterKeyStatus(deps),
  'secret add': async (_control, _args, { deps }) => addMasterKey(deps),
  'secret rotate': (_control, _args, { deps }) => rotateMasterKey(deps),
  ...Object.fromEntries(['pull', 'diff', 'push', 'undo'].map((action) => [`schema ${action}`, schemaCommand(action)])),
  ...Object.fromEntries(Object.keys(WEBHOOK_COMMANDS).map((name) => [`webhooks ${name}`, webhookCommand(name)])),
};

function cellCommand(name: string): Command {
  return async (_control, args, { deps, json, schema, node, strategy, replica, to, cancel }) =>
    CELL_COMMANDS[name]?.(deps, args, {
      schema,
      node,
      strategy,
      replica,
      to,
      cancel,
      onProgress: (step) => json || console.log(`${step} …`),
    });
}

function schemaCommand(action: string): Command {
  return (_control, [undoId], { account = '', deps, ...flags }) =>
    schemaOfAccount(action, undoId, account, deps, flags);
}

function webhookCommand(name: string): Command {
  return async (control, [id], options) => {
    const account = required(options.account, '--account');
    // Fails if the account does not exist.
    await listAccountKeys(control, account);
    if (name === 'create') required(options.url, '--url');
    const hasId = name !== 'create' && name !== 'list';
    const webhook = hasId ? required(id, 'the id of the webhook') : '';
    return inCellOf(options.deps, account, (deps) => WEBHOOK_COMMANDS[name]?.(deps, account, webhook, options));
  };
}

async function createDemo(_control: ControlDatabase, { deps, size, json, publicUrl }: Options) {
  const { DiskTooSmall, makeDemo, SIZES } = await import('./demo/index.ts');
  if (!Object.hasOwn(SIZES, size)) throw new UsageError(`--size must be one of ${Object.keys(SIZES).join(', ')}`);
  const demo = await makeDemo(deps, size as keyof typeof SIZES, (step) => json || console.log(`${step} …`)).catch(
    (error: unknown) => {
      throw error instanceof DiskTooSmall ? new UsageError(error.message) : error;
    },
  );
  const { url } = await inviteByCommand(deps, demo.account.id, 'owner', undefined, publicUrl);
  return { ...demo, dashboard: url };
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = parse(argv);
  if (values.help || positionals.length === 0) return console.log(USAGE);
  if (positionals[0] === 'types') return printTypes(values.url ?? 'http://localhost:3000');
  if (positionals[0] === 'backup' || positionals[0] === 'restore') return backup(positionals, values);
  if (positionals[0] === 'start' && positionals.length === 1) return void (await import('./main.ts'));
  if (positionals[0] === 'import') return importFrom(positionals.slice(1), values);
  if (positionals[0] === 'health') return health();
  if ((positionals[0] === 'forecast' || positionals[0] === 'statistics') && positionals.length <= 2) {
    return compute(positionals[0], positionals[1], values.json);
  }
  if (positionals[0] === 'doctor') return doctor(values.json);
  if (positionals.join(' ') === 'secret reset') return resetSecrets(values.json);
  const isRemote = values.url !== undefined || Boolean(process.env.HEADWATER_TOKEN);
  if (positionals[0] === 'schema' && isRemote) return remoteSchema(positionals.slice(1), values);
  const name = positionals.slice(0, 2).join(' ');
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`unknown command "${name}"`);
  if (positionals.length > (['cells add', 'cells move', 'accounts move'].includes(name) ? 4 : 3))
    throw new UsageError('too many arguments; quote names that contain spaces');
  const config = readConfig(process.env);
  const log = createLog('silent');
  const store = await openStore({ ...config, poolSize: 4 }, 'command', log);
  const { secret, sessionKey } = store.instance;
  const publicUrl = await publicUrlOf(config, store.db);
  const deps: Deps = {
    config,
    db: store.db,
    control: store.db,
    log,
    metrics: createMetrics(),
    clock: systemClock,
    pageTokens: pageTokens(secret),
    sessionIds: sessionIdsOf(sessionKey),
    secret,
    vault: new Vault(store.keys),
    publicUrl: () => publicUrl,
  };
  try {
    const result = await command(store.db, positionals.slice(2), { ...values, publicUrl, deps });
    if (result !== undefined) console.log(values.json ? JSON.stringify(result) : readable(result));
  } finally {
    await store.close();
  }
}

async function backup(words: string[], options: { json: boolean } & BackupOptions): Promise<void> {
  const result = await runBackupCommand(words, readConfig(process.env), options);
  if (!result) throw new UsageError(`${words[0]} requires a location`);
  console.log(options.json ? JSON.stringify(result) : readable(result));
  // A script must notice damage.
  if ('damaged' in result && result.damaged.length > 0) process.exitCode = 1;
}

/** Gives up what a lost master key has encrypted, so that the service starts again. */
async function resetSecrets(json: boolean): Promise<void> {
  let lost: Lost | undefined;
  const prepare = async (db: Database, keys: MasterKeys) => {
    await migrate(db);
    lost = await db.transaction((tx) => giveUpLost(tx, keys));
    return readInstance(db, keys);
  };
  const store = await openStore({ ...readConfig(process.env), poolSize: 4 }, 'command', createLog('silent'), prepare);
  await store.close();
  const result = lost ? { lost: lost.masterKey, accounts: lost.accounts } : { lost: null, accounts: 0 };
  console.log(json ? JSON.stringify(result) : readable(result));
}

/** Computes from a file alone, without the service. */
async function compute(what: 'forecast' | 'statistics', path: string | undefined, json: boolean): Promise<void> {
  const { forecastByCommand, InputFault, statisticsByCommand } = await import('./statistics/index.ts');
  try {
    const result =
      what === 'forecast'
        ? await forecastByCommand(required(path, 'the path of the triangle'))
        : await statisticsByCommand(required(path, 'the path of the arms'));
    console.log(json ? JSON.stringify(result) : readable(result));
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    console.error(`headwater: ${error.message}`);
    process.exitCode = 1;
  }
}

/** For containers, which have no other program to ask. */
async function health(): Promise<void> {
  const url = `http://127.0.0.1:${readConfig(process.env).port}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
  console.log(response?.ok ? 'ready' : 'not ready');
  if (!response?.ok) process.exitCode = 1;
}

async function doctor(json: boolean): Promise<void> {
  const { diagnose } = await import('./doctor/index.ts');
  const diagnosis = await diagnose(process.env);
  const lines = diagnosis.findings.map(
    ({ check, status, detail }) => `${status.padEnd(7)}  ${check.padEnd(18)}  ${detail}`,
  );
  console.log(json ? JSON.stringify(diagnosis) : scrub(lines.join('\n')));
  if (!diagnosis.isHealthy) process.exitCode = 1;
}

/** Where the service is reached: as it is set, or as the service that last started has recorded. */
async function publicUrlOf({ publicUrl, port }: Config, control: ControlDatabase): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const [running] = await findServiceUrl(control);
  return running?.url ?? `http://localhost:${port}`;
}

/** Calls the service instead of the database, so that it works wherever a site is built. */
async function printTypes(baseUrl: string): Promise<void> {
  const token = required(process.env.HEADWATER_TOKEN, 'HEADWATER_TOKEN');
  const { createClient } = await import('@headwater/sdk');
  const { collectionTypes } = await import('@headwater/sdk/collection-types');
  const client = createClient({ baseUrl, token });
  const { default: main, locales } = await client.getLocales();
  const others = locales.flatMap(({ locale }) => (locale === main ? [] : locale));
  process.stdout.write(collectionTypes(await client.listCollections({ pageSize: 100 }).all(), others));
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        account: { type: 'string' },
        name: { type: 'string' },
        url: { type: 'string' },
        events: { type: 'string' },
        description: { type: 'string' },
        status: { type: 'string' },
        type: { type: 'string' },
        delivery: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        size: { type: 'string', default: 'small' },
        file: { type: 'string', default: 'headwater.schema.ts' },
        'allow-data-loss': { type: 'boolean', default: false },
        'exit-code': { type: 'boolean', default: false },
        role: { type: 'string' },
        expires: { type: 'string' },
        allow: { type: 'string', multiple: true },
        email: { type: 'string' },
        recipient: { type: 'string' },
        identity: { type: 'string' },
        backup: { type: 'string' },
        cell: { type: 'string' },
        schema: { type: 'string' },
        replica: { type: 'string' },
        node: { type: 'string' },
        strategy: { type: 'string' },
        website: { type: 'string' },
        source: { type: 'string' },
        collection: { type: 'string' },
        key: { type: 'string' },
        values: { type: 'boolean', default: false },
        emails: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        revoke: { type: 'boolean', default: false },
        cancel: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Lines that name the file, or a file that cannot be read. */
const isSchemaFault = (error: unknown): error is Error =>
  error instanceof Error && ['SchemaFaults', 'FileFault'].includes(error.constructor.name);

const isClientError = (error: unknown): error is Error => error instanceof Error && error.name === 'HeadwaterError';

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) console.error(`headwater: ${error.message}\n\n${USAGE}`);
  else if (!(error instanceof ConfigError) && isConnectionError(error))
    console.error('headwater: The connection to the database was lost. Run the command again.');
  else if (error instanceof ConfigError || error instanceof ApiError || isClientError(error) || isSchemaFault(error))
    console.error(`headwater: ${error.message}`);
  else console.error(scrub(`headwater: ${(error as Error).stack}`));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
