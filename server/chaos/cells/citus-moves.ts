import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { atEnd } from '../../test/at-end.ts';
import { commandJson } from '../../test/service-process.ts';
import { until } from '../../test/until.ts';
import {
  check,
  createInstallation,
  load,
  loadFindings,
  moveAccount,
  newAccount,
  readReports,
  startExport,
} from '../moves.ts';
import { defineProof, type Finding, finding, sideBySide, skipped } from '../proof.ts';

const CELLS = ['one', 'two', 'three'] as const;
const STRATEGY = 'by_shard_count';

/**
 * Needs the URL of a Citus coordinator with two workers (`CITUS_URL`) and the `host:port` of a third server that is not yet
 * one of them (`CITUS_NEW_NODE`).
 */
export const citusMoves = defineProof({
  title:
    'Three cells of a Citus cluster under load: an account arrives, a cell is moved between nodes, a node is added and the cluster rebalanced, the account leaves.',
  /** `accounts`: whether an account also arrives from another database, and leaves; `rebalancer`: whether that of Citus moves the cell. */
  parameters: { moves: 4, events: 3_000, accounts: 1, rebalancer: 0 },
  async run({ moves, events, accounts: movesAccounts, rebalancer }, log) {
    const { CITUS_URL, CITUS_NEW_NODE } = process.env;
    if (!CITUS_URL || !CITUS_NEW_NODE)
      return [skipped('cells move within a cluster', 'CITUS_URL or CITUS_NEW_NODE is not set')];
    const cluster = await connect(CITUS_URL);
    atEnd(() => cluster.end().catch(() => {}));
    const base = await createInstallation();
    const prefix = `chaos_${randomBytes(4).toString('hex')}`;
    const accounts = new Map<string, Awaited<ReturnType<typeof newAccount>>>();
    for (const cell of CELLS) {
      const schema = `${prefix}_${cell}`;
      await commandJson(['cells', 'add', cell, CITUS_URL, '--schema', schema], base.env);
      atEnd(() => cluster.query(`drop schema if exists ${schema} cascade`).catch(() => {}));
      accounts.set(cell, await newAccount(base, cell === 'three' && movesAccounts > 0 ? 'main' : cell));
    }
    const urlOf = (cell: string) => `${CITUS_URL}${CITUS_URL.includes('?') ? '&' : '?'}schema=${prefix}_${cell}`;
    const nodes = await nodesOf(cluster);
    const [first = '', second = ''] = nodes;
    for (const [cell, node] of [
      ['one', first],
      ['two', first],
      ['three', second],
    ] as const) {
      await commandJson(['cells', 'move', cell, '--node', node], base.env);
    }
    const last = accounts.get('three') as Awaited<ReturnType<typeof newAccount>>;

    const loads = [...accounts].map(([cell, at]) => ({
      cell,
      at,
      stop: load(at, events / CELLS.length),
      reading: readReports(at),
    }));
    const timed = async (what: string, work: () => Promise<unknown>) => {
      await sleep(2_000);
      const startedAt = performance.now();
      await work();
      log(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
      for (const { at } of loads) await startExport(at);
    };
    if (movesAccounts > 0) await timed('an account arrives', () => moveAccount(last, 'three'));
    for (let i = 0; i < moves; i++) {
      const node = i % 2 === 0 ? second : first;
      await timed(`one to ${node}`, () => commandJson(['cells', 'move', 'one', '--node', node], base.env));
    }
    const before = await placements(cluster, prefix);
    await timed('a node is added, and the cluster rebalanced', async () => {
      await addNode(cluster, CITUS_NEW_NODE);
      await (rebalancer > 0
        ? runRebalancer(cluster)
        : commandJson(['cells', 'rebalance', '--strategy', STRATEGY], base.env));
    });
    const after = await placements(cluster, prefix);
    if (movesAccounts > 0) await timed('the account leaves', () => moveAccount(last, 'main'));

    const findings = new Map<string, Finding[]>();
    for (const { cell, at, stop, reading } of loads) {
      const reports = await reading.stop();
      const result = await stop();
      const url = cell === 'three' && movesAccounts > 0 ? base.env.DATABASE_URL : urlOf(cell);
      findings.set(cell, [
        ...loadFindings(result, events / CELLS.length),
        reports,
        ...(await check(at, `a schema of ${cell}`, url, result)),
      ]);
    }
    const moved = finding('the new node has cells', `before ${before}; after ${after}`, after.includes(CITUS_NEW_NODE));
    return [moved, ...sideBySide(findings)];
  },
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function nodesOf(cluster: pg.Client): Promise<string[]> {
  const { rows } = await cluster.query(
    "select nodename || ':' || nodeport as node from pg_dist_node where shouldhaveshards and isactive order by nodeid",
  );
  return rows.map(({ node }) => node);
}

async function placements(cluster: pg.Client, prefix: string): Promise<string> {
  const { rows } = await cluster.query(
    `select distinct split_part(table_name::text, '.', 1) as schema, nodename || ':' || nodeport as node
     from citus_shards where table_name::text like $1 || '%' order by 1`,
    [prefix],
  );
  return rows.map(({ schema, node }) => `${schema.slice(prefix.length + 1)} on ${node}`).join(', ');
}

async function addNode(cluster: pg.Client, node: string): Promise<void> {
  const [host, port] = node.split(':');
  await cluster.query('select citus_add_node($1, $2)', [host, Number(port)]);
}

async function runRebalancer(cluster: pg.Client): Promise<void> {
  await cluster.query('select citus_rebalance_start(rebalance_strategy := $1)', [STRATEGY]);
  await until(async () => {
    const { rows } = await cluster.query(
      "select state from citus_job_status((select max(job_id) from pg_dist_background_job)) where state <> 'finished'",
    );
    if (rows.some(({ state }) => ['failed', 'cancelled'].includes(state))) throw new Error('the rebalance failed');
    return rows.length === 0;
  }, 180_000);
}
