import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';

const findAggregated = statement('analytics.find_aggregated', { account_id: 'uuid' }).returns<{ snapshot: string }>(
  `select snapshot::text from analytics_progress
   where not exists (select from analytics_bot_checks where account_id = :account_id)
     and not exists (select from analytics_increment_backfills where account_id = :account_id)
     and not exists (select from session_start_checks where account_id = :account_id)`,
);

/**
 * The snapshot of the last aggregation run: increments contain all revisions that it sees. null while sessions of the account are about
 * to lose the flag of bots or to get an earlier start, or while its increments are made for the first time.
 */
export async function readAggregated(tx: Tx, account_id: string): Promise<string | null> {
  const [row] = await findAggregated(tx, { account_id });
  return row?.snapshot ?? null;
}
