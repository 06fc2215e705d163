// Slow: a real browser.
/** A form of many fields is in sections, reached in a few steps, and shows what has to be fixed. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('a large form', () => {
  let client: Client;
  let collectionId: string;
  let path: string;

  before(async () => {
    const account = await service.newAccount('Museum');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    const text = (id: string, label: string, more = {}) => ({ id, label, type: 'text' as const, ...more });
    const { id } = await client.createCollection({
      name: 'Objects',
      publishing: true,
      fields: [
        text('title', 'Title'),
        { id: 'isLent', label: 'Lent', type: 'boolean' },
        text('borrower', 'Borrower', { visibleWhen: { isLent: { eq: true } } }),
        ...['Origin', 'Material', 'Search engines'].flatMap((section) =>
          Array.from({ length: 12 }, (_, i) => text(`${section.slice(0, 3)}${i}`, `${section} ${i}`, { section })),
        ),
        text('keywords', 'Keywords', { section: 'Search engines', required: true }),
      ],
    });
    collectionId = id;
    const entry = await client.createEntry({ collectionId }, { values: { title: 'Amphora' } });
    path = `/content/${collectionId}/${entry.id}`;
  });

  it('shows one section at a time, beside a column that stays in view, and is on a phone in one column', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, path);
    const tab = (name: string) => page.getByRole('tab', { name });
    assert.deepEqual(await page.getByRole('tab').allTextContents(), [
      'General',
      'Origin',
      'Material',
      'Search engines',
    ]);
    assert.equal(await page.getByRole('textbox', { name: 'Origin 3' }).count(), 0);
    await tab('Origin').click();
    await page.getByRole('textbox', { name: 'Origin 3' }).fill('Attica');
    const [values, side] = await Promise.all(
      [page.getByRole('textbox', { name: 'Origin 3' }), page.getByRole('complementary')].map((each) =>
        each.boundingBox(),
      ),
    );
    assert((values?.x ?? 0) + (values?.width ?? 0) < (side?.x ?? 0), 'the column is beside the values');
    await page.getByRole('textbox', { name: 'Origin 11' }).scrollIntoViewIfNeeded();
    await page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'Publish' }).waitFor();
    assert(((await page.getByRole('complementary').boundingBox())?.y ?? -1) >= 0);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.equal(await tab('Origin').getAttribute('aria-selected'), 'true', 'saving keeps the section');

    await page.setViewportSize({ width: 360, height: 780 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
    const bar = (await page.getByRole('region', { name: 'Publishing' }).boundingBox())?.y ?? 0;
    assert(
      bar < ((await page.getByRole('tab', { name: 'General' }).boundingBox())?.y ?? 0),
      'what is published is first',
    );
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('publishes in one click what is not saved, or opens the field that prevents it', async () => {
    const { page } = await openPage(browser, service.url, {}, path);
    await page.getByRole('textbox', { name: 'Title' }).fill('Amphora with lid');
    const bar = page.getByRole('region', { name: 'Publishing' });
    await bar.getByRole('button', { name: 'Publish' }).click();
    const keywords = page.getByRole('textbox', { name: 'Keywords' });
    await keywords.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    assert(await keywords.evaluate((input) => input === document.activeElement));
    await page.getByRole('tab', { name: 'Search engines Error' }).waitFor();
    await keywords.fill('vase');
    await bar.getByRole('button', { name: 'Publish' }).click();
    await bar.getByText('Published', { exact: true }).waitFor();
    const [published] = await client.listEntries({ collectionId, state: 'published' }).all();
    assert.deepEqual([published?.values.title, published?.values.keywords], ['Amphora with lid', 'vase']);
    await closePage(page);
  });

  it('shows a field only while its condition is met', async () => {
    const { page } = await openPage(browser, service.url, {}, path);
    const borrower = page.getByRole('textbox', { name: 'Borrower' });
    const lent = page.getByRole('radiogroup', { name: 'Lent' });
    await lent.waitFor();
    assert.equal(await borrower.count(), 0);
    await lent.getByText('Yes').click();
    await borrower.waitFor();
    await lent.getByText('No', { exact: true }).click();
    await borrower.waitFor({ state: 'detached' });
    await closePage(page);
  });

  it('gets its sections in the settings of fields', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/content/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Rooms');
    await page.getByRole('textbox', { name: 'Field' }).fill('Area');
    await page.getByRole('button', { name: 'Help, default, rules: Area' }).click();
    await page.getByRole('textbox', { name: 'Section' }).fill('Building');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rooms' }).waitFor();
    const made = (await client.listCollections().all()).find(({ name }) => name === 'Rooms');
    assert.equal(made?.fields[0]?.section, 'Building');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
