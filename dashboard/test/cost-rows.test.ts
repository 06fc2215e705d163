import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guessColumns, readCost, sumCosts } from '../src/ad-costs/cost-rows.ts';

describe('a CSV of ad spend', () => {
  it('has its columns detected in the reports of ad platforms', () => {
    const google = guessColumns(['Day', 'Campaign', 'Currency code', 'Cost', 'Clicks', 'Impr.']);
    assert.deepEqual(google.columns, ['date', 'campaign', 'currency', 'cost', 'clicks', 'impressions']);
    const meta = guessColumns(['Reporting starts', 'Campaign name', 'Amount spent (EUR)', 'Reach', 'Link clicks']);
    assert.deepEqual(meta, { columns: ['date', 'campaign', 'cost', null, 'clicks'], currency: 'EUR' });
  });

  it('has rows with an unreadable cell reported, and none guessed', () => {
    const columns = (['date', 'source', 'cost', 'currency', 'clicks'] as const).slice();
    const read = (...row: string[]) => readCost(row, columns, null, { source: '', currency: '' });
    const errorOf = (...row: string[]) => {
      const result = read(...row);
      return 'error' in result ? result.error : null;
    };
    assert.deepEqual(read('2026-11-20', 'google', '€1,234.50', 'eur', '1,000'), {
      cost: { date: '2026-11-20', source: 'google', campaign: null, cost: '1234.50', currency: 'EUR', clicks: 1_000 },
    });
    assert.deepEqual(errorOf('03/04/2026', 'google', '1', 'EUR', ''), { column: 'date', cell: '03/04/2026' });
    assert.deepEqual(errorOf('2026-02-30', 'google', '1', 'EUR', ''), { column: 'date', cell: '2026-02-30' });
    assert.deepEqual(errorOf('2026-11-20', 'google', '-1', 'EUR', ''), { column: 'cost', cell: '-1' });
    assert.deepEqual(errorOf('2026-11-20', '', '1', 'EUR', ''), { column: 'source', cell: '' });
    assert.deepEqual(errorOf('2026-11-20', 'google', '1', 'Euro', ''), { column: 'currency', cell: 'Euro' });
    assert.deepEqual(errorOf('2026-11-20', 'google', '1', 'EUR', '1.5'), { column: 'clicks', cell: '1.5' });
  });

  it('has the rows of one campaign and day added up exactly', () => {
    const row = { date: '2026-11-20', source: 'google', campaign: 'a', currency: 'EUR' };
    const costs = [
      { ...row, cost: '0.1', clicks: 1 },
      { ...row, cost: '0.2', clicks: 2 },
      { ...row, campaign: 'b', cost: '5' },
    ];
    assert.deepEqual(sumCosts(costs), [
      { ...row, cost: 0.3, clicks: 3 },
      { ...row, campaign: 'b', cost: 5 },
    ]);
  });
});
