// Slow: a real browser.
/** What editors wrote and published is not lost by a click, a save, a reload or another tab. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { atRest, closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

/** Closes a notice as soon as it is there. */
const closeNextNotice = () =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      const [button] = [...document.querySelectorAll<HTMLElement>('[role=alert] button')].slice(-1);
      if (!button) return;
      observer.disconnect();
      button.click();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

describe('work', () => {
  let client: Client;
  let collectionId: string;

  before(async () => {
    const account = await service.newAccount('Magazine');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    const text = (id: string, label: string, more = {}) => ({ id, label, type: 'text' as const, ...more });
    const { id } = await client.createCollection({
      name: 'Articles',
      publishing: true,
      fields: [
        text('title', 'Title'),
        text('body', 'Body', { format: 'richtext' }),
        ...Array.from({ length: 12 }, (_, i) => text(`extra${i}`, `Extra ${i}`)),
        { id: 'image', label: 'Image', type: 'asset' },
      ],
    });
    collectionId = id;
  });

  const newEntry = async (title: string) => {
    const { id } = await client.createEntry({ collectionId }, { values: { title } });
    return { entryId: id, path: `/content/${collectionId}/${id}` };
  };
  const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' });
  const isKept = (page: Page, text: string) =>
    page.waitForFunction((typed) => Object.values(localStorage).some((value) => value.includes(typed)), text);

  it('deleting a published entry asks, and its undo publishes it again', async () => {
    const { entryId, path } = await newEntry('On the site');
    await client.publishEntry({ collectionId, entryId }, {});
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    const remove = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    };
    await remove();
    const question = page.getByRole('dialog', { name: 'Delete On the site?' });
    await question.getByText('It is published: your pages will no longer show it.').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await client.getEntry({ collectionId, entryId })).status, 'active');
    await remove();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Articles' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'On the site' }).click();
    await page.getByRole('region', { name: 'Publishing' }).getByText('Published', { exact: true }).waitFor();
    const review = page.getByRole('region', { name: 'Review' });
    await review.getByRole('button', { name: 'Request review' }).waitFor();
    assert.equal(await review.getByText('Draft', { exact: true }).count(), 0, 'a published entry is no draft');
    const published = await client.getEntry({ collectionId, entryId, state: 'published' });
    assert.equal(published.values.title, 'On the site');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('saving keeps the focus, what is typed meanwhile and the history of rich text', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}/new`);
    await titleOf(page).fill('New');
    await page.keyboard.press('Control+s');
    await page.getByText('version 1').waitFor();
    assert(await titleOf(page).evaluate((input) => input === document.activeElement), 'creating keeps the focus');

    const body = page.getByRole('textbox', { name: 'Body' });
    await body.click();
    await page.keyboard.type('First.');
    /** Holds the next change until it is let go. */
    const hold = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route(/\/entries\//, async (route) => {
        if (route.request().method() === 'PATCH') await promise;
        await route.continue();
      });
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.keyboard.press('Control+s');
      await sent;
      return async () => {
        resolve();
        await page.unrouteAll({ behavior: 'wait' });
      };
    };
    const saveFirst = await hold();
    await page.keyboard.type(' Second.');
    await saveFirst();
    await page.getByText('version 2').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    assert.equal(await body.textContent(), 'First. Second.');
    await page.keyboard.type(' Third.');
    const saveThird = await hold();
    await page.keyboard.type(' Fourth.');
    await page.keyboard.press('Control+s');
    await saveThird();
    await page.getByText('version 4').waitFor();
    await page.getByText('Saved.').waitFor();
    const written = 'First. Second. Third. Fourth.';
    assert.equal(await body.textContent(), written);
    await page.keyboard.press('Control+z');
    await page.getByText('Unsaved changes').waitFor();
    assert.notEqual(await body.textContent(), written, 'the history goes back before the save');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('discarded changes come back with Undo, and nothing covers the bar or the field in focus', async () => {
    const { entryId, path } = await newEntry('Before');
    const { page } = await openPage(browser, service.url, {}, path);
    await titleOf(page).fill('After');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    assert.equal(await titleOf(page).inputValue(), 'Before');
    const undo = page.getByRole('button', { name: 'Undo' }).last();
    await undo.waitFor();
    const bar = (await page.locator('[data-save-bar]').boundingBox()) ?? assert.fail('no bar');
    const notice = (await page.getByRole('alert').last().boundingBox()) ?? assert.fail('no notice');
    assert(notice.y + notice.height <= bar.y, `${notice.y + notice.height} is below ${bar.y}`);
    await undo.click();
    assert.equal(await titleOf(page).inputValue(), 'After');
    for (let i = 0; i < 12; i++) {
      const field = page.getByRole('textbox', { name: `Extra ${i}`, exact: true });
      await field.evaluate((input) => input.focus());
      const box = (await field.boundingBox()) ?? assert.fail('not shown');
      assert(box.y + box.height <= bar.y, `Extra ${i} is under the bar`);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.equal((await client.getEntry({ collectionId, entryId })).values.title, 'After');
    await closePage(page);
  });

  it('a second tab offers what the first one has unsaved, and names a conflict of the same person', async () => {
    const { path } = await newEntry('Shared');
    const { page } = await openPage(browser, service.url, {}, path);
    await titleOf(page).fill('Typed in the first tab');
    await isKept(page, 'Typed in the first tab');
    const second = await page.context().newPage();
    await second.goto(path);
    const offer = second.getByRole('status').filter({ hasText: 'Another tab has unsaved changes' });
    await offer.waitFor();
    assert.equal(await titleOf(second).inputValue(), 'Shared');
    assert.deepEqual(await faultsOf(second), []);
    await titleOf(second).fill('Typed in the second tab');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByText('version 2').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'You changed this entry in another tab' });
    await conflict.getByRole('button', { name: 'Keep editing' }).click();
    assert.equal(await titleOf(page).inputValue(), 'Typed in the first tab');
    await second.reload();
    await offer.getByRole('button', { name: 'Continue here' }).click();
    assert.equal(await titleOf(second).inputValue(), 'Typed in the first tab');
    await second.getByRole('button', { name: 'Discard' }).click();

    // What one tab has unsaved of a new entry is not offered to the entry that the other one creates.
    await page.reload();
    await page.goto(`/content/${collectionId}/new`);
    await titleOf(page).fill('Not created');
    await isKept(page, 'Not created');
    await second.goto(`/content/${collectionId}/new`);
    await offer.waitFor();
    await titleOf(second).fill('Created');
    await second.getByRole('button', { name: 'Create entry' }).click();
    await second.getByText('version 1').waitFor();
    assert.equal(await offer.count(), 0);
    await closePage(page);
  });

  it('a reload restores a new collection, a comment and an endpoint', async () => {
    const { path } = await newEntry('Commented');
    const { page } = await openPage(browser, service.url, {}, '/content/new');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Recipes');
    await page.getByRole('textbox', { name: 'Field' }).fill('Ingredients');
    await isKept(page, 'Ingredients');
    await page.reload();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Field' }).inputValue(), 'Ingredients');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { level: 1, name: 'Recipes' }).waitFor();

    await page.goto(path);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Half a comment');
    await isKept(page, 'Half a comment');
    await page.reload();
    await page.getByText('Half a comment').waitFor();

    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/half');
    await isKept(page, 'hooks.example/half');
    await page.reload();
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    assert.equal(await page.getByRole('textbox', { name: 'URL' }).inputValue(), 'https://hooks.example/half');
    const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    assert.equal(await page.getByRole('textbox', { name: 'URL' }).inputValue(), '', 'Cancel discards it');
    await closePage(page);
  });

  it('a dialog whose file is gone after an update offers to reload the page, which keeps unsaved changes', async () => {
    const { path } = await newEntry('Before the update');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    page.on('dialog', (dialog) => dialog.accept());
    await titleOf(page).fill('Typed before the update');
    await isKept(page, 'Typed before the update');
    await page.route(/\/dashboard\/history-drawer/, (route) => route.fulfill({ status: 404, body: '' }));
    const history = page.getByRole('button', { name: /^History/ });
    const notice = page.getByRole('alert').filter({ hasText: 'This part could not be loaded' });
    // However soon it is closed, it stays closed until the dialog is opened again.
    const closed = page.evaluate(closeNextNotice);
    await history.click();
    await closed;
    await atRest(page);
    assert.equal(await notice.count(), 0);
    await history.click();
    await notice.waitFor();
    assert.equal(await titleOf(page).inputValue(), 'Typed before the update');
    await page.unrouteAll();
    await notice.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    assert.equal(await titleOf(page).inputValue(), 'Typed before the update');
    await history.click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a file that is uploaded for a field is chosen, and asked for its alt text until it has one', async () => {
    const { entryId, path } = await newEntry('With an image');
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    await page.getByRole('button', { name: 'Select file: Image' }).click();
    const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c52' } })
      .png()
      .toBuffer();
    await page.getByLabel('Files to upload').setInputFiles({ name: 'sunset.png', mimeType: 'image/png', buffer: png });
    await page.getByRole('button', { name: 'Replace Image' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    page.on('dialog', (dialog) => dialog.accept());
    const reload = async () => {
      await isKept(page, 'sunset.png');
      await page.reload();
      await page.getByText('Your unsaved changes were restored.').waitFor();
      await atRest(page);
    };
    await reload();
    const alt = page.getByRole('textbox', { name: 'Alt text of sunset.png' });
    await alt.fill('The sun');
    await alt.press('Enter');
    await page.getByText('Saved.').waitFor();
    await reload();
    assert.equal(await alt.count(), 0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    const { values } = await client.getEntry({ collectionId, entryId });
    const { name, alt: text } = values.image as { name: string; alt: string };
    assert.deepEqual([name, text], ['sunset.png', 'The sun']);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
