import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workOf } from '../../../test/event-loop.ts';
import { assignOrders } from './compare.ts';
import { type Line, Statement } from './read-statement.ts';

const newStatement = () =>
  new Statement(
    {
      provider: 'stripe',
      amount: 'gross',
      decimalMark: 'auto',
      dateOrder: 'auto',
      timeZone: 'UTC',
      currency: 'EUR',
      columns: {},
    },
    Date.UTC(2026, 0, 1),
  );

test('many orders and conversions of one click take work in proportion to them', async () => {
  const lineOf = (amount: bigint): Line => ({
    ...{ identifiers: [], namesOrder: false, click: null, amount, currency: 'EUR', rows: [1] },
    ...{ isRefund: false, hasFault: false, at: null },
  });
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  const conversions = many.map((i) => ({
    ...{ id: `${i}`, event_id: `${i}`, value: `${i}`, currency: 'EUR', version: 1, session_number: 1 },
    ...{ created_on: new Date(0), highest: null },
  }));
  // Half of them have the amount of a conversion.
  const lines = many.map((i) => lineOf(BigInt(i) * 2_000_000n));
  let found: ReturnType<typeof assignOrders> | undefined;
  const took = await workOf(() => {
    found = assignOrders(lines, conversions);
  });
  assert.deepEqual([found?.assigned.size, found?.ambiguous.length, found?.free.length], [5_000, 5_000, 5_000]);
  assert.ok(took < 400, `${took} units`);
});

test('many payments of one order, and orders that payments join, take work in proportion to their rows', async () => {
  const rows = 20_000;
  const statement = newStatement();
  const took = await workOf(() => {
    for (let i = 0; i < rows; i++) {
      const cells = { order_id: 'one', payment_intent_id: `payment ${i}`, gross: '1.00', reporting_category: 'charge' };
      statement.add(i + 2, cells, false);
    }
  });
  const [line, ...others] = statement.lines();
  assert.deepEqual([line?.amount, others.length, line?.identifiers[0]], [BigInt(rows) * 1_000_000n, 0, 'one']);
  assert.ok(took < 2_000, `${took} units`);

  // Each joins all before it to a new order; in the end, the old ones are named again.
  const joined = newStatement();
  const orderOf = (i: number, gross: string) => ({ gross, reporting_category: 'charge', order_id: `order ${i}` });
  const joining = await workOf(() => {
    let row = 2;
    for (let i = 0; i < rows; i++) {
      joined.add(row++, orderOf(i, '1.00'), false);
      joined.add(row++, { ...orderOf(i, '2.00'), payment_intent_id: `payment ${i - 1}` }, false);
      joined.add(row++, { ...orderOf(i, '3.00'), payment_intent_id: `payment ${i}` }, false);
    }
    for (let i = 0; i < rows; i++) joined.add(row++, orderOf(i, '4.00'), false);
  });
  const [all] = joined.lines();
  assert.deepEqual([all?.amount, joined.lines().length], [BigInt(rows) * 10_000_000n, 1]);
  assert.ok(joining < 2_000, `${joining} units`);
});
