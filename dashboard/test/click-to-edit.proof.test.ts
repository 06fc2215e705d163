// Slow: a real browser.
/** Click to edit: a text of the site that is clicked in the preview opens its field, and what is typed there appears on the site. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import { originAttributes } from '@headwater/sdk/origins';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('click to edit', () => {
  let client: Client;
  let apiKey = '';
  /** A site that renders what the token of the preview reads. */
  const site = createServer(async (request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://site');
    const [, collectionId, entryId] = pathname.split('/');
    const query = new URLSearchParams({ key: apiKey, origins: 'true', richtext: 'html', locale: 'de' });
    query.set('preview', searchParams.get('token') ?? '');
    const { values = {} } = await (await fetch(`${service.url}/v1/content/${collectionId}/${entryId}?${query}`)).json();
    const mark = originAttributes(values.body)['data-headwater-origin'] ?? '';
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        `<!doctype html><script defer src="${service.url}/headwater-edit.js"></script><h1>News: ${values.title}</h1>` +
          `<a href="/away">${values.blocks?.[3]?.text}</a><div id="body" data-headwater-origin="${mark}">${values.body}</div>`,
      );
  }).listen(0, '127.0.0.1');

  before(async () => {
    const account = await service.newAccount('Click shop');
    await service.makeOwner(account.id);
    apiKey = account.apiKey;
    client = createClient({ baseUrl: service.url, token: account.token });
    await client.setLocales({ default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  });
  after(() => site.close());

  it('opens the field of what is clicked, in its section, locale and row, and shows what is typed', async () => {
    const { port } = site.address() as AddressInfo;
    const text = (id: string, label: string) => ({ id, label, type: 'text' as const });
    const { id: collectionId } = await client.createCollection({
      name: 'Pages',
      publishing: true,
      public: true,
      previewUrl: `http://127.0.0.1:${port}/{collectionId}/{id}?token={token}`,
      fields: [
        { ...text('title', 'Title'), localized: true },
        { ...text('body', 'Body'), format: 'richtext' },
        {
          ...{ ...text('blocks', 'Blocks'), type: 'group' as const, repeated: true, format: 'blocks' as const },
          section: 'Layout',
          blocks: [{ id: 'quote', label: 'Quote', fields: [text('text', 'Quotation')] }],
        },
      ],
    });
    const { id: entryId } = await client.createEntry(
      { collectionId },
      {
        values: {
          ...{ title: 'One', 'title@de': 'Eins', body: { html: '<p>First</p>' } },
          blocks: [1, 2, 3, 4].map((n) => ({ _block: 'quote', _id: `row_${n}`, text: `Quote ${n}` })),
        },
      },
    );
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}/${entryId}`);
    const isFocused = (label: string) =>
      page.waitForFunction(
        (name) =>
          document.activeElement?.closest('.mantine-InputWrapper-root, [data-pointer]')?.textContent?.includes(name) &&
          document.activeElement.matches('input, textarea, [contenteditable]'),
        label,
      );
    // It opens in the locale that was edited last, at first in that of the values without one in their name.
    const shown = page.getByRole('combobox', { name: 'Locale of the preview' });
    await page.getByRole('button', { name: 'Preview' }).click();
    assert.equal(await shown.inputValue(), 'English');
    await page.getByRole('button', { name: 'Close preview' }).click();
    await page.getByRole('textbox', { name: 'Title (German)' }).focus();
    await page.getByRole('button', { name: 'Preview' }).click();
    assert.equal(await shown.inputValue(), 'German');
    const frame = page.frameLocator('iframe');
    await frame.locator('h1[data-headwater-editable]').waitFor();

    await frame.locator('a').click();
    await isFocused('Quotation');
    await page.keyboard.type(' more');
    await frame.getByText('Quote 4 more').waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Layout' }).getAttribute('aria-selected'), 'true');
    assert.deepEqual(await faultsOf(page), []);

    await frame.locator('h1').click();
    await isFocused('Title (German)');
    await page.keyboard.type(' zwei');
    await frame.getByText('News: Eins zwei').waitFor();
    await page.getByRole('textbox', { name: 'Title (German)' }).fill('');
    await frame.getByText('News: One').waitFor();

    await frame.locator('#body').click();
    await page.waitForFunction(() => document.activeElement?.matches('.ProseMirror'));
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' words');
    await frame.getByText('First words').waitFor();
    assert.equal(await frame.locator('#body').innerHTML(), '<p>First words</p>');

    // Neither the site nor the dashboard listens to others.
    const forged = { type: 'headwater:preview', entryId, values: { title: 'Forged' } };
    await frame.locator('h1').evaluate((_, message) => window.postMessage(message, '*'), forged);
    const edit = { type: 'headwater:edit', entryId, collectionId, field: 'title' };
    await page.evaluate((message) => window.postMessage(message, '*'), edit);
    await page.getByRole('tab', { name: 'Layout' }).click();
    assert.equal(await page.getByRole('tab', { name: 'Layout' }).getAttribute('aria-selected'), 'true');
    assert.match((await frame.locator('h1').textContent()) ?? '', /^News: One/);

    await page.getByRole('combobox', { name: 'Locale of the preview' }).click();
    await page.getByRole('option', { name: 'English' }).click();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('an entry is opened at a field by its URL', async () => {
    const { id: collectionId } = await client.createCollection({
      name: 'Long',
      fields: Array.from({ length: 30 }, (_, i) => ({ id: `f${i}`, label: `Field ${i}`, type: 'text' as const })),
    });
    const { id } = await client.createEntry({ collectionId }, { values: { f25: 'far' } });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}/${id}?field=f25`);
    const field = page.getByRole('textbox', { name: 'Field 25' });
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'far');
    assert.ok(
      await field.evaluate((input) => {
        const { top, bottom } = input.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
