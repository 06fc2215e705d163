/** No statement on the way of a payload reads a table as a whole, whatever its parameters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/harness.ts';
import { newUuid } from '../shared/ids.ts';
import { takeOutbox, writeOutbox } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { Partitions } from './partitions.ts';
import * as queries from './queries.ts';

const db = await testDatabase();

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('no statement of the outbox, the queue and the deliveries reads a table as a whole', async () => {
  const id = newUuid();
  await new Partitions(db).prepareFor(id);
  const texts: string[] = [];
  const tx = {
    query: async ({ text }: { text: string }) => {
      texts.push(text);
      return { rows: [] };
    },
  } as unknown as Tx;
  await takeOutbox(tx);
  await writeOutbox(tx, id, 'entry.updated', [], 0);
  for (const [name, query] of Object.entries(queries)) {
    // Asked once a minute or seldomer, of a whole table that is small, or a lock and no table.
    if (/^(holdOffErasing|waitForWriters)$/.test(name)) continue;
    if (typeof query === 'function') await query(tx);
  }
  assert.ok(texts.length > 20);
  await db.transaction(async (inside) => {
    // The tables are empty: a scan is left only where there is no index to walk.
    await inside.query('set local enable_seqscan = off');
    for (const text of texts) {
      const { rows } = await inside.query(`explain (format json, generic_plan) ${text}`);
      const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Seq Scan');
      assert.deepEqual(scans, [], text);
    }
  });
});
