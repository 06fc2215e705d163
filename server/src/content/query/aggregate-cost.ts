import { badRequest } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { ListingParameters, type Scope } from '../listing/key-sql.ts';
import { nameOf } from '../listing/statement-names.ts';

/** Microseconds that an entry takes to be read, and each value of it that is no sort key. */
const ENTRY = 2;
const VALUE = 12;

/** How long an aggregation may take, of the 9.5 seconds of a request. */
const MOST_MS = 8_000;

/**
 * Refuses to aggregate all entries of a collection if that would take too long.
 * @param values how many values are read from the JSON text of each entry
 * @throws ApiError 400 `query_too_expensive`
 */
export async function refuseExpensive(tx: Tx, scope: Scope, values: number, mostMs = MOST_MS): Promise<void> {
  const most = Math.floor((mostMs * 1_000) / (ENTRY + VALUE * values));
  const parameters = new ListingParameters(scope);
  const { entries, account, collection } = parameters;
  const limit = parameters.add('bigint', most + 1);
  // Most tables are so small altogether that nothing has to be counted.
  const text = `select case when (select reltuples from pg_class where oid = '${entries}'::regclass) < ${limit} then 0 else (
      select count(*) from (
        select from ${entries} where account_id = ${account} and collection_id = ${collection} and status = 'active'
        limit ${limit}
      ) as counted
    ) end as count`;
  const { rows } = await tx.query<{ count: number }>({ name: nameOf(text), text, values: parameters.values });
  if (Number(rows[0]?.count) <= most) return;
  const detail =
    `The query would read more than ${most.toLocaleString('en')} entries. Add a condition that an index finds: eq, in or a range of a ` +
    `field, without not${values > 0 ? ', or leave out paths through groups, references and lists' : ''}.`;
  throw badRequest('query_too_expensive', detail);
}
