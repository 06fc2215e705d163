import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/harness.ts';
import { newUuid } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import {
  deleteExpiredUnmatched,
  findAccountsWithUnmatched,
  findUnmatchedByDigest,
  listAllUnmatched,
  rebuildFromRevisions,
  takeUnmatched,
} from './queries.ts';

const db = await testDatabase();
const account = newUuid();

await db.query(
  `insert into conversions (account_id, id, value, received_at, origin, updated_at)
   select $1, gen_random_uuid(), n, now(), 'report', now() from generate_series(1, 20000) n`,
  [account],
);
await db.query(
  `insert into conversion_revisions (account_id, conversion_id, arrival, value, origin, received_at)
   select account_id, id, n, n, 'report', now() from conversions, generate_series(1, 3) n`,
);
await db.query(
  `insert into unmatched_conversions (account_id, id, digest, identifier, received_at, arrival)
   select $1, gen_random_uuid(), gen_random_uuid(), '{}', now(), n from generate_series(1, 20000) n`,
  [account],
);
await db.query('analyze conversions, conversion_revisions, unmatched_conversions');

/** The custom and the generic plan of a statement. */
async function plansOf(run: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await db.transaction(async (tx) => {
      await tx.query(`set local plan_cache_mode = ${mode}`);
      const query = async ({ text, values }: { text: string; values: unknown[] }) => {
        const { rows } = await tx.query(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      };
      await run({ query } as unknown as Tx);
    });
  }
  return plans;
}

test('every lookup of unmatched reports and revisions uses an index, with custom and generic plans', async () => {
  const ids = Array.from({ length: 100 }, () => newUuid());
  const named = ids.map((id) => ({ account_id: account, id }));
  const lookups: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => findAccountsWithUnmatched(tx, { accounts: [account] }),
    (tx) => findUnmatchedByDigest(tx, { digests: ids.map((digest) => ({ account_id: account, digest })) }),
    (tx) => listAllUnmatched(tx, { after_account: account, after_id: newUuid(), limit: 1000 }),
    (tx) => takeUnmatched(tx, { reports: named, since: new Date(0) }),
    (tx) => deleteExpiredUnmatched(tx, { before: new Date(0), limit: 1000 }),
    (tx) => rebuildFromRevisions(tx, { conversions: named }),
  ];
  for (const lookup of lookups) {
    for (const plan of await plansOf(lookup)) assert.doesNotMatch(plan, /Seq Scan/, plan);
  }
});
