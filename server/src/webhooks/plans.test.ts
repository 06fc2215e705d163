/**
 * No statement of the outbox, the queue and the deliveries scans a whole table, or all of an endpoint for each message,
 * whatever its parameters.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/harness.ts';
import { newUuid } from '../shared/ids.ts';
import { takeOutbox, writeOutbox } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import * as order from './delivery/order.ts';
import * as delivery from './delivery/queries.ts';
import { insertAttempts, updateHealth } from './delivery/record-attempts.ts';
import { writeMessages } from './delivery/write-messages.ts';
import * as endpoints from './endpoints/queries.ts';
import * as history from './history/queries.ts';
import { Partitions } from './partitions.ts';
import { erasePayloads, erasePersonalPayloads, eraseResponses, findMessagePageEnd } from './personal-data.ts';

const db = await testDatabase();

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Filter?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('no statement of the outbox, the queue and the deliveries scans a whole table, or all of an endpoint', async () => {
  const id = newUuid();
  await new Partitions(db).ensureFor(id);
  const texts: string[] = [];
  const tx = {
    query: async ({ text }: { text: string }) => {
      texts.push(text);
      return { rows: [] };
    },
  } as unknown as Tx;
  // Every parameter is an empty array: only the text matters, the plan is generic.
  const anything = new Proxy({}, { get: () => [] }) as never;
  await takeOutbox(tx, anything);
  await writeOutbox(tx, id, 'entry.updated', [], 0);
  const statements = [
    ...Object.values(endpoints),
    ...Object.values(delivery).filter((member) => typeof member === 'function'),
    ...Object.values(history),
    ...[order.lockOrder, order.queueInOrder, order.releaseFirst, order.releaseAll],
    writeMessages,
    insertAttempts,
    updateHealth,
    findMessagePageEnd,
    erasePayloads,
    erasePersonalPayloads,
    eraseResponses,
  ];
  for (const run of statements) await run(tx, anything);
  assert.ok(texts.length > 20);
  await db.transaction(async (inside) => {
    // The tables are empty, so the planner would prefer scans even with an index.
    await inside.query('set local enable_seqscan = off');
    for (const text of texts) {
      const { rows } = await inside.query(`explain (format json, generic_plan) ${text}`);
      const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
      const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
      assert.deepEqual(scans, [], text);
      // A message is found by the primary key, not among all of its endpoint.
      const filtered = nodes.filter(({ Filter }) => Filter !== undefined && /message_id =/.test(Filter));
      assert.deepEqual(filtered, [], text);
    }
  });
});
