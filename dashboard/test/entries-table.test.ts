// Slow: a real browser.
/** The table of entries: conditions with and, or, and saved views. */
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

  const choose = async (page: Page, at: { getByRole: Page['getByRole'] }, box: string, option: string) => {
    await at.getByRole('combobox', { name: box }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  it('conditions are combined by and, or and not; the view is saved with its columns for oneself or all', async () => {
    const collectionId = await newProducts();
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}`);
    await page.getByText('4 entries').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Combine with and, or' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByText('Any (or)').first().click();
    const condition = (n: number) => dialog.getByRole('group', { name: `Condition ${n}` });
    await choose(page, condition(1), 'Field', 'Title');
    await choose(page, condition(1), 'Condition', 'starts with');
    await condition(1).getByRole('textbox', { name: 'Value' }).fill('te');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    const group = dialog.getByRole('group').filter({ has: page.getByRole('radiogroup', { name: 'Group 2 match' }) });
    const inner = group.last().getByRole('group', { name: 'Condition 1' });
    await choose(page, inner, 'Field', 'Price');
    await choose(page, inner, 'Condition', 'is less than');
    await inner.getByRole('textbox', { name: 'Value' }).fill('50');
    await group.last().getByRole('button', { name: 'Add condition' }).click();
    const second = group.last().getByRole('group', { name: 'Condition 2' });
    await choose(page, second, 'Field', 'SEO › Title');
    await second.getByRole('textbox', { name: 'Value' }).fill('lamp');
    assert.deepEqual(await faultsOf(page), []);
    const listed = page.waitForRequest((request) => request.url().includes('where='));
    await dialog.getByRole('button', { name: 'Apply' }).click();
    const sent = new URL((await listed).url()).searchParams;
    assert.deepEqual(JSON.parse(sent.get('where') ?? ''), {
      or: [{ title: { startsWith: 'te' } }, { and: [{ price: { lt: '50' } }, { 'seo.title': { contains: 'lamp' } }] }],
    });
    await page.getByText('2 entries').waitFor();
    const text = 'Title starts with te or (Price is less than 50 and SEO › Title contains lamp)';
    await page.getByRole('button', { name: `Remove filter: ${text}` }).waitFor();

    const selected = page.waitForRequest((request) => /select=/.test(request.url()) && !/note/.test(request.url()));
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Note', 'SEO']) await page.getByRole('menuitemcheckbox', { name }).click();
    assert.equal(new URL((await selected).url()).searchParams.get('select')?.includes('note'), false);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Cheap or tents');
    await page.getByRole('switch', { name: 'Shared' }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Cheap or tents saved.').waitFor();
    assert.deepEqual(
      (await client.listEntryViews({ collectionId })).views.map(({ name, shared, state }) => [
        name,
        shared,
        state.columns,
      ]),
      [['Cheap or tents', true, ['title', 'price']]],
    );
    await page.goto(`/content/${collectionId}`);
    await page.getByText('4 entries').waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Cheap or tents (shared)' }).click();
    await page.getByText('2 entries').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Note' }).count(), 0);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('entries are chosen by what is published of them, in the URL and beside other conditions', async () => {
    const title = { id: 'title', label: 'Title', type: 'text' as const };
    const { id: collectionId } = await client.createCollection({ name: 'News', fields: [title], publishing: true });
    for (const name of ['Draft', 'Live', 'Changed']) {
      const { id: entryId } = await client.createEntry({ collectionId }, { values: { title: name } });
      if (name !== 'Draft') await client.publishEntry({ collectionId, entryId });
      if (name === 'Changed')
        await client.updateEntry({ collectionId, entryId }, { values: { title: 'Changed twice' } });
    }
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) await client.createCollection({ name, fields: [title] });
    await client.createCollection({ name: 'Site header', fields: [title], singleton: true });
    const where = JSON.stringify({ and: [{ title: { contains: 'l' } }] });
    const at = `/content/${collectionId}?where=${encodeURIComponent(where)}`;
    const { page, complaints } = await openPage(browser, service.url, {}, at);
    await page.getByRole('row', { name: 'Live' }).waitFor();
    // Single entries are in the navigation, however many collections there are.
    const places = page.getByRole('navigation', { name: 'Main' });
    await places.getByRole('link', { name: 'Site header' }).waitFor();
    assert.equal(await places.getByRole('link', { name: /^[A-F]$/ }).count(), 4);
    const status = page.getByRole('main').getByRole('combobox', { name: 'Status' });
    await choose(page, page.getByRole('main'), 'Status', 'Draft');
    await page.getByText('No matching entries').waitFor();
    await page.getByRole('button', { name: /^Remove filter: Title/ }).click();
    await page.getByRole('row', { name: 'Draft' }).waitFor();
    await choose(page, page.getByRole('main'), 'Status', 'Unpublished changes');
    await page.getByRole('row', { name: 'Changed twice' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.reload();
    await page.getByRole('row', { name: 'Changed twice' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 2);
    assert.equal(await status.inputValue(), 'Unpublished changes');
    await page.getByRole('button', { name: 'Edit filters' }).click();
    const condition = page.getByRole('dialog').getByRole('group', { name: 'Condition 1' });
    await choose(page, condition, 'Condition', 'is not');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Remove filter: Status is not Unpublished changes' }).waitFor();
    await page.getByRole('row', { name: 'Live' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 3);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
