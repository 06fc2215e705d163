import { badRequest } from '../errors.ts';
import type { Tx } from './tx.ts';

/**
 * A schema can lie in a Citus cluster: Citus keeps all its tables on one node and moves them between nodes. The service connects to the
 * coordinator, which sends each statement to that node. Functions in a select list and triggers are run by the node; everything else
 * that is not a column is computed by the coordinator.
 */

/** Of connections to a cell. Other servers ignore them. Triggers and their settings take effect on the node of the tables. */
export const CITUS_OPTIONS = '-c citus.enable_unsafe_triggers=on -c citus.propagate_set_commands=local';

const MAX_REPEATS = 4;

/**
 * Runs a statement outside a transaction. If the tables move to another node in the middle of it, its first parts were computed for the old
 * one: nothing of it was executed, and it is repeated.
 */
export async function repeatIfMoved<T>(run: () => Promise<T>, repeats = 0): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const hasMoved = /could not find the intermediate result file/.test((error as Error | undefined)?.message ?? '');
    if (!hasMoved || repeats >= MAX_REPEATS) throw error;
    return repeatIfMoved(run, repeats + 1);
  }
}

/** Whether the database has Citus, so that new schemas are distributed. */
async function hasCitus(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query("select exists (select from pg_extension where extname = 'citus') as is_there");
  return rows[0].is_there;
}

/** Whether the tables of the connection's schema are on a node of a Citus cluster. */
export async function isDistributed(tx: Tx): Promise<boolean> {
  if (!(await hasCitus(tx))) return false;
  const { rows } = await tx.query(
    'select exists (select from pg_dist_schema where schemaid = current_schema()::regnamespace) as is_there',
  );
  return rows[0].is_there;
}

/** As Citus itself takes it on each table that a statement changes: others may take it, but a move of the table waits. */
const SHARE_LOCK = 5;

/**
 * The statement by which a transaction keeps the tables of the connection's schema on their node; undefined: they are not
 * distributed. Otherwise a transaction that begins by reading could read on one node and write on another, where its locks
 * and snapshot mean nothing. A move takes its locks in the order of the ids of shards, so that the first one is enough, and no
 * transaction that has it is in a deadlock with the move.
 */
export async function placementLockOf(tx: Tx): Promise<string | undefined> {
  if (!(await isDistributed(tx))) return undefined;
  const { rows } = await tx.query(
    `select min(shardid) as first from pg_dist_shard
     where logicalrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)`,
  );
  return `select lock_shard_metadata(${SHARE_LOCK}, '{${rows[0].first}}')`;
}

/** The table of the node that has the rows of a distributed one: its name stays the same wherever they move. */
export async function shardOf(tx: Tx, schema: string, table: string): Promise<string> {
  const { rows } = await tx.query('select shardid from pg_dist_shard where logicalrelid = $1::regclass', [
    `${schema}.${table}`,
  ]);
  return `${schema}.${table}_${rows[0].shardid}`;
}

/** Transaction ids of a node have fewer bits than this, and the number of moves is above them. */
const ID_BITS = 48;

/** Distributes the tables of the connection's schema, which are new, if the database has Citus. Those in `public` cannot be. */
export async function distributeIfCitus(tx: Tx): Promise<void> {
  if (!(await hasCitus(tx))) return;
  const { rows } = await tx.query('select current_schema() as schema');
  if (rows[0].schema !== 'public') await distributeSchema(tx, rows[0].schema);
}

/**
 * Distributes the tables of a schema.
 *
 * Aggregation runs find new rows by the transaction that inserted them. Of these ids only those of the node agree with what its
 * snapshots see, so a trigger there writes them, and the snapshot is the node's. Each node counts on its own; the number of moves
 * is added in front, so that ids of later nodes are higher. Whatever comes first after a move counts it.
 */
async function distributeSchema(tx: Tx, schema: string): Promise<void> {
  await tx.query('select citus_schema_distribute($1::regnamespace)', [schema]);
  const instance = await shardOf(tx, schema, 'instance');
  await tx.query(
    `create function ${schema}.insertion_base() returns bigint language plpgsql as $$
     declare
       here integer;
       known record;
     begin
       select groupid into here from pg_catalog.pg_dist_local_group;
       loop
         select node, moves into known from ${instance};
         if known.node = here then return known.moves::bigint << ${ID_BITS}; end if;
         update ${instance} set node = here, moves = moves + 1 where node is distinct from here;
       end loop;
     end $$`,
  );
  await tx.query(
    `create or replace function ${schema}.insertion_snapshot() returns pg_snapshot language plpgsql as $$
     declare
       base bigint := ${schema}.insertion_base();
       seen pg_snapshot := pg_current_snapshot();
     begin
       return format('%s:%s:%s', base + pg_snapshot_xmin(seen)::text::bigint, base + pg_snapshot_xmax(seen)::text::bigint,
         (select string_agg((base + xip::text::bigint)::text, ',' order by xip) from pg_snapshot_xip(seen) xip));
     end $$`,
  );
  await tx.query(
    `create function ${schema}.stamp_insertion() returns trigger language plpgsql as $$
     begin
       new.inserted_xid := ${schema}.insertion_base() + pg_current_xact_id()::text::bigint;
       return new;
     end $$`,
  );
  const { rows } = await tx.query<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'inserted_xid' and relnamespace = $1::regnamespace and relkind = 'r' order by 1`,
    [schema],
  );
  // Lower values say that a row was aggregated, or was not by another server.
  for (const { name } of rows) {
    await tx.query(
      `create trigger stamp_insertion before insert or update of inserted_xid on ${name} for each row
       when (new.inserted_xid > 3) execute function ${schema}.stamp_insertion()`,
    );
  }
  await countMove(tx);
}

/**
 * Counts a move to another node, if there was one. Otherwise the next transaction that inserts does, and all others wait until it ends:
 * call this ahead of one that is long.
 */
export async function countMove(tx: Tx): Promise<void> {
  await tx.query('select insertion_base() from instance');
}

const NODE = "nodename || ':' || nodeport";

/** The nodes that can have tables. */
export async function nodesOf(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query(
    `select ${NODE} as node from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards order by nodeid`,
  );
  return rows.map(({ node }) => node);
}

/** The cluster of the connection, and its schema. */
export async function clusterIdOf(tx: Tx): Promise<{ cluster: string; schema: string }> {
  const { rows } = await tx.query(
    "select metadata->>'server_id' as cluster, current_schema()::text as schema from pg_dist_node_metadata",
  );
  return rows[0];
}

/** The schemas that Citus would move to other nodes. @throws ApiError 400 `strategy_unknown` */
export async function planRebalance(tx: Tx, strategy: string | undefined): Promise<{ schema: string; node: string }[]> {
  const { rows: known } = await tx.query('select name::text from pg_dist_rebalance_strategy order by name');
  const names = known.map(({ name }) => name);
  if (strategy !== undefined && !names.includes(strategy)) {
    throw badRequest('strategy_unknown', `The cluster has no such strategy. Its strategies are ${names.join(', ')}.`);
  }
  const { rows } = await tx.query(
    `select nspname::text as schema, targetname || ':' || targetport as node, min(step) as step
     from get_rebalance_table_shards_plan(rebalance_strategy := $1) with ordinality
       as plan (table_name, shardid, shard_size, sourcename, sourceport, targetname, targetport, step)
     join pg_class on pg_class.oid = table_name join pg_namespace on pg_namespace.oid = relnamespace
     join pg_dist_schema on schemaid = relnamespace
     group by 1, 2 order by step`,
    [strategy ?? null],
  );
  return rows;
}

/** The node that has the tables of the connection's schema. */
export async function nodeOf(tx: Tx): Promise<string> {
  const { rows } = await tx.query(
    `select ${NODE} as node from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
     where logicalrelid = 'instance'::regclass and noderole = 'primary'`,
  );
  return rows[0].node;
}

/** The size of the tables of the connection's schema, and the rows inserted into some of them since the statistics of the node began. */
export async function measureDistributed(
  tx: Tx,
  counted: readonly string[],
): Promise<{ bytes: number; recorded: number }> {
  const { rows: shards } = await tx.query(
    `select relname as name, relnamespace::regnamespace || '.' || relname || '_' || shardid as shard
     from pg_class join pg_dist_shard on logicalrelid = pg_class.oid where relnamespace = current_schema()::regnamespace`,
  );
  const names = shards.map(({ shard }) => shard);
  // The node computes what is selected from a table of it.
  const { rows } = await tx.query(
    `select (select sum(pg_total_relation_size(to_regclass(name))) from unnest($1::text[]) name)::bigint as bytes,
       (select sum(pg_stat_get_tuples_inserted(to_regclass(name))) from unnest($2::text[]) name)::bigint as recorded
     from instance`,
    [names, shards.filter(({ name }) => counted.includes(name)).map(({ shard }) => shard)],
  );
  return rows[0];
}
