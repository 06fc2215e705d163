// Slow: a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { furnish } from './furnish.ts';
import { closePage, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('ad spend', () => {
  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    await furnish(service.url, account.token, account.apiKey);
  });

  it('is imported from a CSV and compared with conversions by campaign', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/ad-costs');
    await page.getByRole('heading', { name: 'No ad spend in this period' }).waitFor();
    await page.getByRole('link', { name: 'Import ad spend' }).first().click();
    const today = new Date().toISOString().slice(0, 10);
    const [year, month, day] = today.split('-');
    await page.getByLabel('CSV file of ad spend').setInputFiles({
      name: 'google.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Day;Campaign;Cost;Clicks\n${today};lakes;"1.234,50";40\n${day}.${month}.${year};lakes;0,50;1\nTotal;;1235;41\n`,
      ),
    });
    await page.getByRole('textbox', { name: 'Source' }).fill('google');
    await page.getByRole('textbox', { name: 'Currency' }).fill('eur');
    // The day may be above 12, which proves the format.
    const format = page.getByRole('combobox', { name: 'Date format' });
    if ((await format.inputValue()) === '') {
      await format.click();
      await page.getByRole('option', { name: /^Day first/ }).click();
    }
    await page.getByText('Line 4, Day: “Total”').waitFor();
    await page.getByRole('checkbox', { name: 'Skip these rows' }).check();
    await page.getByRole('button', { name: 'Import 1' }).click();
    const table = page.getByRole('table', { name: 'Ad performance' });
    await table.getByRole('cell', { name: 'google' }).waitFor();
    await page.getByRole('radiogroup', { name: 'Ad spend by' }).getByText('Campaigns').click();
    const row = table.getByRole('row', { name: /lakes/ });
    await row.getByText('€1,235.00').first().waitFor();
    await row.getByText('41', { exact: true }).waitFor();
    // The overview and its attribution show it, too.
    await page.goto('/overview');
    await table
      .getByRole('row', { name: /google/ })
      .getByText('€1,235.00')
      .first()
      .waitFor();
    const attribution = page.getByRole('table', { name: 'Attribution' });
    await attribution.getByRole('columnheader', { name: 'Ad spend' }).waitFor();
    await attribution
      .getByRole('row', { name: /google/ })
      .getByText(/^CPA €/)
      .first()
      .waitFor();
    await attribution
      .getByRole('row', { name: /google/ })
      .getByText(/^ROAS \d/)
      .first()
      .waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('is read from ad accounts, and what led to no session is assigned', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/ad-costs/sources');
    await page.getByRole('button', { name: 'Connect ad account' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Connect ad account' });
    await dialog.getByRole('combobox', { name: 'Platform' }).click();
    await page.getByRole('option', { name: 'TikTok' }).click();
    await dialog.getByRole('textbox', { name: 'Advertiser ID' }).fill('7012345');
    await dialog.getByRole('textbox', { name: 'Access token' }).fill('secret-token');
    await dialog.getByRole('switch', { name: 'Read each hour' }).uncheck({ force: true });
    await dialog.getByRole('button', { name: 'Connect' }).click();
    const row = page.getByRole('table', { name: 'Ad spend sources' }).getByRole('row', { name: /TikTok/ });
    await row.getByText('7012345').waitFor();
    await row.getByText('Off', { exact: true }).waitFor();
    // Imported for a campaign that no session has.
    await page.goto('/ad-costs/add');
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('CSV file of ad spend').setInputFiles({
      ...{ name: 'google.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`Day;Campaign;Cost;Source;Currency\n${today};forgotten;12.50;google;EUR\n`),
    });
    await page.getByRole('button', { name: 'Import 1' }).click();
    // It shows the page of ad spend once the rows are stored.
    await page.getByRole('table', { name: 'Ad performance' }).getByRole('cell', { name: 'google' }).waitFor();
    await page.goto('/ad-costs/sources');
    const unmatched = page
      .getByRole('table', { name: 'Ad spend without sessions' })
      .getByRole('row', { name: /forgotten/ });
    await unmatched.getByText('€12.50').waitFor();
    await unmatched.getByRole('button', { name: /Assign/ }).click();
    const assign = page.getByRole('dialog', { name: 'Assign forgotten' });
    await assign.getByRole('combobox', { name: 'Campaign of its sessions' }).fill('Lakes');
    await assign.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('Sessions of google with “lakes” count for “forgotten”.').waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
