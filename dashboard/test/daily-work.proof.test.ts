// Slow: a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Furnished, furnish } from './furnish.ts';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

describe('daily work', () => {
  let account: Account;
  let shop: Furnished;

  before(async () => {
    account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    shop = await furnish(service.url, account.token, account.apiKey);
    const properties = { gclid: 'click-0', email: 'ida@outdoor.example', step: 2 };
    await shop.client.recordEvent({ api_key: account.apiKey, event: 'signup', properties });
    await shop.client.reportConversion({ gclid: 'never-seen', value: 12, currency: 'EUR', eventId: 'order-lost' });
  });

  it('create a collection with a select field and an entry in it', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/content');
    await page.getByRole('link', { name: 'New collection' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Offers');
    await page.getByRole('textbox', { name: 'Field' }).fill('Title');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('textbox', { name: 'Field' }).nth(1).fill('Season');
    await page.getByRole('combobox', { name: 'Type' }).nth(1).click();
    await page.getByRole('option', { name: 'Select' }).click();
    await page.getByPlaceholder('Label').fill('Summer');
    await page.getByRole('button', { name: 'Create collection' }).click();

    await page.getByRole('heading', { name: 'Offers', exact: true }).waitFor();
    await page.getByRole('link', { name: 'New entry' }).first().click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Tents');
    await page.getByRole('combobox', { name: 'Season' }).click();
    await page.getByRole('option', { name: 'Summer' }).click();
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByRole('heading', { name: 'Tents', exact: true }).waitFor();
    const offers = (await shop.client.listCollections().all()).find(({ name }) => name === 'Offers');
    const [entry] = await shop.client.listEntries({ collectionId: offers?.id ?? '' }).all();
    assert.deepEqual(entry?.values, { title: 'Tents', season: 'summer' });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('highlight what the service rejected and keep the input', async () => {
    const { page } = await openPage(browser, service.url, {}, `/content/${shop.landingPages}/new`);
    await page.getByRole('textbox', { name: 'Address' }).fill('nowhere');
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByText('Fix the highlighted fields.').waitFor();
    assert.equal(await page.locator('[aria-invalid=true]').count(), 2);
    assert.equal(await page.getByRole('textbox', { name: 'Address' }).inputValue(), 'nowhere');
    await closePage(page);
  });

  it('sort, search, filter and edit in the table', async () => {
    const { page } = await openPage(browser, service.url, {}, `/content/${shop.landingPages}`);
    await page.getByRole('button', { name: 'Budget', exact: true }).click();
    await page.waitForURL(/sort=budget/);
    await page.locator('tbody tr').first().filter({ hasText: 'Free shipping until Sunday' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search Landing pages' }).fill('sale');
    await page.waitForURL(/q=sale/);
    await page.getByText('1 entry', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit Budget of Summer sale: tents from 129' }).click();
    await page.getByRole('textbox', { name: 'Budget' }).fill('777');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '777' }).waitFor();
    const entry = await shop.client.getEntry({ collectionId: shop.landingPages, entryId: shop.entryIds[0] ?? '' });
    assert.equal(entry.values.budget, 777);
    await closePage(page);
  });

  it('show a concurrent change of an entry and lose neither change', async () => {
    const [, entryId = ''] = shop.entryIds;
    const path = { collectionId: shop.landingPages, entryId };
    const { page } = await openPage(browser, service.url, {}, `/content/${shop.landingPages}/${entryId}`);
    await page.getByRole('textbox', { name: 'Budget' }).fill('1');
    await page.getByRole('textbox', { name: 'Headline' }).fill('Mine');
    await shop.client.updateEntry(path, { values: { headline: 'Theirs' } });
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Someone else changed this entry' });
    await conflict.getByRole('radio', { name: 'Headline: theirs' }).check();
    assert.deepEqual(await faultsOf(page), []);
    await conflict.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
    const { values } = await shop.client.getEntry(path);
    assert.deepEqual([values.headline, values.budget], ['Theirs', 1]);
    await closePage(page);
  });

  it('upload a dropped file and show where it is used', async () => {
    const { page } = await openPage(browser, service.url, {}, '/files');
    const [file] = await shop.client.listFiles().all();
    const picture = Buffer.from(await (await fetch(file?.url ?? '')).arrayBuffer());
    await page.getByLabel('Files to upload').setInputFiles({
      name: 'dropped.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([picture, Buffer.from('x')]),
    });
    await page.getByText('Uploaded', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'summer-lake.jpg' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('link', { name: 'Landing pages: Free shipping until Sunday' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await closePage(page);
  });

  it('create an export and offer it for download', async () => {
    const { page } = await openPage(browser, service.url, {}, '/exports');
    await page.getByRole('button', { name: 'Start export' }).click();
    const download = page.getByRole('link', { name: 'Download' });
    await download.waitFor();
    const answer = await fetch((await download.getAttribute('href')) ?? '');
    assert.equal((await answer.text()).trim().split('\n').length, 13);
    await closePage(page);
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await openPage(browser, service.url);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    await page.keyboard.type('tracking');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tracking' }).waitFor();
    await page.getByRole('combobox', { name: 'Allowed domains' }).fill('https://shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    assert.deepEqual((await shop.client.getTrackingSettings()).allowedOrigins, ['https://shop.example']);
    await closePage(page);
  });

  it('find a session by any identifier, and adjust the value of its conversion', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/sessions');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('click-0');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Ad platform' }).click();
    await page.getByRole('combobox', { name: 'Value' }).fill('Google Ads');
    await page.keyboard.press('Enter');
    await page.waitForURL(/platform=gclid/);
    await page.getByRole('button', { name: 'Remove filter: Ad platform: Google Ads' }).waitFor();
    await atRest(page);
    await page.getByRole('row').nth(1).getByRole('link', { name: 'ida@outdoor.example' }).click();
    await page.getByRole('heading', { level: 1, name: 'ida@outdoor.example' }).waitFor();
    await page.getByText('Ad click: google').waitFor();
    await page.getByText('signup', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^conversion: €89.90/ }).click();
    await page.getByRole('heading', { level: 1, name: 'conversion: €89.90' }).waitFor();
    await page.getByRole('button', { name: 'Adjust value' }).click();
    await page.getByRole('textbox', { name: 'New value in EUR' }).fill('40.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Adjust value' }).click();
    await page.getByRole('heading', { level: 1, name: 'conversion: €40.50' }).waitFor();
    await page.getByText('Value adjusted to €40.50').waitFor();
    await page.goto('/conversions?list=unmatched');
    await page.getByText('Unmatched conversions').waitFor();
    await page.getByText('order-lost').waitFor();
    await page.goto('/leads?q=IDA');
    await page.getByRole('link', { name: 'ida@outdoor.example' }).waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('reject a key as soon as it is revoked', async () => {
    const { page } = await openPage(browser, service.url, {}, '/settings/keys');
    await page.getByRole('button', { name: 'Revoke First token' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key revoked.').waitFor();
    const refused = await fetch(`${service.url}/v1/limits`, { headers: { 'x-api-key': `Bearer ${account.token}` } });
    assert.equal(refused.status, 401);
    await closePage(page);
  });
});
