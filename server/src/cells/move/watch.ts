import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_MOVING } from '../../shared/errors.ts';
import { shardOf } from '../../shared/postgres/citus.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { isLockTimeout } from '../../shared/postgres/database-errors.ts';
import { keepsRows, type MovedTable, quoted } from './tables.ts';

/**
 * What happens to changes of an account's rows in the cell that it leaves, and in the one where it arrives:
 * - `leaving`: their keys are recorded.
 * - `quiesced`: also, workers take nothing of the account from the queues.
 * - `fenced`: they are refused, so that the request is repeated in the new cell.
 * - `left`, `arriving`: workers find nothing to change; whatever inserts is refused, or ignored if it only aggregates.
 */
export type WatchState = 'leaving' | 'quiesced' | 'fenced' | 'left' | 'arriving';

/**
 * Creating a trigger waits for transactions that write to the table, and makes new ones of all accounts wait: only for a moment at
 * a time. An autovacuum gives way after a second. Dropping one also waits for reports.
 */
const LOCK_MS = 60;
const AUTOVACUUM_LOCK_MS = 1_200;
const RETRY_MS = 200;
const MAX_ATTEMPTS = 300;
/** After so many attempts, autovacuum seems to be in the way. */
const PATIENT_ATTEMPTS = 30;
const DROP_ATTEMPTS = 3;
/** How long `setState` waits for transactions that have begun to write rows of the account. */
const FLUSH_MS = 400;

const hexOf = (accountId: string) => accountId.replaceAll('-', '');
const lockKey = (accountId: string) => `hashtextextended('moving ${accountId}', 0)`;

/** What a worker does when it takes rows of a queue: skipped while the account is quiesced. */
const TAKES: Record<string, string> = {
  outbox: "tg_op = 'DELETE'",
  jobs: "tg_op = 'UPDATE' and new.attempt > old.attempt",
  webhook_queue:
    "tg_op = 'UPDATE' and new.leased_until > now() and (old.leased_until is null or old.leased_until <= now())",
};

/** The bookkeeping of moves as triggers name it, which run where the rows are. */
interface Own {
  accounts: string;
  changes: string;
  sequence: string;
}

async function ownTables(db: Database): Promise<Own> {
  const names = { accounts: 'moving_accounts', changes: 'moved_changes', sequence: 'moved_change_seq' };
  if (!db.placementLock) return names;
  const { rows } = await db.query('select current_schema() as schema');
  const { schema } = rows[0];
  return {
    accounts: await shardOf(db, schema, names.accounts),
    changes: await shardOf(db, schema, names.changes),
    sequence: `${schema}.${names.sequence}`,
  };
}

/** The function of a table's triggers. Its branches are in the order of their frequency. */
function functionOf(own: Own, accountId: string, { name, key, role }: MovedTable, isKept: boolean): string {
  const keyOf = (row: string) => `jsonb_build_array(${key.map(({ column }) => `${row}.${column}`).join(', ')})`;
  const refuse = `raise exception 'the account is being moved' using errcode = '${ACCOUNT_MOVING}';`;
  const skip = `if tg_op = 'INSERT' then ${refuse} end if; return null;`;
  // Aggregation runs concern all accounts: they go on, and what they do after the last copy is done again in the new cell.
  const fenced =
    role === 'derived' || isKept ? '' : `if current_state = 'fenced' then ${role === 'queue' ? skip : refuse} end if;`;
  // An aggregation run that failed would keep back the reports of all other accounts.
  const ignore = role === 'derived' ? 'return null;' : skip;
  const gone = isKept ? '' : `if current_state in ('left', 'arriving') then ${ignore} end if;`;
  const takes = TAKES[name];
  const quiesced = takes ? `if current_state = 'quiesced' and ${takes} then return null; end if;` : '';
  const record = (row: string) => `if current_state is not null then
      insert into ${own.changes} (account_id, id, table_name, key)
      values ('${accountId}', nextval('${own.sequence}'), '${name}', ${keyOf(row)});
    end if;`;
  return `
declare
  current_state text;
begin
  if current_setting('headwater.moves', true) = 'on' then
    if tg_op = 'DELETE' then return old; end if;
    return new;
  end if;
  perform pg_advisory_xact_lock_shared(${lockKey(accountId)});
  select state into current_state from ${own.accounts} where account_id = '${accountId}';
  ${fenced} ${gone} ${quiesced}
  if tg_op = 'DELETE' then
    ${record('old')}
    return old;
  end if;
  ${record('new')}
  return new;
end`;
}

/**
 * Creates triggers on the rows of an account. They do what its state says, and nothing for other accounts.
 * @param cell the name of the cell
 */
export async function watch(db: Database, cell: string, accountId: string, tables: readonly MovedTable[]) {
  const own = await ownTables(db);
  for (const table of tables) {
    const isKept = keepsRows(cell, table);
    // Control writes it during a move, and it stays.
    if (isKept && table.name === 'audit_log') continue;
    const name = triggerName(accountId, tables.indexOf(table));
    await inShortLock(db, async (tx) => {
      await tx.query(
        `create or replace function ${name}() returns trigger language plpgsql as $$${functionOf(own, accountId, table, isKept)}$$`,
      );
      const on = `on ${quoted(table.name)} for each row`;
      await tx.query(
        `create or replace trigger ${name} before insert or update ${on}
         when (new.account_id = '${accountId}') execute function ${name}()`,
      );
      await tx.query(
        `create or replace trigger ${name}_delete before delete ${on}
         when (old.account_id = '${accountId}') execute function ${name}()`,
      );
    });
  }
}

const triggerName = (accountId: string, index: number) => `moving_${hexOf(accountId)}_${index}`;

/**
 * Drops the triggers of an account, one table after the other. One that reports do not let go is disabled, so that it costs nothing,
 * and dropped by the next move that ends here.
 */
export async function unwatch(db: Database, accountId: string): Promise<void> {
  await db.query('delete from moving_accounts where account_id = $1', [accountId]);
  const { rows: found } = await db.query<{ name: string; tables: string[] }>(
    `select p.proname as name, array_agg(distinct t.tgrelid::regclass::text) filter (where t.tgparentid = 0) as tables
     from pg_proc p left join pg_trigger t on t.tgfoid = p.oid
     where p.pronamespace = current_schema()::regnamespace and p.proname ~ '^moving_[0-9a-f]{32}_'
     group by p.proname order by p.proname`,
  );
  // Read last: an account has a state before it has triggers.
  const { rows: moving } = await db.query<{ id: string }>('select account_id as id from moving_accounts');
  const names = moving.map(({ id }) => `moving_${hexOf(id)}_`);
  for (const { name, tables } of found) {
    if (names.some((each) => name.startsWith(each))) continue;
    const isDropped = await inShortLock(db, (tx) => tx.query(`drop function if exists ${name} cascade`), DROP_ATTEMPTS);
    if (isDropped) continue;
    for (const table of tables ?? []) {
      await inShortLock(db, async (tx) => {
        for (const trigger of [name, `${name}_delete`])
          await tx.query(`alter table ${table} disable trigger ${trigger}`);
      });
    }
  }
}

/** @returns false if other transactions did not let the work happen in so many attempts */
async function inShortLock(db: Database, work: (tx: Tx) => Promise<unknown>, attempts?: number): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        const isPatient = attempt % PATIENT_ATTEMPTS === 0;
        await tx.query(`set local lock_timeout = ${isPatient ? AUTOVACUUM_LOCK_MS : LOCK_MS}`);
        await work(tx);
      });
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) return false;
      if (attempt === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_MS * (0.5 + Math.random()));
    }
  }
}

/**
 * Sets the state once transactions have ended that write rows of the account; those that start meanwhile wait for it.
 * @returns false if they do not end in time: then nothing has changed
 */
export async function trySetState(db: Database, accountId: string, state: WatchState): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = ${FLUSH_MS}`);
      // From a table, so that Citus takes the lock where the triggers do.
      await tx.query(`select pg_advisory_xact_lock(${lockKey(accountId)}) from instance`);
      await tx.query(
        `insert into moving_accounts (account_id, state) values ($1, $2)
         on conflict (account_id) do update set state = excluded.state`,
        [accountId, state],
      );
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/** As `trySetState`, and tries until it succeeds. */
export async function setState(db: Database, accountId: string, state: WatchState): Promise<void> {
  for (let attempt = 1; !(await trySetState(db, accountId, state)); attempt++) {
    if (attempt === MAX_ATTEMPTS) throw new Error('transactions that write rows of the account do not end');
    await sleep(RETRY_MS);
  }
}

/** Let a transaction change the rows of moving accounts, and delete from the audit log. Citus passes on only what is local. */
export const PASS_TRIGGERS = ["set local headwater.moves = 'on'", "set local headwater.apply_audit_retention = 'on'"];

/** Runs `work` in a transaction that passes the triggers. */
export async function passing<T>(client: Tx, work: () => Promise<T>): Promise<T> {
  await client.query(['begin', ...PASS_TRIGGERS].join('; '));
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
