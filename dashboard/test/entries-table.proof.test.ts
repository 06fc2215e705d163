// Slow: a real browser.
/** The table of entries: bulk edit with a preview, and the order and tree of entries. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('the table of entries', () => {
  let client: ReturnType<typeof createClient>;

  before(async () => {
    const account = await service.newAccount('Tables');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
  });

  async function newProducts() {
    const { id: collectionId } = await client.createCollection({
      name: 'Products',
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'price', label: 'Price', type: 'number' },
        { id: 'note', label: 'Note', type: 'text' },
        { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'title', label: 'Title', type: 'text' }] },
      ],
    });
    for (const [title, price] of [
      ['Tent', 129],
      ['Boots', 89],
      ['Lamp', 20],
      ['Rope', 15],
    ] as const) {
      await client.createEntry(
        { collectionId },
        { values: { title, price, note: `About ${title}`, seo: { title: `Buy ${title}` } } },
      );
    }
    return collectionId;
  }

  const rows = (page: Page) => page.getByRole('table', { name: 'Entries' }).getByRole('row');
  const choose = async (page: Page, at: { getByRole: Page['getByRole'] }, box: string, option: string) => {
    await at.getByRole('combobox', { name: box }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('a bulk edit shows what would change, is done together and undone', async () => {
    const collectionId = await newProducts();
    const where = JSON.stringify({ and: [{ price: { lt: '100' } }] });
    const path = `/content/${collectionId}?${new URLSearchParams({ where })}`;
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByText('3 entries').waitFor();
    await page.getByRole('checkbox', { name: 'Select Boots' }).click();
    await page.getByRole('button', { name: 'Bulk edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bulk edit' });
    await choose(page, dialog, 'Field', 'Price');
    await choose(page, dialog, 'Action', 'Increase by');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('1');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('1 of 1 entry will change.').waitFor();
    await dialog.getByRole('row', { name: 'Boots 89 90' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole('radio', { name: 'All that match the filters' }).click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('3 of 3 entries will change.').waitFor();
    const prices = async () =>
      (await client.listEntries({ collectionId, sort: 'createdAt:asc' })).entries.map(
        ({ values }) => (values as { price?: number }).price,
      );
    assert.deepEqual(await prices(), [129, 89, 20, 15], 'a preview changes nothing');
    await dialog.getByRole('button', { name: 'Change 3' }).click();
    await page.getByText('3 changed.').waitFor();
    assert.deepEqual(await prices(), [129, 90, 21, 16]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await rows(page).filter({ hasText: 'Boots' }).filter({ hasText: '89' }).waitFor();
    assert.deepEqual(await prices(), [129, 89, 20, 15]);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a tree is arranged by drag and drop and by menu', async () => {
    const { id: collectionId } = await client.createCollection({
      name: 'Categories',
      tree: true,
      fields: [{ id: 'title', label: 'Title', type: 'text' }],
    });
    const ids: Record<string, string> = {};
    for (const title of ['Camping', 'Tents', 'Climbing']) {
      ids[title] = (await client.createEntry({ collectionId }, { values: { title } })).id;
    }
    const parentOf = async (title: string) =>
      (await client.getEntry({ collectionId, entryId: ids[title] ?? '' })).parentId;
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}`);
    const item = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) });
    await item('Tents').waitFor();
    const [from, to] = [await item('Tents').boundingBox(), await item('Camping').boundingBox()];
    assert(from && to);
    await page.mouse.move(from.x + 20, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + to.height / 2 + 6, { steps: 4 });
    await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 2 });
    await page.mouse.up();
    await page.getByText('Tents moved below Camping.').first().waitFor();
    await item('Tents').getByText('level 2').waitFor({ state: 'attached' });
    assert.equal(await parentOf('Tents'), ids.Camping);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Fold Camping' }).click();
    await item('Tents').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unfold Camping' }).click();
    await page.getByRole('button', { name: 'Move Tents' }).click();
    await page.getByRole('menuitem', { name: 'Move out' }).click();
    await page.getByText('Tents moved after Camping.').first().waitFor();
    assert.equal(await parentOf('Tents'), null);
    await page.getByRole('button', { name: 'Move Climbing' }).click();
    await page.getByRole('menuitem', { name: 'Move below Tents' }).click();
    await item('Climbing').getByText('level 2').waitFor({ state: 'attached' });
    assert.equal(await parentOf('Climbing'), ids.Tents);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
