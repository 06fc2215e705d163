import type { FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import { firstUuidAt, newUuid } from './ids.ts';
import type { Database, Tx } from './postgres/database.ts';
import { statement } from './postgres/statement.ts';
import { redactSecrets } from './redact.ts';
import { DAY } from './units.ts';

export type AuthorType = 'user' | 'key' | 'command';

/** Who makes a change: a dashboard user, an API key, or the command line. */
export interface Author {
  accountId: string;
  type: AuthorType;
  /** UUID of the user or the key; null for a command. */
  id: string | null;
  /** IP address of the request; null for a command. */
  address: string | null;
}

/** An entry of the audit log. It must not contain secrets, or personal data of visitors and leads. */
export interface Change {
  /** `resource.verb`, such as `key.created`. */
  action: string;
  /** The changed resource: its type and its public id. */
  subject: readonly [type: string, id: string];
  /** The state before and after. Only members that differ are stored, and long values are shortened. */
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

/** The author of an authenticated request. */
export function authorOf({ caller, ip }: FastifyRequest): Author {
  const { accountId } = caller;
  return caller.type === 'user'
    ? { accountId, type: 'user', id: caller.userId, address: ip }
    : { accountId, type: 'key', id: caller.keyId, address: ip };
}

/** Adds an entry to the audit log. Call it in the transaction that makes the change, so that both commit or neither does. */
export async function audit(tx: Tx, author: Author, change: Change, now: number): Promise<void> {
  const { before, after } = differences(change.before, change.after);
  const [subject_type, subject_id] = change.subject;
  await insertChange(tx, {
    account_id: author.accountId,
    id: newUuid(now),
    actor_type: author.type,
    actor_id: author.id,
    action: change.action,
    subject_type,
    subject_id,
    address: author.address,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  });
}

/** A function that adds what a request does to a resource of one type, such as `webhook.created`. */
export const auditsOf =
  <Action extends string>(type: string) =>
  (
    tx: Tx,
    request: FastifyRequest,
    action: Action,
    id: string,
    change: Pick<Change, 'before' | 'after'>,
    now: number,
  ): Promise<void> =>
    audit(tx, authorOf(request), { action: `${type}.${action}`, subject: [type, id], ...change }, now);

const MAX_TEXT_LENGTH = 200;
const MAX_MEMBERS = 30;
const MAX_VALUE_BYTES = 1_000;

/** The members in which two states differ. Long texts are cut; other large values are replaced by their size. */
export function differences(before: Change['before'], after: Change['after']) {
  const isSame = (name: string) => before && after && JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const reduce = (state: Change['before']) => {
    if (!state) return null;
    const names = Object.keys(state).filter((name) => state[name] !== undefined && !isSame(name));
    return Object.fromEntries(names.slice(0, MAX_MEMBERS).map((name) => [name, shorten(state[name])]));
  };
  return { before: reduce(before), after: reduce(after) };
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = redactSecrets(value.slice(0, 2 * MAX_VALUE_BYTES));
    return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : text;
  }
  if (value === null || typeof value !== 'object') return value;
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_VALUE_BYTES) return `(${bytes} bytes)`;
  return JSON.parse(json, (_name, member) => (typeof member === 'string' ? redactSecrets(member) : member));
}

const CHANGE = {
  account_id: 'uuid',
  id: 'uuid',
  actor_type: 'text',
  actor_id: 'uuid?',
  action: 'text',
  subject_type: 'text',
  subject_id: 'text',
  address: 'text?',
  before: 'jsonb?',
  after: 'jsonb?',
} as const;
const columns = Object.keys(CHANGE);

const insertChange = statement('audit.insert', CHANGE).runs(
  `insert into audit_log (${columns.join(', ')}) values (${columns.map((column) => `:${column}`).join(', ')})`,
);

const RETENTION_BATCH = 1_000;

/** Deletes the changes older than `AUDIT_RETENTION_DAYS`, in batches. */
export async function applyAuditRetention(db: Database, { auditDays }: Config, now: number): Promise<void> {
  const end = firstUuidAt(now - auditDays * DAY);
  for (;;) {
    const deleted = await db.transaction(async (tx) => {
      // The trigger `audit_log_append_only` refuses other deletions.
      await tx.query("set local headwater.apply_audit_retention = 'on'");
      return deleteChangesBefore(tx, { end, limit: RETENTION_BATCH });
    });
    if (deleted.length < RETENTION_BATCH) return;
  }
}

const deleteChangesBefore = statement('audit.delete_before', { end: 'uuid', limit: 'integer' }).returns<{ id: string }>(
  `delete from audit_log where (account_id, id) in (
     select account_id, id from audit_log where id < :end limit :limit for update skip locked)
   returning id`,
);
