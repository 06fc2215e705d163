// Slow: moves between three cells under load.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { furnish } from '../../../test/furnished-account.ts';
import { type Account, newCellUrl } from '../../../test/harness.ts';
import { findTimeOfMove } from '../../accounts/index.ts';
import { recordReceivedRows } from '../../analytics/index.ts';
import { createLog } from '../../shared/log.ts';
import { cellStatus } from '../commands.ts';
import { undoLast } from './copy.ts';
import { drainCell, moveCell } from './drain.ts';
import { followChanges } from './follow.ts';
import { moveAccount } from './move-account.ts';
import { moveToNode } from './move-to-node.ts';
import { movesWorker } from './moves-worker.ts';
import { rebalanceCells } from './rebalance.ts';
import { copyPartitions } from './tables.ts';
import {
  accountIn,
  call,
  control,
  countOf,
  databaseOf,
  deps,
  moveUnderLoad,
  quietly,
  rowsIn,
  service,
  tables,
  traces,
} from './test-moves.ts';
import { setState, unwatch, watch } from './watch.ts';

test('an account is moved with every row, between databases and schemas and back, and works as before', async () => {
  const account = await accountIn('main');
  const furnished = await furnish({ ...service, newAccount: async () => account }, 'moving');
  const other = await accountIn('main');
  await call('POST /v1/events', { body: { api_key: other.apiKey, event: 'of another account' } });
  await recordReceivedRows({ db: control, clock: () => service.clock.now });
  const before = await rowsIn('main', account.uuid);
  assert.ok(countOf(before) > 30);
  const otherRows = await rowsIn('main', other.uuid);
  for (const [from, to] of [
    ['main', 'east'],
    ['east', 'west'],
    ['west', 'main'],
  ] as const) {
    await moveAccount(deps, account.id, to, quietly);
    assert.ok((await findTimeOfMove(control, { id: account.uuid }))[0]?.ago, 'replicas may not have it yet');
    const { audit_log: _a, idempotency_keys: _i, ...moved } = await rowsIn(to, account.uuid);
    const { audit_log: _b, idempotency_keys: _j, ...expected } = before;
    for (const name of Object.keys(expected))
      assert.deepEqual(moved[name], expected[name], `${name} from ${from} to ${to}`);
    assert.equal(countOf(await rowsIn(from, account.uuid)), 0);
    for (const cell of [from, to]) assert.equal(await traces(cell), 0);
    const entries = await call(`GET /v1/cms/collections/${furnished.collectionId}/entries`, { as: account });
    assert.equal(entries.status, 200);
    assert.ok(entries.body.entries.some(({ id }: { id: string }) => id === furnished.entryId));
    assert.equal((await call(`GET /v1/leads/${furnished.leadId}`, { as: account })).status, 200);
  }
  assert.deepEqual(await rowsIn('main', other.uuid), otherRows);
  // A report that restates a conversion comes after those before the move.
  const body = { gclid: furnished.gclid, eventId: furnished.conversionEventId, value: 77 };
  assert.equal((await call('POST /v1/analytics/report-conversion', { as: account, body })).body.status, 'reported');
  const { body: log } = await call('GET /v1/audit?pageSize=100', { by: furnished.owner });
  const ids = log.changes.map(({ id }: { id: string }) => id);
  assert.equal(new Set(ids).size, ids.length, 'no change is listed twice');
});

test('nothing is lost, doubled or refused while an account is moved, also by a process that does not know', () =>
  moveUnderLoad(['east']));

test('changes of every table are followed, and compared', async () => {
  const account = await accountIn('main');
  await furnish({ ...service, newAccount: async () => account }, 'following');
  const side = async (name: string) => {
    const db = await databaseOf(name);
    return { name, db, client: await db.connect('headwater move') };
  };
  const sides = { from: await side('main'), to: await side('east') };
  const followed = tables.filter(({ name, isLate }) => !isLate && name !== 'audit_log' && name !== 'idempotency_keys');
  const changeAll = () =>
    control.query(
      followed
        .map(
          ({ name, key }) =>
            `insert into moved_changes (account_id, id, table_name, key)
             select '${account.uuid}', nextval('moved_change_seq'), '${name}', jsonb_build_array(${key.map(({ column }) => column).join(', ')})
             from ${name} where account_id = '${account.uuid}'`,
        )
        .join(';'),
    );
  const follow = () => followChanges(sides, account.uuid, tables);
  try {
    await setState(sides.to.db, account.uuid, 'arriving');
    await copyPartitions(sides.from.client, sides.to.client);
    await changeAll();
    await follow();
    const [expected, copied] = [await rowsIn('main', account.uuid), await rowsIn('east', account.uuid)];
    for (const { name } of followed) assert.deepEqual(copied[name], expected[name], name);
    assert.ok(countOf(copied) > 30);
    // Rows that were changed and deleted; those that are equal are not written again.
    const version = async () =>
      (
        await sides.to.db.query('select xmin::text, event from events where account_id = $1 order by id', [
          account.uuid,
        ])
      ).rows;
    const before = await version();
    await changeAll();
    await control.query('delete from sessions where account_id = $1', [account.uuid]);
    await control.query(
      "update events set event = 'changed' where account_id = $1 and id = (select min(id::text)::uuid from events where account_id = $1)",
      [account.uuid],
    );
    await follow();
    const after = await version();
    assert.equal(after.filter(({ event }) => event === 'changed').length, 1);
    assert.equal(after.filter(({ xmin }, i) => xmin !== before[i]?.xmin).length, 1);
    assert.equal((await rowsIn('east', account.uuid)).sessions?.length, 0);
    // Unique values that many rows exchange, more than are copied at a time.
    const rotate = (email: string) =>
      control.query(`update leads set email = ${email} where account_id = $1 and email ~ '^(r|tmp)[0-9]+$'`, [
        account.uuid,
      ]);
    await control.query(
      `insert into leads (account_id, id, email, first_seen_at, last_seen_at)
       select $1, gen_random_uuid(), 'r' || n, now(), now() from generate_series(1, 2000) n`,
      [account.uuid],
    );
    for (const emails of [[], ["'tmp' || substr(email, 2)", "'r' || (1 + (substr(email, 4)::int + 7) % 2000)"]]) {
      for (const email of emails) await rotate(email);
      await changeAll();
      await follow();
      assert.deepEqual((await rowsIn('east', account.uuid)).leads, (await rowsIn('main', account.uuid)).leads);
    }
    // What the last round did too early is undone: otherwise these events would be counted there, and once more after the next one.
    const marked = async () => {
      const { rows } = await sides.to.db.query('select from events where account_id = $1 and inserted_xid > 3', [
        account.uuid,
      ]);
      return rows.length;
    };
    await followChanges(sides, account.uuid, tables, { isLast: true });
    assert.ok((await marked()) > 0);
    await undoLast(sides, account.uuid, tables);
    assert.equal(await marked(), 0);
    assert.equal((await rowsIn('east', account.uuid)).outbox?.length, 0);
    // A row that does not become what it was is noticed.
    await sides.to.db.query(
      "create function spoil() returns trigger language plpgsql as $$ begin new.event := 'spoiled'; return new; end $$",
    );
    await sides.to.db.query(
      `create trigger spoil before insert on events for each row when (new.account_id = '${account.uuid}') execute function spoil()`,
    );
    await control.query("update events set event = 'changed again' where account_id = $1 and event = 'changed'", [
      account.uuid,
    ]);
    await changeAll();
    await assert.rejects(follow(), /changed rows of events differ/);
  } finally {
    await sides.to.db.query('drop function if exists spoil() cascade');
    for (const { client } of [sides.from, sides.to]) await client.end();
    for (const db of [sides.from.db, sides.to.db])
      await db.query('delete from moving_accounts where account_id = $1', [account.uuid]);
  }
});

test('the reports of other accounts go on while the old rows of one are deleted', async () => {
  const db = await databaseOf('east');
  const [leaving, other] = [await accountIn('east'), await accountIn('east')];
  for (const { apiKey } of [leaving, other])
    assert.equal((await call('POST /v1/events', { body: { api_key: apiKey, event: 'x' } })).status, 200);
  await setState(db, leaving.uuid, 'left');
  await watch(db, 'east', leaving.uuid, tables);
  await recordReceivedRows({ db, clock: () => service.clock.now });
  const counted = async ({ uuid }: Account) =>
    (await db.query('select from analytics_sessionless_events where account_id = $1', [uuid])).rowCount;
  assert.deepEqual([await counted(leaving), await counted(other)], [0, 1]);
  await unwatch(db, leaving.uuid);
});

test('the end of a move leaves the triggers of one that begins meanwhile', async () => {
  const db = await databaseOf('east');
  const [ending, beginning] = [await accountIn('east'), await accountIn('east')];
  let isBegun = false;
  const query = async (...args: Parameters<typeof db.query>) => {
    const result = await db.query(...args);
    if (!isBegun && String(args[0]).startsWith('select')) {
      isBegun = true;
      await setState(db, beginning.uuid, 'leaving');
      await watch(db, 'east', beginning.uuid, tables.slice(0, 1));
    }
    return result;
  };
  await unwatch({ ...db, query } as unknown as typeof db, ending.uuid);
  assert.equal(await traces('east'), 2, 'its state and a function');
  await unwatch(db, beginning.uuid);
  assert.equal(await traces('east'), 0);
});

test('a process that stops does not wait for the end of a move', async () => {
  const { promise: isMoving, resolve } = Promise.withResolvers<void>();
  const hanging = {
    query: async () => ({ rows: [{ account_id: randomUUID() }] }),
    connect: () => {
      resolve();
      return new Promise(() => {});
    },
  } as unknown as typeof control;
  const worker = movesWorker({ ...deps, control: hanging, log: createLog('silent') }, { isSingle: false });
  worker.start();
  worker.wake();
  await isMoving;
  await worker.stop();
});

test('a cell is not moved to another node while accounts are moved to or from it', async () => {
  const account = await accountIn('west');
  const state = `insert into account_moves (account_id, from_cell, to_cell, state, started_at, retry_at)
    values ($1, $2, $3, 'following', now(), now() + interval '1 hour')`;
  const refused = async (cell: string, code: string) =>
    assert.rejects(moveToNode(deps, cell, 'node:5432', quietly), { code });
  await control.query(state, [account.uuid, 'west', 'east']);
  for (const cell of ['west', 'east']) await refused(cell, 'accounts_moving');
  await control.query('delete from account_moves where account_id = $1', [account.uuid]);
  await refused('nowhere', 'not_found');
  const { cells } = await cellStatus(deps.control, deps.secret);
  const code = cells.some((cell) => 'node' in cell) ? 'strategy_unknown' : 'cell_not_distributed';
  await assert.rejects(rebalanceCells(deps, 'by_luck', quietly), { code });
});

test('a cell is drained, or moved to another database, with all its accounts', async () => {
  const accounts = [await accountIn('west'), await accountIn('west')];
  for (const { apiKey } of accounts) await call('POST /v1/events', { body: { api_key: apiKey, event: 'x' } });
  const url = await newCellUrl();
  const { to, moved, failed } = await moveCell(deps, 'west', url, quietly);
  assert.deepEqual([to, failed], ['west-2', []]);
  assert.ok(moved >= 2);
  for (const account of accounts) {
    assert.equal((await rowsIn(to, account.uuid)).events?.length, 1);
    assert.equal((await call('POST /v1/events', { body: { api_key: account.apiKey, event: 'y' } })).status, 200);
  }
  const { rows: cells } = await control.query("select from cells where name = 'west'");
  assert.equal(cells.length, 0);
  await drainCell(deps, to, undefined, quietly);
  const { rows } = await control.query('select count(*)::int as count from accounts where cell = $1', [to]);
  assert.equal(rows[0].count, 0);
  await assert.rejects(moveCell(deps, 'main', url, quietly), /first database/);
});
