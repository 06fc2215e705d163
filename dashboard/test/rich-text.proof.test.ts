// Slow: a real browser.
/** The editor of rich text: what is pasted, inserted and replaced is what the service stores and a site receives. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient, type RichText } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

describe('rich text', () => {
  let client: Client;
  let account: Account;
  let collectionId: string;

  before(async () => {
    account = await service.newAccount('Journal');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    const { id } = await client.createCollection({
      ...{ name: 'Essays', publishing: true, public: true },
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'body', label: 'Body', type: 'text', format: 'richtext' },
      ],
    });
    collectionId = id;
  });

  const open = async (body: unknown = undefined, into = collectionId) => {
    const { id: entryId } = await client.createEntry({ collectionId: into }, { values: { title: 'Essay', body } });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${into}/${entryId}`);
    const text = page.getByRole('textbox', { name: 'Body' });
    await text.click();
    const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
    /** Saves the entry and returns what a site would receive. */
    const publish = async (): Promise<string> => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('region', { name: 'Publishing' }).getByText('Published', { exact: true }).waitFor();
      const url = `${service.url}/v1/content/${into}/${entryId}?key=${account.apiKey}&richtext=html`;
      const entry = (await (await fetch(url)).json()) as { values: { body: string } };
      return entry.values.body;
    };
    return { page, complaints, text, tool, publish, entryId };
  };

  const paste = (page: Page, html: string, file?: Buffer) =>
    page.evaluate(
      ([markup, image]) => {
        const data = new DataTransfer();
        if (markup) data.setData('text/html', markup);
        if (image) {
          const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
          data.items.add(new File([bytes], 'photo.png', { type: 'image/png' }));
        }
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      [html, file?.toString('base64') ?? ''] as const,
    );

  const png = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();

  it('formats what is typed between the signs of Markdown, and Backspace brings them back', async () => {
    const { page, complaints, publish } = await open();
    await page.keyboard.type('A **bold word**, *two*, ~~gone~~ and `code`, but 2 * 3 * 4, a**b** and ** no **.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Signs: **kept**');
    await page.keyboard.press('Backspace');
    await page.keyboard.type(' after');
    assert.equal(
      await publish(),
      '<p>A <strong>bold word</strong>, <em>two</em>, <s>gone</s> and <code>code</code>, but 2 * 3 * 4, a**b** and ** no **.</p>' +
        '<p>Signs: **kept** after</p>',
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('pastes the lists, tables and formats of Word, without its debris and the images of the computer', async () => {
    const { page, complaints, publish } = await open();
    const item = (level: number, marker: string, content: string) =>
      `<p class="MsoListParagraph" style="margin-left:36pt;mso-list:l0 level${level} lfo1"><![if !supportLists]><span
        style="font-family:Symbol"><span style="mso-list:Ignore">${marker}<span style="font:7pt">&nbsp;&nbsp; </span></span></span><![endif]>${content}<o:p></o:p></p>`;
    await paste(
      page,
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p { color: red }</style></head><body>
      <p class="MsoNormal">A <u>line</u>, <s>gone</s>, m<sup>2</sup><img src="file:///C:/Users/a/clip_image001.png"></p>
      ${item(1, '·', 'First')}${item(2, 'o', 'Nested')}${item(1, '·', 'Second')}
      ${item(1, '1.', 'Step')}
      <table class="MsoTableGrid"><tr><td><p class="MsoNormal"><b>Size</b></p></td><td><p>Price</p></td></tr></table>
      <p class="MsoNormal"><a href="https://a.example"><u>Link</u></a></p></body></html>`,
    );
    await page.getByText('An image of the text could not be read.').waitFor();
    const html = await publish();
    assert.match(html, /<p>A <u>line<\/u>, <s>gone<\/s>, m<sup>2<\/sup><\/p>/);
    assert.match(
      html,
      /<ul[^>]*><li><p>First<\/p><ul[^>]*><li><p>Nested<\/p><\/li><\/ul><\/li><li><p>Second<\/p><\/li>/,
    );
    assert.match(html, /<li><p>Step<\/p><\/li>/);
    assert.match(html, /<table><tbody><tr><td><strong>Size<\/strong><\/td><td>Price<\/td><\/tr><\/tbody><\/table>/);
    assert.match(html, /<a href="https:\/\/a\.example">Link<\/a>/);
    assert.doesNotMatch(html, /Mso|file:|<img|·|1\./);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('pastes the lists and formats of Google Docs', async () => {
    const { page, complaints, publish } = await open();
    await paste(
      page,
      `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">Bold</span><span
        style="text-decoration:line-through"> gone</span><span style="font-weight:400"> plain</span></p><ul><li
        aria-level="1"><p>One</p></li><ul><li aria-level="2"><p>Two</p></li></ul></ul><p><a href="https://a.example"
        style="text-decoration:none"><span style="text-decoration:underline">Link</span></a></p></b>`,
    );
    const html = await publish();
    assert.match(html, /<p><strong>Bold<\/strong><s> gone<\/s> plain<\/p>/);
    assert.match(html, /<li><p>One<\/p><ul[^>]*><li><p>Two<\/p><\/li><\/ul><\/li>/);
    assert.match(html, /<p><a href="https:\/\/a\.example">Link<\/a><\/p>/);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('stores a pasted image in the library, and gives it an alt text and a caption', async () => {
    const { page, complaints, publish, tool } = await open();
    await paste(page, '<img src="https://elsewhere.example/photo.png">', await png('#285'));
    const image = page.locator('.ProseMirror figure img');
    await image.waitFor();
    await image.click();
    const bar = page.getByRole('group', { name: 'Selected image' });
    await bar.getByRole('textbox', { name: 'Alt text' }).fill('A green field');
    await bar.getByRole('textbox', { name: 'Caption' }).fill('May, in the north');
    assert.deepEqual(await faultsOf(page), []);
    const html = await publish();
    const [, src = ''] =
      /<img src="([^"]+)" alt="A green field"><figcaption>May, in the north<\/figcaption>/.exec(html) ?? [];
    assert(src.startsWith(service.url), html);
    assert.equal((await fetch(src)).status, 200);
    const used = (await client.listFiles().all()).find(({ name }) => name === 'photo.png');
    assert(used, 'it is in the library');

    // One that is in the library is chosen there.
    await page.locator('.ProseMirror').click({ position: { x: 5, y: 5 } });
    await tool('Image').click();
    const dialog = page.getByRole('dialog', { name: 'Insert an image' });
    await dialog.getByRole('button', { name: /photo\.png/ }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('makes a table by the menu of /, which Tab fills and extends', async () => {
    const { page, complaints, publish, tool } = await open();
    await page.keyboard.type('/tab');
    const menu = page.getByRole('listbox', { name: 'Insert' });
    await menu.getByRole('option', { name: 'Table' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    for (const cell of ['Name', 'Size', 'Price', 'Tent', 'L', '90', 'Lamp', 'S', '9']) {
      await page.keyboard.type(cell);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('Rope');
    await tool('Delete column').click();
    const html = await publish();
    assert.equal(
      html.replace(/<p><\/p>$/, ''),
      '<table><tbody><tr><th>Size</th><th>Price</th></tr><tr><td>L</td><td>90</td></tr><tr><td>S</td><td>9</td></tr>' +
        '<tr><td></td><td></td></tr></tbody></table>',
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('finds and replaces across marks, and the replacement can be undone', async () => {
    const document: RichText = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'The sea, the ' },
            { type: 'text', text: 'S', marks: [{ type: 'strong' }] },
            { type: 'text', text: 'ea and the lake.' },
          ],
        },
      ],
    };
    const { page, text } = await open(document);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+f');
    const bar = page.getByRole('search', { name: 'Find and replace' });
    await bar.getByRole('textbox', { name: 'Find' }).fill('sea');
    await bar.getByText('2 found').waitFor();
    await page.keyboard.press('Enter');
    await bar.getByText('1 of 2').waitFor();
    await bar.getByRole('textbox', { name: 'Replace with' }).fill('ocean');
    assert.deepEqual(await faultsOf(page), []);
    await bar.getByRole('button', { name: 'Replace all' }).click();
    assert.equal(await text.textContent(), 'The ocean, the ocean and the lake.');
    await bar.getByRole('button', { name: 'Close find and replace' }).click();
    await page.keyboard.press('Control+z');
    assert.equal(await text.textContent(), 'The sea, the Sea and the lake.');
    await closePage(page);
  });

  it('is one stop of the Tab key, and Ctrl+K sets a link', async () => {
    const { page, text, tool, publish } = await open();
    await page.keyboard.type('Read more');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Link URL' }).fill('shop.example/a');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('textbox', { name: 'Search' }).count(), 0, 'the search stays closed');
    await page.getByRole('textbox', { name: 'Title' }).focus();
    await page.keyboard.press('Tab');
    assert(await tool('Bold').evaluate((button) => button === document.activeElement));
    await page.keyboard.press('ArrowRight');
    assert(await tool('Italic').evaluate((button) => button === document.activeElement));
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.activeElement?.classList.contains('ProseMirror'));
    assert(await text.evaluate((each) => each === document.activeElement));
    assert.equal(await publish(), '<p><a href="https://shop.example/a">Read more</a></p>');
    await closePage(page);
  });

  it('links to an entry that is found by its title, and to its URL on the site', async () => {
    const isPublic = { publishing: true, public: true };
    const title = { id: 'title', label: 'Title', type: 'text' as const };
    const pages = await client.createCollection({
      ...{ name: 'Pages', ...isPublic, urlPattern: '/pages/{id}', fields: [title] },
    });
    const target = await client.createEntry({ collectionId: pages.id }, { values: { title: 'shop' } });
    await client.publishEntry({ collectionId: pages.id, entryId: target.id }, {});
    const body = { id: 'body', label: 'Body', type: 'text' as const, format: 'richtext' as const };
    const linking = await client.createCollection({
      ...{ name: 'Linking', ...isPublic, fields: [title, { ...body, collectionIds: [pages.id] }] },
    });
    const { page, complaints, publish } = await open(undefined, linking.id);
    await page.keyboard.type('Read more');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Link to an entry' });
    await search.waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await search.fill('sho');
    await page.getByRole('option', { name: 'shop' }).click();
    await search.waitFor({ state: 'detached' });
    assert.equal(await publish(), `<p><a href="/pages/${target.id}" data-entry="${target.id}">Read more</a></p>`);
    const usages = await client.listEntryUsages({ collectionId: pages.id, entryId: target.id });
    assert.deepEqual(
      usages.usages.map(({ fields }) => fields),
      [['body']],
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('stores Markdown that is read as what it shows', async () => {
    const { id } = await client.createCollection({
      ...{ name: 'Notes', publishing: true, public: true },
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'body', label: 'Body', type: 'text', format: 'markdown' },
      ],
    });
    const { page, text, complaints, publish } = await open(undefined, id);
    for (const key of ['Control+b', 'Note:', 'Control+b', 'see', 'Shift+Enter', '- eggs', 'Enter', 'Enter', 'end']) {
      if (/^(?:Control|Shift)\+|^Enter$/.test(key)) await page.keyboard.press(key);
      else await page.keyboard.type(key);
    }
    const stored = '**Note:**&#115;ee\\\n\\- eggs\n\n&nbsp;\n\nend';
    assert.equal(await publish(), stored);
    await page.reload();
    await text.waitFor();
    assert.equal(await text.locator('strong').textContent(), 'Note:', 'it is shown formatted, not as its source');
    assert.deepEqual(await text.locator('p').allTextContents(), ['Note:see- eggs', '', 'end']);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
