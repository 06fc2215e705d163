#!/usr/bin/env node
import { parseArgs } from 'node:util';
import {
  createAccount,
  createKey,
  type KeyKind,
  listAccountKeys,
  listAccounts,
  revokeAccountKey,
} from './accounts/index.ts';
import { type Config, ConfigError, readConfig } from './shared/config.ts';
import type { Deps } from './shared/deps.ts';
import { ApiError, badRequest } from './shared/errors.ts';
import { publicId } from './shared/ids.ts';
import { createLog, scrub } from './shared/log.ts';
import { createMetrics } from './shared/metrics.ts';
import { pageTokens } from './shared/page-token.ts';
import { type Database, isConnectionError } from './shared/postgres/database.ts';
import { openStore } from './shared/postgres/open-store.ts';
import { isoTime, systemClock } from './shared/time.ts';
import { inviteByCommand, listUsersByCommand, makeFirstRunLink, resetByCommand } from './users/index.ts';
import { WEBHOOK_COMMANDS, type WebhookOptions } from './webhooks/index.ts';

const USAGE = `headwater: accounts, keys, files, users and webhooks of a Headwater service

  headwater accounts create <name>
  headwater accounts list
  headwater tokens create --account <id> --name <name> [--kind secret|publishable|postback]
  headwater tokens list --account <id>
  headwater tokens revoke <id>
  headwater files migrate --to <STORAGE_URL>
  headwater users first-run-link
  headwater users list
  headwater users invite --account <id> [--role owner|editor|viewer] [--email <e-mail>]
  headwater users reset-link <e-mail>
  headwater webhooks create --account <id> --url <url> [--events <kind>,…] [--description <text>]
  headwater webhooks list --account <id>
  headwater webhooks get|delete|rotate-secret|test <id> --account <id>
  headwater webhooks update <id> --account <id> [--url …] [--events <kind>,…|all] [--description …] [--status active|disabled]
  headwater webhooks deliveries <id> --account <id> [--status pending|delivered|failed] [--type <kind>] [--delivery <id>]
  headwater webhooks replay <id> --account <id> (--delivery <id> | --status failed|delivered [--from <time>] [--to <time>])
  headwater demo [--size small|medium|large]   a demonstration account: 60 days of campaigns, leads, conversions, content

  --json   answer as one JSON object

Run it where the service runs, with the same DATA_DIR or DATABASE_URL. The service need not be running.

  headwater types [--url <address of the service>]

writes TypeScript types of an account's collections. It asks the service, at http://localhost:3000 unless given, with the
secret token in HEADWATER_TOKEN.`;

const KINDS: readonly string[] = ['secret', 'publishable', 'postback'] satisfies KeyKind[];

class UsageError extends Error {}

interface Options extends WebhookOptions {
  account?: string | undefined;
  name?: string | undefined;
  kind: string;
  role: string;
  email?: string | undefined;
  json: boolean;
  /** Where links lead. */
  publicUrl: string;
  /** Of a demonstration. */
  size: string;
  deps: Deps;
}

type Command = (db: Database, args: string[], options: Options) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  demo: (db, _args, options) => makeDemonstration(db, options),
  'accounts create': (db, [name]) => createAccount(db, needed(name, 'a name')),
  'accounts list': async (db) => ({
    accounts: (await listAccounts(db)).map((row) => ({
      id: publicId('acc', row.id),
      name: row.name,
      createdAt: isoTime(row.created_at),
    })),
  }),
  'tokens create': (db, _args, { account, name, kind }) => {
    if (!KINDS.includes(kind)) throw new UsageError(`--kind is one of ${KINDS.join(', ')}`);
    return createKey(db, needed(account, '--account'), kind as KeyKind, needed(name, '--name'));
  },
  'tokens list': async (db, _args, { account }) => ({
    tokens: await listAccountKeys(db, needed(account, '--account')),
  }),
  'tokens revoke': (db, [id]) => revokeAccountKey(db, needed(id, 'the id of a token')),
  'files migrate': async (db, _args, { to, json }) => {
    const { migrateFiles } = await import('./files/index.ts');
    const progress = json ? () => {} : progressBar();
    const { missing, ...done } = await migrateFiles(db, readConfig(process.env), needed(to, '--to'), progress);
    for (const key of missing) console.error(`headwater: ${key} is missing where the files are`);
    return { ...done, missing: missing.length };
  },
  'users first-run-link': async (db, _args, { publicUrl }) => {
    const url = await makeFirstRunLink(db, publicUrl, Date.now());
    if (url === undefined) throw badRequest('first_run_done', 'there is a user already: see `headwater users`');
    return { url };
  },
  'users list': async (db) => ({ users: await listUsersByCommand(db) }),
  'users invite': (db, _args, { account, role, email, publicUrl }) =>
    inviteByCommand(db, needed(account, '--account'), role, email, publicUrl, Date.now()),
  'users reset-link': (db, [email], { publicUrl }) =>
    resetByCommand(db, needed(email, 'the e-mail of a user'), publicUrl, Date.now()),
  ...Object.fromEntries(Object.keys(WEBHOOK_COMMANDS).map((name) => [`webhooks ${name}`, webhookCommand(name)])),
};

function webhookCommand(name: string): Command {
  return async (db, [id], options) => {
    const account = needed(options.account, '--account');
    // Refuses an account that is not there.
    await listAccountKeys(db, account);
    if (name === 'create') needed(options.url, '--url');
    const isOfOne = name !== 'create' && name !== 'list';
    const webhook = isOfOne ? needed(id, 'the id of a webhook') : '';
    return WEBHOOK_COMMANDS[name]?.(options.deps, account, webhook, options);
  };
}

/** Beside a service that runs, or without one. */
async function makeDemonstration(db: Database, { deps, size, json, publicUrl }: Options) {
  const { makeDemo, SIZES } = await import('./demo/index.ts');
  if (!Object.hasOwn(SIZES, size)) throw new UsageError(`--size is one of ${Object.keys(SIZES).join(', ')}`);
  const made = await makeDemo(deps, size as keyof typeof SIZES, (what) => json || console.log(`${what} …`));
  const { url } = await inviteByCommand(db, made.account.id, 'owner', undefined, publicUrl, deps.clock());
  return { ...made, dashboard: url };
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = parse(argv);
  if (values.help || positionals.length === 0) return console.log(USAGE);
  if (positionals[0] === 'types') return writeTypes(values.url ?? 'http://localhost:3000');
  const name = positionals.slice(0, 2).join(' ');
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`there is no command "${name}"`);
  if (positionals.length > 3) throw new UsageError('too many words: put a name with spaces in quotes');
  const config = readConfig(process.env);
  const log = createLog('silent');
  const store = await openStore({ ...config, poolSize: 4 }, 'command', log);
  const publicUrl = publicUrlOf(config);
  const deps: Deps = {
    config,
    db: store.db,
    log,
    metrics: createMetrics(),
    clock: systemClock,
    pageTokens: pageTokens(store.secret),
    secret: store.secret,
    publicUrl: () => publicUrl,
  };
  try {
    const answer = await command(store.db, positionals.slice(2), { ...values, publicUrl, deps });
    console.log(values.json ? JSON.stringify(answer) : readable(answer));
  } finally {
    await store.close();
  }
}

function publicUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Asks the service itself, so that it runs wherever a site is built. */
async function writeTypes(baseUrl: string): Promise<void> {
  const token = needed(process.env.HEADWATER_TOKEN, 'HEADWATER_TOKEN');
  const { createClient } = await import('@headwater/sdk');
  const { collectionTypes } = await import('@headwater/sdk/collection-types');
  const client = createClient({ baseUrl, token });
  process.stdout.write(collectionTypes(await client.listCollections({ pageSize: 100 }).all()));
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
        kind: { type: 'string', default: 'secret' },
        url: { type: 'string' },
        events: { type: 'string' },
        description: { type: 'string' },
        status: { type: 'string' },
        type: { type: 'string' },
        delivery: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        size: { type: 'string', default: 'small' },
        role: { type: 'string', default: 'owner' },
        email: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** One line that is written over, where somebody looks at it. */
function progressBar(): (done: number, all: number, bytes: number) => void {
  let shown = 0;
  return (done, all, bytes) => {
    if (!process.stderr.isTTY || (Date.now() - shown < 100 && done < all)) return;
    shown = Date.now();
    const filled = Math.round((done / all) * 30);
    const bar = `${'#'.repeat(filled)}${'.'.repeat(30 - filled)}`;
    process.stderr.write(`\r[${bar}] ${done} of ${all} files, ${(bytes / 1e6).toFixed(1)} MB copied`);
    if (done >= all) process.stderr.write('\n');
  };
}

function needed(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${what} is missing`);
  return value;
}

const isOfClient = (error: unknown): error is Error => error instanceof Error && error.name === 'HeadwaterError';

/** `name: value` lines; a list of things as a block each. */
function readable(answer: unknown, indent = ''): string {
  return Object.entries(answer as Record<string, unknown>)
    .map(([name, value]) => {
      if (Array.isArray(value)) {
        if (value.some((each) => typeof each === 'string')) return `${indent}${name}: ${value.join(', ')}`;
        return value.length === 0 ? `${indent}no ${name}` : value.map((each) => readable(each, indent)).join('\n\n');
      }
      if (value !== null && typeof value === 'object') return `${indent}${name}:\n${readable(value, `${indent}  `)}`;
      return `${indent}${name}: ${value ?? '-'}`;
    })
    .join('\n');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) console.error(`headwater: ${error.message}\n\n${USAGE}`);
  else if (isConnectionError(error)) console.error('headwater: the database went away; run the command again');
  else if (error instanceof ConfigError || error instanceof ApiError || isOfClient(error))
    console.error(`headwater: ${error.message}`);
  else console.error(scrub(`headwater: ${(error as Error).stack}`));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
