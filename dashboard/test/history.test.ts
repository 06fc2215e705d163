import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../tracker/test/browser.ts';
import { cutText } from '../src/content/cut-text.ts';
import { faultsOf, openPage } from './open-page.ts';
import { startDashboardService } from './service.ts';

const service = await startDashboardService();
const browser = await launchBrowser();

describe('history and trash', () => {
  let client: Client;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
  });

  /** A collection of its own, with an entry for each title, by the API. */
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

  it('shows who changed what, goes back to a version, and back again', async () => {
    const { collectionId, entryId, path } = await collectionOf('Tents', ['Two-person tent']);
    const { page, complaints } = await openPage(browser, service.url, {}, `${path}/${entryId}`);
    await page.getByRole('textbox', { name: 'Title' }).fill('Three-person tent');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();

    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History' });
    await history.getByRole('button', { name: /^Changed Title Ada Berg/ }).waitFor();
    await assertAccessible(page, complaints);
    await history.getByRole('button', { name: /^Created/ }).click();
    await history.getByRole('heading', { name: 'Title' }).waitFor();
    assert.equal(await history.getByText('Two-person tent').count(), 1);
    assert.equal(await history.getByRole('heading', { name: 'Price' }).count(), 0, 'it is the same');
    await history.getByRole('button', { name: 'Go back to this version' }).click();
    await assertAccessible(page, complaints);
    await history.getByRole('button', { name: 'Go back', exact: true }).click();
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
    await page.context().close();
  });

  it('tells what cannot come back, and goes back with the rest', async () => {
    const { collectionId, entryId, path } = await collectionOf('Stoves', ['Gas stove']);
    await client.updateEntry({ collectionId, entryId }, { values: { kind: 'b', price: 20 } });
    await client.updateCollection(
      { collectionId },
      { fields: [{ id: 'kind', options: [{ value: 'a', status: 'deleted' }] }] },
    );
    const { page, complaints } = await openPage(browser, service.url, { colorScheme: 'dark' }, `${path}/${entryId}`);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Created/ }).click();
    await page.getByRole('button', { name: 'Go back to this version' }).click();
    // Just before the request arrives: what the page knows it may look up anew at any time.
    await page.route(
      '**/restore',
      async (route) => {
        await client.updateEntry({ collectionId, entryId }, { values: { price: 30 } });
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Go back', exact: true }).click();
    await page.getByText('Somebody else changed this entry').waitFor();
    await page.getByText('30', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go back to this version' }).click();
    await page.getByRole('button', { name: 'Go back', exact: true }).click();
    await page.getByText('Kind: The option was deleted').waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Go back with the rest' }).click();
    await page.getByText('version 4').waitFor();
    const { values } = await client.getEntry({ collectionId, entryId });
    assert.deepEqual(values, { title: 'Gas stove', kind: 'b', price: 10 });
    await page.context().close();
  });

  it('bring entries back from the trash, and delete them for good, many at once', async () => {
    const { collectionId, ids, path } = await collectionOf('Lamps', ['Lamp 1', 'Lamp 2', 'Lamp 3', 'Lamp 4']);
    for (const entryId of ids) await client.deleteEntry({ collectionId, entryId });
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('link', { name: 'Lamp 4' }).waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Bring back Lamp 1' }).click();
    await page.getByRole('link', { name: 'Lamp 1' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select Lamp 2' }).check();
    await page.getByRole('checkbox', { name: 'Select Lamp 3' }).check();
    await page
      .getByRole('region', { name: 'Selected entries' })
      .getByRole('button', { name: 'Delete for good' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 entries for good?' });
    await dialog.waitFor();
    await assertAccessible(page, complaints);
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('link', { name: 'Lamp 3' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Lamp 4' }).click();
    await page.getByText('This entry is deleted').waitFor();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No entry was deleted').waitFor();
    await assertAccessible(page, complaints);
    const left = await client.listEntries({ collectionId }).all();
    assert.deepEqual(
      left.map(({ values }) => values.title),
      ['Lamp 1'],
    );
    assert.deepEqual(await client.listDeletedEntries({ collectionId }).all(), []);
    await page.context().close();
  });

  it('bring a collection back with its entries, and delete one for good', async () => {
    const [kept, gone] = [await collectionOf('Ropes', ['Rope']), await collectionOf('Boots', ['Boot'])];
    for (const { collectionId } of [kept, gone]) await client.deleteCollection({ collectionId });
    const { page, complaints } = await openPage(browser, service.url, { colorScheme: 'dark' }, '/content');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Bring back Ropes' }).click();
    await page.getByText('Ropes is back').waitFor();
    await assertAccessible(page, complaints);
    await page.getByRole('button', { name: 'Delete Boots for good' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No collection was deleted').waitFor();
    await page.getByRole('link', { name: 'To the collections' }).click();
    await page.getByRole('link', { name: 'Ropes' }).click();
    await page.getByRole('link', { name: 'Rope', exact: true }).waitFor();
    assert.deepEqual(await client.listDeletedCollections().all(), []);
    await page.context().close();
  });
});

describe('the difference of two texts', () => {
  it('is what lies between the beginning and the end that they share', () => {
    const cut = (a: string, b: string) => Object.values(cutText(a, b));
    assert.deepEqual(cut('Summer sale now', 'Winter sale now'), ['', 'Summ', 'er sale now']);
    assert.deepEqual(cut('aa', 'aaa'), ['aa', '', '']);
    assert.deepEqual(cut('same', 'same'), ['same', '', '']);
    assert.deepEqual(cut('😀x', '😁x'), ['', '😀', 'x']);
    assert.deepEqual(cut('', 'x'), ['', '', '']);
  });
});
