/** Three cells between which tests move accounts under load, and what such a move must keep. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, newCellUrl, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { createAccount } from '../../accounts/index.ts';
import { recordReceivedRows } from '../../analytics/index.ts';
import { parseId } from '../../shared/ids.ts';
import { addCell, listMovesByCommand } from '../commands.ts';
import { cancelMove, continueMove, moveAccount } from './move-account.ts';
import { listTables } from './tables.ts';
import { unwatch } from './watch.ts';

export const service = await testService({}, { apart: false });
export const { control, call } = service;
await addCell(control, service.secret, 'east', await newCellUrl(), Date.now());
await addCell(control, service.secret, 'west', `${service.databaseUrl}&schema=west`, Date.now());

export const deps = { control, secret: service.secret, clock: () => service.clock.now, graceMs: 50 };
export const databaseOf = async (cell: string) => (cell === 'main' ? control : (await service.cells.open(cell)).db);
export const tables = await listTables(await databaseOf('east'));
export const quietly = () => {};

export async function accountIn(cell: string) {
  const { account, token, apiKey } = await createAccount(control, `In ${cell}`, service.clock.now, cell);
  return { id: account.id, uuid: parseId('acc', account.id) ?? '', token, apiKey };
}

/** Everything of an account in a cell, but which transaction wrote it. */
export async function rowsIn(cell: string, uuid: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of tables) {
    if (cell === 'main' && ['audit_log', 'idempotency_keys'].includes(name)) continue;
    const { rows } = await (await databaseOf(cell)).query(
      `select row(t.*)::text as text from (select ${columns.join(', ')} from ${name} where account_id = $1) t order by 1`,
      [uuid],
    );
    found[name] = rows.map(({ text }) => text);
  }
  return found;
}

export const countOf = (rows: Record<string, string[]>) =>
  Object.values(rows).reduce((sum, { length }) => sum + length, 0);

/** What a move leaves in a database. */
export async function traces(cell: string): Promise<number> {
  const { rows } = await (await databaseOf(cell)).query(
    `select (select count(*) from moved_changes)::int + (select count(*) from moving_accounts)::int
       + (select count(*) from pg_proc where pronamespace = current_schema()::regnamespace and proname like 'moving\\_%')::int
       as count`,
  );
  return rows[0].count;
}

/** Sends events to an account, some with a lead, until it is stopped, and reads meanwhile; every request must succeed. */
export function sendLoad(account: Account) {
  const acknowledged: string[] = [];
  let [sent, isDone] = [0, false];
  const succeed = async (request: string, body?: unknown) => {
    const answer = await call(request, { as: account, ...(body !== undefined && { body }) });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer;
  };
  const send = async () => {
    while (!isDone) {
      const id = `event-${sent++}`;
      const properties = sent % 5 === 0 ? { email: `lead-${sent % 50}@shop.example`, value: 1 } : {};
      await succeed('POST /v1/events', { api_key: account.apiKey, event: 'x', id, properties });
      acknowledged.push(id);
      // Slower than a move on a busy machine, which would otherwise copy ever more rows.
      await sleep(10);
    }
  };
  const read = async () => {
    for (; !isDone; await sleep(10)) await succeed('GET /v1/leads');
  };
  const clients = Promise.all([send(), send(), read()]);
  return {
    acknowledged,
    /** Resolves when some more were acknowledged. */
    async more(count = 30) {
      const target = acknowledged.length + count;
      await Promise.race([until(() => acknowledged.length >= target), clients]);
    },
    async stop() {
      isDone = true;
      await clients;
    },
  };
}

/** Everything that was acknowledged is in a cell exactly once: events, what follows from them, and what is counted. */
export async function assertExact(cell: string, uuid: string, acknowledged: readonly string[]) {
  const db = await databaseOf(cell);
  const { rows } = await db.query('select client_event_id as id from events where account_id = $1', [uuid]);
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...acknowledged].sort());
  await recordReceivedRows({ db, clock: () => service.clock.now });
  const { rows: counts } = await db.query(
    `select (select sum(events)::int from analytics_sessionless_events where account_id = $1) as counted,
       (select count(*)::int from events where account_id = $1 and session_number is null) as sessionless,
       (select count(*)::int from (select unnest(resources) from outbox where account_id = $1 and topic = 'event.recorded') r)
         as pushed,
       (select count(*)::int from conversions where account_id = $1) as conversions,
       (select count(*)::int from conversion_revisions where account_id = $1) as revisions`,
    [uuid],
  );
  const [{ counted, sessionless, pushed, conversions, revisions }] = counts;
  assert.equal(counted, sessionless);
  assert.equal(pushed, acknowledged.length);
  assert.deepEqual([conversions, revisions], [conversions, conversions]);
  const { rows: arrivals } = await db.query(
    `select count(*)::int as count from (
       select arrival, lag(arrival) over (order by received_at, conversion_id) as before
       from conversion_revisions where account_id = $1) a where before > arrival + 500`,
    [uuid],
  );
  assert.equal(arrivals[0].count, 0, 'the order of arrival is that before and after a move');
}

export async function subscribeToAll(cell: string, uuid: string) {
  await (await databaseOf(cell)).query(
    `insert into outbox_subscriptions (account_id, topic, subscriber_id) values ($1, '*', gen_random_uuid())`,
    [uuid],
  );
}

/**
 * Moves an account of the main cell from cell to cell under load: nothing is lost, doubled or refused, also where a process does not know of the
 * last move.
 */
export async function moveUnderLoad(cells: readonly string[]): Promise<void> {
  const account = await accountIn('main');
  await subscribeToAll('main', account.uuid);
  const load = sendLoad(account);
  let isAggregating = true;
  const aggregating = (async () => {
    while (isAggregating) {
      for (const cell of ['main', 'east', 'west'])
        await recordReceivedRows({ db: await databaseOf(cell), clock: () => service.clock.now });
      await sleep(100);
    }
  })();
  const last = cells.at(-1) ?? '';
  for (const cell of cells.slice(0, -1)) {
    await load.more();
    await moveAccount(deps, account.id, cell, quietly);
  }
  // The database refuses the requests of a process that missed the notification, and the process repeats them.
  const { gates } = service.cells;
  gates.closed = () => undefined;
  await load.more();
  await moveAccount(deps, account.id, last, quietly);
  await load.more();
  Reflect.deleteProperty(gates, 'closed');
  await load.stop();
  isAggregating = false;
  await aggregating;
  await assertExact(last, account.uuid, load.acknowledged);
  for (const cell of ['main', 'east', 'west'])
    if (cell !== last) assert.equal(countOf(await rowsIn(cell, account.uuid)), 0);
}

/** Steps of a move, after which its connections are lost; with `+`, somewhere between closing the gate and the switch. */
export type Loss = 'Copying' | 'Following changes' | 'Switching' | 'Switching+' | 'Deleting the old rows';

/** Moves an account under load, and loses the connections of each move: it is continued or canceled, and nothing is lost or doubled. */
export async function loseConnections(losses: readonly Loss[]): Promise<void> {
  const account = await accountIn('east');
  await subscribeToAll('east', account.uuid);
  const load = sendLoad(account);
  const cellOf = async () =>
    (await control.query('select cell from accounts where id = $1', [account.uuid])).rows[0].cell;
  const endConnections = async () => {
    for (const cell of ['main', 'east'])
      await (await databaseOf(cell)).query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'headwater move'",
      );
  };
  for (const step of losses) {
    const from = await cellOf();
    const to = from === 'east' ? 'west' : 'east';
    await load.more();
    let ending: Promise<void> | undefined;
    const onProgress = (at: string) => {
      if (at === step) ending = endConnections();
      if (`${at}+` === step) ending ??= sleep(15 + Math.random() * 40).then(endConnections);
    };
    const result = await moveAccount(deps, account.id, to, onProgress).then(
      () => 'moved',
      () => 'interrupted',
    );
    await ending;
    if (!step.endsWith('+')) assert.equal(result, 'interrupted', step);
    if (result === 'interrupted') {
      await assert.rejects(moveAccount(deps, account.id, 'main', quietly), /unfinished/);
      const [move] = (await listMovesByCommand(control)).moves;
      assert.deepEqual([move?.account, move?.from, move?.to], [account.id, from, to]);
    }
    if (step === 'Following changes') {
      await cancelMove(deps, account.id);
      assert.equal(await cellOf(), from);
      assert.equal(countOf(await rowsIn(to, account.uuid)), 0);
    } else if (result === 'interrupted') {
      assert.equal(await continueMove(deps, account.uuid), true);
      assert.equal(await cellOf(), to);
    }
    for (const cell of ['east', 'west']) {
      // As the next move that ends there does: requests may not have let go a trigger.
      await unwatch(await databaseOf(cell), account.uuid);
      assert.equal(await traces(cell), 0, step);
    }
  }
  await load.stop();
  await assertExact(await cellOf(), account.uuid, load.acknowledged);
  await assert.rejects(cancelMove(deps, account.id), /move/);
  await assert.rejects(moveAccount(deps, account.id, 'nowhere', quietly), /cell/);
}
