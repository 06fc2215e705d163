// Slow: a real browser.
/** Unsaved changes in the service, two people in one entry, and entries that are created where they are referenced. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createClient } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('an entry that several people edit', () => {
  let client: ReturnType<typeof createClient>;
  let accountId = '';
  let collectionId = '';
  let authors = '';

  before(async () => {
    const account = await service.newAccount('Together');
    accountId = account.id;
    client = createClient({ baseUrl: service.url, token: account.token });
    const text = (id: string, label: string) => ({ id, label, type: 'text' as const });
    const fields = [text('name', 'Name')];
    ({ id: authors } = await client.createCollection({ name: 'Authors', fields, publishing: true }));
    ({ id: collectionId } = await client.createCollection({
      name: 'Posts',
      fields: [
        text('title', 'Title'),
        text('teaser', 'Teaser'),
        { ...text('author', 'Author'), format: 'reference', collectionIds: [authors] },
      ],
    }));
  });

  const newEntry = async (title: string) => {
    const { id: entryId } = await client.createEntry({ collectionId }, { values: { title } });
    return { entryId, path: `/content/${collectionId}/${entryId}` };
  };

  it('is kept for its editor while they type, and offered in another browser', async () => {
    await service.makeOwner(accountId);
    const { path } = await newEntry('One');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    const kept = page.waitForResponse(
      (response) => /\/draft$/.test(response.url()) && response.request().method() === 'PUT',
    );
    await page.getByRole('textbox', { name: 'Title' }).fill('Not saved');
    // Leaving the field sends it at once.
    await page.getByRole('textbox', { name: 'Teaser' }).focus();
    await kept;
    await page.getByText('Unsaved changes, kept for you').waitFor();
    const other = await openPage(browser, service.url, { locale: 'en-IE' }, path);
    await other.page.getByText('You have unsaved changes to this entry').waitFor();
    assert.equal(await other.page.getByRole('textbox', { name: 'Title' }).inputValue(), 'One');
    assert.deepEqual(await faultsOf(other.page), []);
    await other.page.getByRole('button', { name: 'Continue here' }).click();
    assert.equal(await other.page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Not saved');
    const deleted = other.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await other.page.getByText('version 2').waitFor();
    assert.equal((await deleted).status(), 200);
    await other.page.reload();
    await other.page.getByText('No unsaved changes').waitFor();
    assert.equal(await other.page.getByText('You have unsaved changes').count(), 0);
    assert.deepEqual([...complaints, ...other.complaints], []);
    await closePage(page);
    await closePage(other.page);
  });

  it('keeps what is typed offline, also when the browser is closed, and shows the texts of two devices', async () => {
    await service.makeOwner(accountId);
    const { entryId, path } = await newEntry('Offline');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByText('No unsaved changes').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('textbox', { name: 'Title' }).fill('From the train');
    await page.getByRole('textbox', { name: 'Teaser' }).focus();
    // In this browser.
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('From the train'));
    const other = await openPage(browser, service.url, { locale: 'en-IE' }, path);
    const isKept = other.page.getByText('Unsaved changes, kept for you');
    await other.page.getByRole('textbox', { name: 'Title' }).fill('From the office');
    await other.page.getByRole('textbox', { name: 'Teaser' }).fill('Only there');
    await other.page.getByRole('textbox', { name: 'Title' }).focus();
    await isKept.waitFor();
    await page.context().setOffline(false);
    await page.getByText('You have other unsaved changes to this entry on another device').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('From the train').waitFor();
    await dialog.getByText('From the office').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole('button', { name: 'Continue with these' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: 'Teaser' }).inputValue(), 'Only there');
    assert.equal((await client.getEntry({ collectionId, entryId })).version, 1, 'not saved by the choice');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.deepEqual((await client.getEntry({ collectionId, entryId })).values, {
      ...{ title: 'From the train', teaser: 'Only there' },
    });
    assert.deepEqual(complaints, []);
    await closePage(page);
    await closePage(other.page);
  });

  it('replaces nothing that another browser stored while a request was under way', async () => {
    await service.makeOwner(accountId);
    const { path } = await newEntry('Under way');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    let sent = 0;
    const released = Promise.withResolvers<void>();
    await page.route(/\/draft$/, async (route) => {
      if (route.request().method() === 'PUT') {
        sent += 1;
        await released.promise;
      }
      await route.continue();
    });
    const [title, teaser] = ['Title', 'Teaser'].map((name) => page.getByRole('textbox', { name }));
    await title?.fill('From the train');
    await teaser?.fill('Also there');
    await title?.focus();
    const other = await openPage(browser, service.url, { locale: 'en-IE' }, path);
    await other.page.getByRole('textbox', { name: 'Title' }).fill('From the office');
    await other.page.getByRole('textbox', { name: 'Teaser' }).focus();
    await other.page.getByText('Unsaved changes, kept for you').waitFor();
    assert.equal(sent, 1, 'one at a time');
    released.resolve();
    await page.getByText('You have other unsaved changes to this entry on another device').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('dialog').getByText('From the office').waitFor();
    assert.deepEqual([...complaints, ...other.complaints], []);
    await page.unroute(/\/draft$/);
    await closePage(page);
    await closePage(other.page);
  });

  it('discards what was offered, not what another browser stored since', async () => {
    await service.makeOwner(accountId);
    const { path } = await newEntry('Offered');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    const type = async (text: string) => {
      const kept = page.waitForResponse(
        (response) => /\/draft$/.test(response.url()) && response.request().method() === 'PUT',
      );
      await page.getByRole('textbox', { name: 'Title' }).fill(text);
      await page.getByRole('textbox', { name: 'Teaser' }).focus();
      await kept;
    };
    await type('First');
    const other = await openPage(browser, service.url, { locale: 'en-IE' }, path);
    const discard = other.page.getByRole('button', { name: 'Discard' });
    const answer = () => other.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await discard.waitFor();
    await type('Second');
    const refused = answer();
    await discard.click();
    assert.equal((await refused).ok(), false);
    await other.page.getByText('You have unsaved changes to this entry').waitFor();
    const deleted = answer();
    await discard.click();
    assert.equal((await deleted).status(), 200);
    assert.deepEqual([...complaints, ...other.complaints], []);
    await closePage(page);
    await closePage(other.page);
  });

  it('shows who edits which field, and keeps the changes of both', async () => {
    await service.makeOwner(accountId);
    const { entryId, path } = await newEntry('Two');
    const mine = await openPage(browser, service.url, {}, path);
    await mine.page.getByRole('textbox', { name: 'Title' }).focus();
    await service.makeOwner(accountId);
    const theirs = await openPage(browser, service.url, { locale: 'en-IE' }, path);
    await theirs.page.getByText('Ada Berg is editing this').waitFor();
    assert.deepEqual(await faultsOf(theirs.page), []);
    await theirs.page.getByRole('textbox', { name: 'Teaser' }).fill('Theirs');
    await theirs.page.getByRole('button', { name: 'Save' }).click();
    await theirs.page.getByText('version 2').waitFor();
    await mine.page.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await mine.page.getByRole('button', { name: 'Save' }).click();
    await mine.page.getByText('version 3').waitFor();
    assert.deepEqual((await client.getEntry({ collectionId, entryId })).values, { title: 'Mine', teaser: 'Theirs' });
    // The same field of both is asked about, with both texts.
    await client.updateEntry({ collectionId, entryId }, { values: { title: 'From the API' } });
    await mine.page.getByRole('textbox', { name: 'Title' }).fill('Mine again');
    await mine.page.getByRole('button', { name: 'Save' }).click();
    const conflict = mine.page.getByRole('dialog', { name: 'Someone else changed this entry' });
    await conflict.getByText('From the API').waitFor();
    await conflict.getByText('Mine again').waitFor();
    assert.deepEqual([...mine.complaints, ...theirs.complaints], []);
    await closePage(mine.page);
    await closePage(theirs.page);
  });

  it('references an entry that is created in its place', async () => {
    await service.makeOwner(accountId);
    const { entryId, path } = await newEntry('Three');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByRole('combobox', { name: 'Author' }).click();
    await page.getByRole('combobox', { name: 'Author' }).fill('Ida');
    await page.getByRole('option', { name: 'Create "Ida"' }).click();
    const dialog = page.getByRole('dialog', { name: 'New entry in Authors' });
    assert.equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Ida');
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open Ida, Author' }).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    const [author] = (await client.listEntries({ collectionId: authors })).entries;
    assert.deepEqual((await client.getEntry({ collectionId, entryId })).values, { title: 'Three', author: author?.id });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
