import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../../../test/harness.ts';
import { type Connection, connectionOf, Query, submit } from './driver.ts';

const db = await testDatabase();
const METHODS = ['RowDescription', 'DataRow', 'CommandComplete', 'EmptyQuery', 'Error', 'ReadyForQuery'];

async function withClient(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(db.connection as pg.ClientConfig);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

test('the driver has the members that are used beyond its types', () =>
  withClient(async (client) => {
    const connection = connectionOf(client);
    const methods = ['query', 'sync', 'attachListeners', 'parse', 'describe'] as const;
    for (const name of methods) assert.equal(typeof Reflect.get(connection, name), 'function', `connection.${name}`);
    for (const name of ['parsedStatements', 'submittedNamedStatements'] as const)
      assert.deepEqual(connection[name], {});
    assert.equal(typeof connection.stream.cork, 'function');
    const query = new Query({ name: 'n', text: 'select 1' }, undefined, () => {});
    for (const name of METHODS)
      assert.equal(typeof Reflect.get(query, `handle${name}`), 'function', `query.handle${name}`);
    assert.deepEqual([query.name, query.text, typeof query.hasBeenParsed], ['n', 'select 1', 'function']);
  }));

test('a query describes its statement, and ends its message by a sync of its connection', () =>
  withClient(async (client) => {
    const connection = connectionOf(client);
    const called: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const config = { name: 'one', text: 'select $1::int as n', values: [1], queryMode: 'extended' as const };
    const query = new Query(config, undefined, (error, result) => (error ? reject(error) : resolve(result)));
    assert(!query.hasBeenParsed(connection));
    const watched = (given: Connection): Connection => {
      const watch = (name: 'describe' | 'sync') => {
        const value = (...sent: unknown[]) => {
          called.push(name);
          Reflect.apply(Reflect.get(given, name), given, sent);
        };
        return { value };
      };
      return Object.create(given, { describe: watch('describe'), sync: watch('sync') });
    };
    const send = query.submit;
    query.submit = (given) => send.call(query, watched(given));
    submit(client, query);
    assert.deepEqual([(await promise).rows, called], [[{ n: 1 }], ['describe', 'sync']]);
    assert.equal(connection.parsedStatements.one, config.text);
    assert(query.hasBeenParsed(connection));
  }));

test('the client calls an object for what arrives, up to the end of its message or an error', () =>
  withClient(async (client) => {
    const run = async (sql: string) => {
      const called: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const handlers = METHODS.map((name) => {
        const handle = () => {
          called.push(name);
          if (name === 'Error' || name === 'ReadyForQuery') resolve();
        };
        return [`handle${name}`, handle] as const;
      });
      submit(client, { ...Object.fromEntries(handlers), submit: (connection) => connection.query(sql) });
      await promise;
      return called;
    };
    assert.deepEqual(await run('select 1'), ['RowDescription', 'DataRow', 'CommandComplete', 'ReadyForQuery']);
    assert.deepEqual(await run(''), ['EmptyQuery', 'ReadyForQuery']);
    assert.deepEqual(await run('select 1 / 0'), ['Error']);
  }));
