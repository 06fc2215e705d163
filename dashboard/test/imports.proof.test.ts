// Slow: a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

const FIELDS = [
  { id: 'title', label: 'Title', type: 'text' as const, required: true },
  { id: 'price', label: 'Price', type: 'number' as const },
  { id: 'tags', label: 'Tags', type: 'text' as const, repeated: true },
];

describe('imports and exports of entries', () => {
  let client: ReturnType<typeof createClient>;
  let collectionId: string;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    collectionId = (await client.createCollection({ name: 'Offers', fields: FIELDS })).id;
    await client.createEntry({ collectionId }, { values: { title: 'Tent', price: 100 } });
  });

  const valuesOf = async () => (await client.listEntries({ collectionId }).all()).map(({ values }) => values);
  const fits = async (page: Page) => {
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 390);
    await page.setViewportSize({ width: 1360, height: 860 });
  };

  it('a CSV file is mapped, previewed with its errors, imported and undone', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Import CSV' }).click();
    await page.getByRole('heading', { name: 'Import into Offers' }).waitFor();
    await page.getByText('No imports yet').waitFor();
    await fits(page);
    const csv = 'title;Prices;Tags\r\nTent;"1,234";\r\nLamp;20;light|camp\r\n;5;\r\nRope;;\r\n';
    const file = { name: 'offers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.getByLabel('CSV file').setInputFiles(file);

    await page.getByRole('heading', { name: 'offers.csv' }).waitFor();
    await page.getByRole('combobox', { name: 'Field of Prices' }).click();
    await page.getByRole('option', { name: 'Price' }).click();
    await page.getByRole('combobox', { name: 'Separator of Tags' }).click();
    await page.getByRole('option', { name: 'Pipe-separated' }).click();
    await page.getByRole('combobox', { name: 'Import mode' }).click();
    await page.getByRole('option', { name: 'Update entries by Title' }).click();
    await fits(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Preview ready$/ })
      .waitFor();
    await page.getByRole('row', { name: /^2 Price B: 1,234 1,234 is ambiguous/ }).waitFor();
    await page.getByRole('row', { name: /^4 Title / }).waitFor();
    await fits(page);
    assert.equal((await valuesOf()).length, 1, 'the preview writes nothing');

    await page.getByRole('button', { name: 'Change mapping' }).click();
    assert.equal(
      await page.getByRole('combobox', { name: 'Field of Prices' }).inputValue(),
      'Price',
      'the mapping is kept',
    );
    await page.getByRole('combobox', { name: 'Number format' }).click();
    await page.getByRole('option', { name: '1,234.5' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Imported$/ })
      .waitFor();
    assert.deepEqual(await valuesOf(), [
      { title: 'Tent', price: 1234 },
      { title: 'Lamp', price: 20, tags: ['light', 'camp'] },
      { title: 'Rope' },
    ]);
    const [results] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download results' }).click(),
    ]);
    assert.match(readFileSync(await results.path(), 'utf8'), /^\ufeffrow,outcome,id,codes,details\r\n2,updated,ent_/);
    await fits(page);

    await page.getByRole('link', { name: 'Imports into Offers' }).click();
    await page.getByRole('row', { name: /offers\.csv .* Imported 2 new, 1 updated/ }).waitFor();
    await fits(page);
    await page.getByRole('link', { name: 'offers.csv' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Undo import' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Undone$/ })
      .waitFor();
    assert.deepEqual(await valuesOf(), [{ title: 'Tent', price: 100 }]);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('the current view is exported', async () => {
    await client.createEntry({ collectionId }, { values: { title: 'Stove', price: 50 } });
    const options = { colorScheme: 'dark' as const };
    const { page, complaints } = await openPage(browser, service.url, options, `/content/${collectionId}?q=stove`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Start export' }).click();
    const link = page.getByRole('list', { name: 'Exports' }).getByRole('link', { name: 'Download' });
    await link.waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.match(
      readFileSync(await file.path(), 'utf8'),
      /^\ufeffid,title,price,tags,createdAt,updatedAt\r\nent_\w+,Stove,50,,[^\r\n]+\r\n$/,
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
