import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsOf } from './limits.ts';
import { balance, loadsOf, randomOf, type SimulatedAccount, zipfLoads } from './load.ts';

test('few moves balance skewed accounts, and none makes a cell hotter than it must be', () => {
  const cells = ['a', 'b', 'c', 'd'];
  const loads = zipfLoads(2_000, 10_000, 1, randomOf(7));
  assert.ok(Math.abs(loads.reduce((sum, load) => sum + load, 0) - 10_000) < 1e-6);
  const accounts: SimulatedAccount[] = loads.map((load, i) => ({ id: String(i), cell: cells[i % 4] as string, load }));
  const spread = () => Math.max(...loadsOf(accounts, cells).values()) / 2_500;
  const before = spread();
  assert.ok(before > 1.1, 'it is skewed');
  const moves = balance(accounts, cells, 1.1);
  assert.ok(spread() <= 1.1 && moves.length > 0 && moves.length < 100, `${moves.length} moves, ${spread()}`);
  assert.equal(balance(accounts, cells, 1.1).length, 0);
});

test('an account that is larger than the mean stays alone', () => {
  const accounts = [1_000, 10, 10, 10].map((load, i) => ({ id: String(i), cell: 'a', load }));
  balance(accounts, ['a', 'b'], 1.1);
  assert.deepEqual(
    accounts.map(({ cell }) => cell),
    ['a', 'b', 'b', 'b'],
  );
});

test('what a load takes grows with it', () => {
  const [small, large] = [needsOf(1_000), needsOf(1_000_000)];
  assert.deepEqual([small.cells, small.processes], [1, 1]);
  assert.ok(large.cells > 1 && large.processes > large.cells / 10 && large.diskPerDay === 1_000 * small.diskPerDay);
});
