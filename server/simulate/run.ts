/**
 * `npm run simulate -- alerts` is in run-alerts.ts, `npm run simulate -- roas` in run-roas.ts, `npm run simulate -- ledger` in run-ledger.ts, `npm run simulate -- experiments` in run-experiments.ts.
 *
 * `npm run simulate [-- --accounts=10000 --cells=8 --events=100000 --skew=1 --seed=1]` places accounts with skewed load in cells by
 * the code that places new accounts, and prints the load of each cell, the moves that balance it, and what a load takes on paper.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount } from '../src/accounts/index.ts';
import { addPreparedCell } from '../src/cells/commands.ts';
import { readConfig } from '../src/shared/config.ts';
import { createLog } from '../src/shared/log.ts';
import { MAIN } from '../src/shared/main-cell.ts';
import { openStore } from '../src/shared/postgres/open-store.ts';
import { ASSUMPTIONS, needsOf } from './limits.ts';
import { balance, loadsOf, randomOf, type SimulatedAccount, zipfLoads } from './load.ts';

const DEFAULTS = { accounts: 10_000, cells: 8, events: 100_000, skew: 1, seed: 1 };
const TOLERANCE = 1.1;
const TARGETS = [1_000, 10_000, 50_000, 100_000, 250_000, 1_000_000];

const format = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const table = (heads: string[], rows: (string | number)[][]) =>
  console.log(
    [heads, heads.map(() => '---'), ...rows]
      .map((row) => `| ${row.map((cell) => (typeof cell === 'number' ? format.format(cell) : cell)).join(' | ')} |`)
      .join('\n'),
  );

/** Creates the accounts in a database of its own, which places them. */
async function place({ accounts, cells }: typeof DEFAULTS): Promise<{ id: string; cell: string }[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-simulate-'));
  chmodSync(dataDir, 0o700);
  const store = await openStore(readConfig({ DATA_DIR: dataDir }), 'service', createLog('silent'));
  try {
    const control = store.db;
    for (let i = 1; i < cells; i++) {
      await addPreparedCell(control, store.instance.secret, `cell-${i}`, 'postgres://nowhere.invalid/cell', Date.now());
    }
    // One after the other, so that the same options give the same result.
    for (let i = 0; i < accounts; i++) await createAccount(control, String(i));
    return (await control.query('select id, cell from accounts order by name::int')).rows;
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function printLoads(accounts: readonly SimulatedAccount[], cells: readonly string[]): void {
  const loads = loadsOf(accounts, cells);
  const mean = [...loads.values()].reduce((a, b) => a + b, 0) / cells.length;
  table(
    ['Cell', 'Accounts', 'Events/s', 'Of the mean', 'Cores of PostgreSQL', 'Largest account, events/s'],
    [...loads]
      .sort(([, a], [, b]) => b - a)
      .map(([cell, load]) => {
        const inside = accounts.filter((account) => account.cell === cell);
        const largest = Math.max(0, ...inside.map((account) => account.load));
        const cores = (load * ASSUMPTIONS.databaseMicroseconds) / 1e6;
        return [cell, inside.length, load, `${(load / mean).toFixed(2)}`, cores.toFixed(1), largest];
      }),
  );
}

if (process.argv[2] === 'experiments') {
  await import('./run-experiments.ts');
  process.exit();
}
if (process.argv[2] === 'alerts') {
  await import('./run-alerts.ts');
  process.exit();
}
if (process.argv[2] === 'ledger') {
  await import('./run-ledger.ts');
  process.exit();
}
if (process.argv[2] === 'roas') {
  await import('./run-roas.ts');
  process.exit();
}

const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' as const }])),
});
const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const options = { ...DEFAULTS, ...given };
if (Object.values(options).some((value) => !(value >= 0)) || options.cells < 1 || options.accounts < 1) {
  console.error(
    `Options are numbers: ${Object.keys(DEFAULTS)
      .map((name) => `--${name}=${DEFAULTS[name as keyof typeof DEFAULTS]}`)
      .join(' ')}`,
  );
  process.exit(2);
}

const placed = await place(options);
const loads = zipfLoads(placed.length, options.events, options.skew, randomOf(options.seed));
const accounts = placed.map((account, i) => ({ ...account, load: loads[i] ?? 0 }));
const cells = [MAIN, ...Array.from({ length: options.cells - 1 }, (_, i) => `cell-${i + 1}`)];

console.log(
  `## ${format.format(accounts.length)} accounts, ${format.format(options.events)} events/s, skew ${options.skew}\n`,
);
printLoads(accounts, cells);
const moves = balance(accounts, cells, TOLERANCE);
console.log(`\n## After ${moves.length} moves\n`);
for (const { account, from, to } of moves.slice(0, 10)) {
  console.log(`- ${format.format(account.load)} events/s from ${from} to ${to}`);
}
if (moves.length > 10) console.log(`- and ${moves.length - 10} more`);
console.log('');
printLoads(accounts, cells);

console.log('\n## On paper\n');
table(
  [
    'Events/s',
    'Cores of services',
    'Processes',
    'Cores of PostgreSQL',
    'Cells',
    'Connections per cell',
    'Log per cell, MB/s',
    'Disk per day, GB',
  ],
  TARGETS.map((events) => {
    const needs = needsOf(events);
    return [
      events,
      needs.serviceCores.toPrecision(2),
      needs.processes,
      needs.databaseCores.toPrecision(2),
      needs.cells,
      needs.connectionsPerCell,
      needs.logPerCell.toFixed(1),
      needs.diskPerDay,
    ];
  }),
);
console.log(`\nAssumed: ${ASSUMPTIONS.sentences.join('; ')}.`);
