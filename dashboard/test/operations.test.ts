/** What people do day by day, each from its beginning to its end, with what goes wrong on the way. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { launchBrowser } from '../../tracker/test/browser.ts';
import { type Furnished, furnish } from './furnish.ts';
import { openPage } from './open-page.ts';
import { type Account, startDashboardService } from './service.ts';

const service = await startDashboardService();
const browser = await launchBrowser();

describe('operations', () => {
  let account: Account;
  let shop: Furnished;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    shop = await furnish(service.url, account.token, account.apiKey);
  });

  it('a list whose answer is lost, and then its page, goes on where it was, and counts nothing twice', async () => {
    const { client } = shop;
    const count = async () => (await client.listConversions({ q: 'click-25', pageSize: 100 }).all()).length;
    const { page, complaints } = await openPage(browser, service.url, {}, '/conversions/report');
    const rows = Array.from({ length: 1_200 }, (_, i) => `${i % 50 === 0 ? 'click-25' : 'nobody'},${i}.5`);
    const choose = () =>
      page.getByLabel('A list of conversions').setInputFiles({
        name: 'sales.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['gclid,value', ...rows].join('\n')),
      });
    await choose();
    await page.getByText('No column is the order number').waitFor();
    await page.getByRole('button', { name: 'Check them' }).click();
    // The second batch arrives, and its answer does not.
    let batches = 0;
    await page.route('**/report-conversion', async (route) => {
      if (++batches === 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Report 1,200' }).click();
    await page.getByText('Stopped after line 501: 500 of 1,200 rows were sent').waitFor({ timeout: 60_000 });
    assert.equal(await count(), 20);
    await page.unroute('**/report-conversion');
    await page.reload();
    await choose();
    await page.getByLabel('Go on behind the 500 rows that were answered, of 1,200').waitFor();
    await page.getByRole('button', { name: 'Check them' }).click();
    await page.getByRole('button', { name: 'Report 700' }).click();
    await page.getByText('All 1,200 rows were sent.').waitFor();
    assert.equal(await count(), 24);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});
