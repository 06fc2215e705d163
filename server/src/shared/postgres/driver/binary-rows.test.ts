import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../../../../test/harness.ts';
import { BinaryRow, RowSplitter, readBinary } from './binary-rows.ts';

const db = await testDatabase();

class Columns extends BinaryRow {
  get all() {
    const bytes = this.bytes(6);
    const decoded = [this.integer(0), this.integer(1), this.text(2), this.uuid(3), this.boolean(4), this.time(5)];
    return [...decoded, bytes && JSON.parse(bytes.toString())];
  }
}

/** @param where limits the rows */
const read = (tx: Pick<typeof db, 'query'>, values: unknown[], where = 'true') =>
  readBinary(
    tx,
    {
      name: `binary ${where}`,
      text: `select $1::integer, $2::bigint, $3::text, $4::uuid, $5::boolean, $6::timestamptz, $7::json
        from generate_series(1, 3) n where ${where}`,
      values,
    },
    Columns,
  );

test('values of every type are read as they were stored', async () => {
  const id = '01234567-89ab-4def-8123-456789abcdef';
  const at = Date.UTC(1969, 6, 20, 20, 17, 40, 123);
  const json = { text: 'Größe \u{1f600} "\\ \u2028', number: 1e-7, none: null, long: 'x'.repeat(100_000) };
  const values = [-5, 2 ** 53 - 1, 'naïve \u{10ffff}', id, true, new Date(at), JSON.stringify(json)];
  const rows = await read(db, values);
  assert.deepEqual(
    rows.map(({ all }) => all),
    Array.from({ length: 3 }, () => [-5, 2 ** 53 - 1, 'naïve \u{10ffff}', id, true, at, json]),
  );
  const [empty] = await read(db, Array(7).fill(null));
  assert.deepEqual(empty?.all, Array(7).fill(undefined));
  assert.deepEqual(await read(db, Array(7).fill(null), 'false'), []);
});

test('a statement that fails among its rows leaves its connection as it was, also in a transaction', async () => {
  const none = Array(7).fill(null);
  await db.transaction(async (tx) => {
    const [first] = await read(tx, [1, ...none.slice(1)]);
    const { rows } = await tx.query('select 2 as two, $1::text as text', ['ä']);
    const all = await read(tx, [3, ...none.slice(1)]);
    assert.deepEqual([first?.integer(0), rows, all.length], [1, [{ two: 2, text: 'ä' }], 3]);
  });
  await assert.rejects(
    db.transaction(async (tx) => {
      await assert.rejects(read(tx, none, '1 / (n - 3) < 1'), /division by zero/);
      await read(tx, none);
    }),
    /current transaction is aborted/,
  );
  const { rows } = await db.query('select n from generate_series(1, 2) n where n > $1', [0]);
  assert.deepEqual(rows, [{ n: 1 }, { n: 2 }]);
});

test('rows are taken out of what the server sends, however it arrives, and the rest reaches the driver', () => {
  const message = fc.record({
    type: fc.constantFrom('D', 'C', 'Z', 'N', 'd'),
    body: fc.uint8Array({ maxLength: 40 }),
    /** Whether rows are taken from here on. */
    takes: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 30 })), (messages, sizes) => {
      const driver: Buffer[] = [];
      const taken: Buffer[] = [];
      const expected: { driver: Buffer[]; taken: Buffer[] } = { driver: [], taken: [] };
      const splitter = new RowSplitter((bytes) => driver.push(Buffer.from(bytes)));
      let next = 0;
      // Rows are taken, or not, from the beginning of a message on: a query begins and ends while no rows are sent.
      for (const group of Map.groupBy(messages.entries(), ([i]) => Math.floor(i / 5)).values()) {
        const takes = group[0]?.[1].takes ?? false;
        if (takes) {
          splitter.take((bytes, at) =>
            taken.push(Buffer.from(bytes.subarray(at, at + bytes.readUInt32BE(at - 4) - 4))),
          );
        } else splitter.leave();
        const sent = group.map(([, { type, body }]) => {
          const bytes = Buffer.alloc(5 + body.length);
          bytes.write(type, 'latin1');
          bytes.writeUInt32BE(4 + body.length, 1);
          bytes.set(body, 5);
          if (takes && type === 'D') expected.taken.push(bytes.subarray(5));
          else expected.driver.push(bytes);
          return bytes;
        });
        const stream = Buffer.concat(sent);
        for (let at = 0; at < stream.length; ) {
          const size = sizes[next++ % Math.max(1, sizes.length)] ?? 1_000;
          splitter.read(stream.subarray(at, at + size));
          at += size;
        }
      }
      assert.deepEqual(taken, expected.taken);
      assert.deepEqual(Buffer.concat(driver), Buffer.concat(expected.driver));
    }),
    { numRuns: 1_000 },
  );
});
