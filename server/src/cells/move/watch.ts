import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_MOVING } from '../../shared/errors.ts';
import { type Database, isLockTimeout, type Tx } from '../../shared/postgres/database.ts';
import { keepsRows, type MovedTable, quoted } from './tables.ts';

/**
 * What happens to changes of an account's rows in the cell that it leaves, and in the one where it arrives:
 * - `leaving`: their keys are recorded.
 * - `quiesced`: also, workers take nothing of the account from the queues.
 * - `fenced`: they are refused, so that the request is repeated in the new cell.
 * - `left`, `arriving`: workers find nothing to change; whatever inserts is refused.
 */
export type WatchState = 'leaving' | 'quiesced' | 'fenced' | 'left' | 'arriving';

/**
 * Creating or dropping a trigger waits for running transactions, and makes new ones of all accounts wait, so only for a moment
 * at a time. An autovacuum gives way after a second.
 */
const LOCK_TIMEOUTS = [...new Array<number>(20).fill(150), 1_500];
const RETRY_MS = 250;
const MAX_ATTEMPTS = 200;
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

/** The function of a table's triggers. Its branches are in the order of their frequency. */
function functionOf(accountId: string, { name, key, role }: MovedTable, isKept: boolean): string {
  const keyOf = (row: string) => `jsonb_build_array(${key.map(({ column }) => `${row}.${column}`).join(', ')})`;
  const refuse = `raise exception 'the account is being moved' using errcode = '${ACCOUNT_MOVING}';`;
  const skip = `if tg_op = 'INSERT' then ${refuse} end if; return null;`;
  // Aggregation runs concern all accounts: they go on, and what they do after the last copy is done again in the new cell.
  const fenced =
    role === 'derived' || isKept ? '' : `if current_state = 'fenced' then ${role === 'queue' ? skip : refuse} end if;`;
  const gone = isKept ? '' : `if current_state in ('left', 'arriving') then ${skip} end if;`;
  const takes = TAKES[name];
  const quiesced = takes ? `if current_state = 'quiesced' and ${takes} then return null; end if;` : '';
  return `
declare
  current_state text;
begin
  if current_setting('headwater.moves', true) = 'on' then
    if tg_op = 'DELETE' then return old; end if;
    return new;
  end if;
  perform pg_advisory_xact_lock_shared(${lockKey(accountId)});
  select state into current_state from moving_accounts where account_id = '${accountId}';
  ${fenced} ${gone} ${quiesced}
  if tg_op = 'DELETE' then
    if current_state is not null then
      insert into moved_changes (account_id, table_name, key) values ('${accountId}', '${name}', ${keyOf('old')});
    end if;
    return old;
  end if;
  if current_state is not null then
    insert into moved_changes (account_id, table_name, key) values ('${accountId}', '${name}', ${keyOf('new')});
  end if;
  return new;
end`;
}

/**
 * Creates triggers on the rows of an account. They do what its state says, and nothing for other accounts.
 * @param cell the name of the cell
 */
export async function watch(db: Database, cell: string, accountId: string, tables: readonly MovedTable[]) {
  for (const table of tables) {
    const isKept = keepsRows(cell, table);
    // Control writes it during a move, and it stays.
    if (isKept && table.name === 'audit_log') continue;
    const name = triggerName(accountId, tables.indexOf(table));
    await inShortLock(db, async (tx) => {
      await tx.query(
        `create or replace function ${name}() returns trigger language plpgsql as $$${functionOf(accountId, table, isKept)}$$`,
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

/** Drops the triggers of an account, one table after the other. */
export async function unwatch(db: Database, accountId: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = current_schema()::regnamespace and starts_with(proname, $1) order by proname`,
    [`moving_${hexOf(accountId)}_`],
  );
  for (const { name } of rows) await inShortLock(db, (tx) => tx.query(`drop function if exists ${name} cascade`));
  await db.query('delete from moving_accounts where account_id = $1', [accountId]);
}

async function inShortLock(db: Database, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await db.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = ${LOCK_TIMEOUTS[attempt % LOCK_TIMEOUTS.length]}`);
        await work(tx);
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt >= MAX_ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Sets the state, which every transaction respects that writes a row of the account after this has returned.
 * @returns false if transactions that have begun to write do not end in time: the state may not be in force
 */
export async function setState(db: Database, accountId: string, state: WatchState): Promise<boolean> {
  await db.query(
    `insert into moving_accounts (account_id, state) values ($1, $2)
     on conflict (account_id) do update set state = excluded.state`,
    [accountId, state],
  );
  try {
    await db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = ${FLUSH_MS}`);
      await tx.query(`select pg_advisory_xact_lock(${lockKey(accountId)})`);
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/** Lets a connection change the rows of moving accounts, and delete from the audit log. */
export const passTriggers = async (client: Tx) => {
  await client.query("set headwater.moves = 'on'; set headwater.apply_audit_retention = 'on'");
  await client.query("set time zone 'UTC'; set statement_timeout = 0; set lock_timeout = 0");
};
