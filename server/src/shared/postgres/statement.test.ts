import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/harness.ts';
import { compile, DynamicParameters, plannedStatement, rows, statement } from './statement.ts';

const PEOPLE = rows({ id: 'integer', name: 'text?', tags: 'text' });

test('names become positions in the order of declaration, each with its type', () => {
  const { text, values } = compile(
    'test',
    { account_id: 'uuid', people: PEOPLE, since: 'timestamptz?' },
    'select w.name from :people as w where w.id > 1 and :since is null and a = :account_id',
  );
  assert.equal(
    text,
    'select w.name from unnest((select $2::integer[]), $3::text[], $4::text[]) as w (id, name, tags) where w.id > 1 and $5::timestamptz is null and a = $1::uuid',
  );
  const given = { account_id: 'a', since: null, people: [{ id: 1, name: null, tags: 'x' }] };
  assert.deepEqual(values(given), ['a', [1], [null], ['x'], null]);
});

test('a parameter used twice has one position; texts, identifiers and casts are left alone', () => {
  const { text } = compile('test', { a: 'text' }, `select :a, :a::uuid, 'x:a it''s :a', ":a", b::text`);
  assert.equal(text, `select $1::text, $1::text::uuid, 'x:a it''s :a', ":a", b::text`);
});

test('an unknown, unused or missing parameter is an error, not null', () => {
  assert.throws(() => compile('test', {}, 'select :nothing'), /no parameter "nothing"/);
  assert.throws(() => compile('test', { a: 'text' }, 'select 1'), /does not use a/);
  assert.throws(() => compile('test', { people: PEOPLE }, 'select 1 from :people'), /with an alias/);
  const { values } = compile('test', { a: 'text', people: PEOPLE }, 'select :a from :people as w');
  assert.throws(() => values({ people: [] }), /"a" is missing/);
  assert.throws(() => values({ a: 'x', people: [{ id: 1, tags: 'x' }] }), /"name" is missing/);
});

test('batches, single values and statements without parameters run against PostgreSQL', async () => {
  const db = await testDatabase();
  const echo = statement('test.echo', { people: PEOPLE, suffix: 'text' }).returns<{ id: number; name: string | null }>(
    'select w.id, w.name || :suffix as name from :people as w order by w.id',
  );
  const people = [
    { id: 2, name: null, tags: '' },
    { id: 1, name: 'a', tags: '' },
  ];
  assert.deepEqual(await echo(db, { people, suffix: '!' }), [
    { id: 1, name: 'a!' },
    { id: 2, name: null },
  ]);
  assert.deepEqual(await echo(db, { people: [], suffix: '!' }), []);
  const one = plannedStatement({}).returns<{ n: number }>('select 1 as n');
  assert.deepEqual(await one(db), [{ n: 1 }]);
});

test('the plan of a named statement is kept for batches of any size', async () => {
  const db = await testDatabase();
  const find = statement('test.find', { people: PEOPLE }).runs(
    'select c.oid from :people as w join lateral (select oid from pg_class c where c.relname = w.name limit 1) c on true',
  );
  const plans = await db.transaction(async (tx) => {
    for (let i = 1; i <= 12; i++) await find(tx, { people: [{ id: i, name: 'pg_class', tags: '' }] });
    return tx.query(`select generic_plans, custom_plans from pg_prepared_statements where name = 'test.find'`);
  });
  assert.deepEqual(plans.rows, [{ generic_plans: 7, custom_plans: 5 }]);
});

test('dynamic parameters number themselves', () => {
  const parameters = new DynamicParameters();
  assert.equal(parameters.add('text[]', ['a']), '$1::text[]');
  assert.equal(parameters.add('bigint?', null), '$2::bigint');
  assert.deepEqual(parameters.values, [['a'], null]);
});
