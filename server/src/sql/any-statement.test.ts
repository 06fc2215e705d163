// Slow: each statement is executed twice on a connection of its own.
/**
 * No generated statement shows or changes anything of another account: neither by the API, nor as the role alone, without the check of its
 * text. `STATEMENTS=20000 npm test -- server/src/sql/any-statement.test.ts` generates more.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { furnish, rowsOf } from '../../test/furnished-account.ts';
import { testService } from '../../test/harness.ts';
import { SqlSchema } from './sql-role.ts';
import { Statements } from './test-statements.ts';

// Of its own: workers that other tests started would change the rows that are compared.
const service = await testService();
const STATEMENTS = Number(process.env.STATEMENTS ?? 120);
const MAX_BYTES = 50_000_000;
const SEED = Number(process.env.SEED ?? 20_261_127);

test(`${STATEMENTS} generated statements reach nothing of another account`, async (context) => {
  const mine = await furnish(service, 'prober');
  const theirs = await furnish(service, 'outsider');
  const [before, own] = [await rowsOf(service, theirs), await rowsOf(service, mine)];
  const counts = { executed: 0, refused: 0, rejected: 0, ownRows: 0, executedAlone: 0, leaks: 0, faults: 0 };
  const found: string[] = [];
  const statements = new Statements(SEED);
  const { name, password, schema } = await new SqlSchema(service).prepare();
  const { host, port, database } = new pg.Client(service.db.connection);
  let alone: pg.Client | undefined;
  let reset = () => {};

  /** As the role alone: a statement may end its connection. */
  async function asRole(query: string): Promise<string> {
    if (alone === undefined) {
      const client = new pg.Client({ host, port, user: name, password, ...(database !== undefined && { database }) });
      client.on('error', () => {});
      await client.connect();
      // Nothing but the service limits what a statement sends.
      let bytes = 0;
      const { stream } = (client as pg.Client & { connection: { stream: Socket } }).connection;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) stream.destroy();
      });
      reset = () => {
        bytes = 0;
      };
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const bind = 'insert into sql_statements values ($1, $2) on conflict (pid) do update set bound_to = $2';
      await service.db.query(bind, [rows[0].pid, mine.uuid]);
      alone = client;
    }
    try {
      await alone
        .query(`rollback; reset all; set search_path = "${schema}"; set statement_timeout = 300`)
        .catch(() => {});
      reset();
      const results = [await alone.query(query)].flat();
      counts.executedAlone++;
      return JSON.stringify(results.map(({ rows }) => rows?.slice(0, 1_000)));
    } catch (error) {
      if ((error as { code?: string }).code === undefined) {
        await alone?.end().catch(() => {});
        alone = undefined;
      }
      // What it says may be a value.
      return String((error as Error).message);
    }
  }

  for (let i = 0; i < STATEMENTS; i++) {
    const query = statements.next();
    const { status, body } = await service.call('POST /v1/sql', { as: mine, body: { query } });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (status === 200) counts.executed++;
    else if (status !== 400) counts.faults++;
    else if (body.code === 'sql_error') counts.rejected++;
    else counts.refused++;
    if (/hidden-prober/.test(text)) counts.ownRows++;
    // A message may repeat the text of the statement.
    const isLeak = (shown: string) => /hidden-outsider/.test(shown) && !/hidden-outsider/.test(query);
    if (isLeak(text)) counts.leaks++;
    else if (!/pg_sleep|terminate/.test(query) && isLeak(await asRole(query))) counts.leaks++;
    else if (status === 200 || status === 400) continue;
    if (found.length < 10) found.push(`${status}: ${query}`);
  }
  await (alone as pg.Client | undefined)?.end();
  const { audit_log: _, ...ownAfter } = await rowsOf(service, mine);
  const { audit_log: __, ...ownBefore } = own;
  context.diagnostic(`statements: ${STATEMENTS} ${JSON.stringify(counts)}`);
  assert.deepEqual([counts.leaks, counts.faults], [0, 0], found.join('\n'));
  assert.deepEqual(await rowsOf(service, theirs), before);
  assert.deepEqual(ownAfter, ownBefore);
  // Otherwise the statements would show nothing of anybody.
  assert.ok(
    counts.executed > STATEMENTS / 5 && counts.ownRows > 0 && counts.executedAlone > STATEMENTS / 5,
    JSON.stringify(counts),
  );
});
