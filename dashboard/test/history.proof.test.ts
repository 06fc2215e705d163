// Slow: a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('history and trash', () => {
  let client: Client;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
  });

  /** Creates a collection with an entry for each title. */
  async function collectionOf(name: string, titles: string[]) {
    const { id: collectionId } = await client.createCollection({
      name,
      fields: [
        { id: 'title', label: 'Title', type: 'text', required: true },
        { id: 'kind', label: 'Kind', type: 'select', options: ['a', 'b'].map((value) => ({ value, label: value })) },
        { id: 'price', label: 'Price', type: 'number' },
      ],
    });
    const ids: string[] = [];
    for (const title of titles) {
      ids.push((await client.createEntry({ collectionId }, { values: { title, kind: 'a', price: 10 } })).id);
    }
    return { collectionId, ids, path: `/content/${collectionId}`, entryId: ids[0] ?? '' };
  }

  async function assertAccessible(page: Page, complaints: string[]) {
    assert.deepEqual([await faultsOf(page), complaints], [[], []]);
  }

  it('the history shows who changed what, restores a version, and undoes that', async () => {
    const { collectionId, entryId, path } = await collectionOf('Tents', ['Two-person tent']);
    const { page, complaints } = await openPage(browser, service.url, {}, `${path}/${entryId}`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Three-person tent');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();

    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History' });
    await history.getByRole('button', { name: /^Updated Title Ada Berg/ }).waitFor();
    await assertAccessible(page, complaints);
    await history.getByRole('button', { name: /^Created/ }).click();
    await history.getByRole('heading', { name: 'Title' }).waitFor();
    assert.equal(await history.getByText('Two-person tent').count(), 1);
    assert.equal(
      await history.getByRole('heading', { name: 'Price' }).count(),
      0,
      'fields without a difference are left out',
    );
    await history.getByRole('button', { name: 'Restore version' }).click();
    await assertAccessible(page, complaints);
    await history.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Two-person tent' }).waitFor();

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Three-person tent' }).waitFor();
    const versions = await client.listEntryVersions({ collectionId, entryId }).all();
    assert.deepEqual(
      versions.map(({ change, restoredFrom }) => [change, restoredFrom]),
      [
        ['restored', 2],
        ['restored', 1],
        ['changed', null],
        ['created', null],
      ],
    );
    await closePage(page);
  });

  it('restoring a version names the fields that are no longer valid, and restores the others', async () => {
    const { collectionId, entryId, path } = await collectionOf('Stoves', ['Gas stove']);
    await client.updateEntry({ collectionId, entryId }, { values: { kind: 'b', price: 20 } });
    await client.updateCollection(
      { collectionId },
      { fields: [{ id: 'kind', options: [{ value: 'a', status: 'deleted' }] }] },
    );
    const { page, complaints } = await openPage(browser, service.url, { colorScheme: 'dark' }, `${path}/${entryId}`);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Created/ }).click();
    await page.getByRole('button', { name: 'Restore version' }).click();
    // The entry changes just before the request arrives, when the page cannot know yet.
    await page.route(
      '**/restore',
      async (route) => {
        await client.updateEntry({ collectionId, entryId }, { values: { price: 30 } });
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Someone else changed this entry').waitFor();
    await page.getByText('30', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Restore version' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('"Kind" cannot be set to an option that was deleted.').waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Restore other fields' }).click();
    await page.getByText('version 4').waitFor();
    const { values } = await client.getEntry({ collectionId, entryId });
    assert.deepEqual(values, { title: 'Gas stove', kind: 'b', price: 10 });
    await closePage(page);
  });

  it('entries are restored from the trash and deleted permanently, many at once', async () => {
    const { collectionId, ids, path } = await collectionOf('Lamps', ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4']);
    for (const entryId of ids) await client.deleteEntry({ collectionId, entryId });
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Trash' }).click();
    // Away from the buttons of the rows.
    await page.mouse.move(0, 0);
    await page.getByRole('link', { name: 'Lamp 4' }).waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Restore Lamp 1' }).click();
    await page.getByRole('link', { name: 'Lamp 1' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select Lamp 2' }).check();
    await page.getByRole('checkbox', { name: 'Select Lamp 3' }).check();
    await page
      .getByRole('region', { name: 'Selected: 2 entries' })
      .getByRole('button', { name: 'Delete permanently' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 entries permanently?' });
    await dialog.waitFor();
    await assertAccessible(page, complaints);
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('link', { name: 'Lamp 3' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Lamp 4' }).click();
    await page.getByText('This entry is deleted').waitFor();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('No deleted entries').waitFor();
    await assertAccessible(page, complaints);
    const left = await client.listEntries({ collectionId }).all();
    assert.deepEqual(
      left.map(({ values }) => values.title),
      ['Lamp 1'],
    );
    assert.deepEqual(await client.listDeletedEntries({ collectionId }).all(), []);
    await closePage(page);
  });

  it('a collection is restored with its entries, and another one deleted permanently', async () => {
    const [kept, gone] = [await collectionOf('Ropes', ['Rope']), await collectionOf('Boots', ['Boot'])];
    for (const { collectionId } of [kept, gone]) await client.deleteCollection({ collectionId });
    const { page, complaints } = await openPage(browser, service.url, { colorScheme: 'dark' }, '/content');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore Ropes' }).click();
    await page.getByText('Ropes was restored.').waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Delete permanently Boots' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('No deleted collections').waitFor();
    await page.getByRole('link', { name: 'View collections' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Ropes' }).click();
    await page.getByRole('link', { name: 'Rope', exact: true }).waitFor();
    assert.deepEqual(await client.listDeletedCollections().all(), []);
    await closePage(page);
  });
});
