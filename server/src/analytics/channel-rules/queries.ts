import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { ChannelRule } from './rule.ts';

interface RulesRow {
  rules: ChannelRule[];
  version: number;
}

const findRules = statement('analytics.find_channel_rules', { account_id: 'uuid' }).returns<RulesRow>(
  'select rules, version from channel_rules where account_id = :account_id',
);

/** The rules in their order; version 0 before any were written. */
export async function readChannelRules(tx: Tx, accountId: string): Promise<RulesRow> {
  const [row] = await findRules(tx, { account_id: accountId });
  return row ?? { rules: [], version: 0 };
}

/** Replaces the rules if they still have the version. No row otherwise. */
export const writeRules = statement('analytics.write_channel_rules', {
  account_id: 'uuid',
  rules: 'jsonb',
  version: 'integer',
  now: 'timestamptz',
}).returns<RulesRow>(
  `insert into channel_rules as r (account_id, rules, version, updated_at)
   select :account_id, :rules, 1, :now
   where :version = 0 or exists (select from channel_rules where account_id = :account_id)
   on conflict (account_id) do update
     set rules = excluded.rules, version = r.version + 1, updated_at = excluded.updated_at
     where r.version = :version
   returning rules, version`,
);
