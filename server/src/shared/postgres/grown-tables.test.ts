import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEEDS_ITS_SERVER, testDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../log.ts';
import { analyzeGrownTables, planAnew } from './grown-tables.ts';

const db = await testDatabase();

/** Some transaction that processes many rows, and the worker. */
const WAYS = {
  'a transaction': () => db.transaction(planAnew),
  'the worker': async () => {
    const worker = analyzeGrownTables({ db, log: createLog('silent') });
    worker.start();
    await until(
      async () => (await db.query("select from pg_class where relname = 'things' and reltuples > 0")).rowCount === 1,
    );
    await worker.stop();
  },
};
const CASES = Object.entries(WAYS).flatMap(([name, analyze]) =>
  [false, true].map((isAnalyzedBefore) => ({ name, analyze, isAnalyzedBefore })),
);

for (const { name, analyze, isAnalyzedBefore } of CASES) {
  const when = isAnalyzedBefore ? ', also if it was analyzed before its rows were committed' : '';
  test(
    `plans made while a table was empty are made anew by ${name} once it has grown${when}`,
    NEEDS_ITS_SERVER,
    async () => {
      await db.query(`drop table if exists things;
      create table things (account_id uuid, number bigint, visitor text, is_bot boolean, primary key (account_id, number));
      create index on things (account_id, visitor)`);
      await db.query('vacuum analyze things');
      const client = await db.connect('statements');
      after(() => client.end());
      const text = 'select from things where account_id = $1 and number = $2 and is_bot limit 1';
      const account = '00000000-0000-4000-8000-000000000000';
      await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
      await client.query({ name: 'find', text, values: [account, 1] });
      const isFast = async () => {
        const { rows } = await client.query(`explain execute find ('${account}', 1)`);
        return rows.some((row) => /Index Cond: .*number/.test(row['QUERY PLAN']));
      };
      const modeOf = () =>
        db.transaction(async (tx) => {
          await planAnew(tx);
          return (await tx.query('show plan_cache_mode')).rows[0].plan_cache_mode;
        });
      assert.equal(await modeOf(), 'auto');
      await db.transaction(async (tx) => {
        await tx.query("insert into things select $1, i, 'v' || i, false from generate_series(1, 10000) i", [account]);
        if (isAnalyzedBefore) await db.query('analyze things');
        const pages = async () =>
          (await db.query("select relpages from pg_class where relname = 'things'")).rows[0].relpages;
        const known = await pages();
        await db.transaction(planAnew);
        assert.equal(await pages(), known, 'pages of rows that are not committed are not counted');
      });
      assert.equal(await isFast(), false);
      // Committed rows are counted a little later.
      await until(async () => {
        await analyze();
        return isFast();
      });
      assert.equal(await modeOf(), 'auto');
    },
  );
}
