// Slow: a real browser.
/** The form of an entry; the proofs have what else forms do. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('forms', () => {
  let client: Client;
  let collectionId: string;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    const { id } = await client.createCollection({
      name: 'Offers',
      fields: [
        { id: 'isLive', label: 'Live', type: 'boolean', required: true },
        { id: 'title', label: 'Title', type: 'text', required: true },
        { id: 'price', label: 'Price', type: 'number' },
        { id: 'begins', label: 'Begins', type: 'date' },
        { id: 'notes', label: 'Notes', type: 'text', repeated: true },
        ...Array.from({ length: 12 }, (_, i) => ({ id: `extra${i}`, label: `Extra ${i}`, type: 'text' as const })),
      ],
    });
    collectionId = id;
  });

  const newEntry = async (values: Record<string, unknown>) =>
    (await client.createEntry({ collectionId }, { values: { isLive: true, ...values } })).id;
  const valuesOf = async (entryId: string) => (await client.getEntry({ collectionId, entryId })).values;

  it('an entry is published, changed and discarded in its form', async () => {
    const drafts = await client.createCollection({
      name: 'Posts',
      publishing: true,
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'teaser', label: 'Teaser', type: 'text', required: true },
      ],
    });
    const path = { collectionId: drafts.id };
    const { id: entryId } = await client.createEntry(path, { values: { title: 'First' } });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${drafts.id}/${entryId}`);
    const bar = page.getByRole('region', { name: 'Publishing' });
    const click = (name: string) => bar.getByRole('button', { name, exact: true }).click();
    const choose = async (name: string) => {
      await click('More publishing actions');
      await page.getByRole('menuitem', { name }).click();
    };
    await bar.getByText('Draft', { exact: true }).waitFor();
    await click('Publish');
    await bar.getByText('"Teaser" is required.').waitFor();
    await page.getByRole('textbox', { name: 'Teaser' }).fill('A teaser');
    await bar.getByText('Your changes are saved first.').waitFor();
    await click('Publish');
    await bar.getByText('Published', { exact: true }).waitFor();
    assert.equal((await client.getEntry({ ...path, entryId, state: 'published' })).values.teaser, 'A teaser');
    await page.getByRole('textbox', { name: 'Title' }).fill('Second');
    await page.getByRole('button', { name: 'Save' }).click();
    await bar.getByText('Unpublished changes', { exact: true }).waitFor();
    const review = page.getByRole('region', { name: 'Review' });
    await review.getByRole('button', { name: 'Request review' }).click();
    await review.getByText('In review', { exact: true }).waitFor();
    await review.getByRole('textbox', { name: 'Comment' }).fill('Shorter, please.');
    await review.getByRole('button', { name: 'Add comment' }).click();
    await review.getByRole('list', { name: 'Comments' }).getByText('Shorter, please.').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await choose('Discard draft');
    await page.getByText('· version 4').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'First');
    await choose('Unpublish');
    await bar.getByText('Draft', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('unsaved changes of an entry survive a reload, and are gone once saved or discarded', async () => {
    const entryId = await newEntry({ title: 'Lamp', price: 10 });
    const { page } = await openPage(browser, service.url, {}, `/content/${collectionId}/${entryId}`);
    page.on('dialog', (dialog) => dialog.accept());
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Head lamp');
    await page.waitForFunction(() => Object.values(localStorage).some((value) => value.includes('Head lamp')));
    // Another user changes another field meanwhile.
    await client.updateEntry({ collectionId, entryId }, { values: { price: 12 } });
    await page.reload();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    assert.equal(await title.inputValue(), 'Head lamp');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    // The changes of both are kept.
    await page.getByText('Saved together with what others changed.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Head lamp' }).waitFor();
    assert.deepEqual(await valuesOf(entryId), { isLive: true, title: 'Head lamp', price: 12 });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Head lamp' }).waitFor();
    assert.equal(await page.getByText('Your unsaved changes were restored.').count(), 0);

    await title.fill('Lantern');
    await page.waitForFunction(() => Object.values(localStorage).some((value) => value.includes('Lantern')));
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForFunction(() => Object.values(localStorage).every((value) => !value.includes('Lantern')));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Head lamp' }).waitFor();
    assert.equal(await title.inputValue(), 'Head lamp');
    await closePage(page);
  });
});
