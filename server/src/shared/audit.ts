import type { FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import { firstUuidAt, newUuid } from './ids.ts';
import { type Database, statement, type Tx } from './postgres/database.ts';

/** Who makes a change: a user of the dashboard, a key, or the operator's command. */
export interface Author {
  accountId: string;
  kind: 'user' | 'key' | 'command';
  /** UUID of the user or the key; null: a command. */
  id: string | null;
  address: string | null;
}

/** A change as the audit log keeps it. Never a secret, and nothing of a person who does not use the dashboard. */
export interface Change {
  /** `thing.done`, such as `key.created`. */
  action: string;
  /** What was changed: its kind in the API's words, and its id as the API shows it. */
  subject: readonly [type: string, id: string];
  /** What it was and what it is; what is the same in both is left out, what is long is cut. */
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

/** Who makes this request: set once it is authenticated. */
export function authorOf({ caller, ip }: FastifyRequest): Author {
  const { accountId } = caller;
  return caller.kind === 'user'
    ? { accountId, kind: 'user', id: caller.userId, address: ip }
    : { accountId, kind: 'key', id: caller.keyId, address: ip };
}

/** Writes down a change, in the transaction that makes it: neither is there without the other. */
export async function audit(tx: Tx, author: Author, change: Change, now: number): Promise<void> {
  const { before, after } = differences(change.before, change.after);
  const [type, id] = change.subject;
  await insertChange(
    tx,
    author.accountId,
    newUuid(now),
    author.kind,
    author.id,
    change.action,
    type,
    id,
    author.address,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
  );
}

const TEXT = 200;
const MEMBERS = 30;
const VALUE_BYTES = 1_000;

/** The members in which two states differ, short: long texts are cut, what is large otherwise is told by its size. */
export function differences(before: Change['before'], after: Change['after']) {
  const same = (name: string) => before && after && JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const short = (state: Change['before']) => {
    if (!state) return null;
    const names = Object.keys(state).filter((name) => state[name] !== undefined && !same(name));
    return Object.fromEntries(names.slice(0, MEMBERS).map((name) => [name, shorten(state[name])]));
  };
  return { before: short(before), after: short(after) };
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT ? `${value.slice(0, TEXT).toWellFormed()}…` : value;
  if (value === null || typeof value !== 'object') return value;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > VALUE_BYTES ? `(${bytes} bytes)` : value;
}

const insertChange = statement(
  'audit.insert',
  `insert into audit_log
     (account_id, id, actor_kind, actor_id, action, subject_type, subject_id, address, before, after)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

const FORGOTTEN_AT_ONCE = 1_000;

/** Forgets what is older than the log is kept, some at a time. */
export async function forgetOldChanges(db: Database, { auditDays }: Config, now: number): Promise<void> {
  const before = now - auditDays * 86_400_000;
  for (;;) {
    const forgotten = await db.transaction(async (tx) => {
      await tx.query("set local headwater.forget_audit = 'on'");
      return forgetChanges(tx, firstUuidAt(before));
    });
    if (forgotten.length < FORGOTTEN_AT_ONCE) return;
  }
}

const forgetChanges = statement<{ id: string }>(
  'audit.forget',
  `delete from audit_log where (account_id, id) in (
     select account_id, id from audit_log where id < $1 limit ${FORGOTTEN_AT_ONCE} for update skip locked)
   returning id`,
);
