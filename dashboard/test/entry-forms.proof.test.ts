// Slow: a real browser.
/** Forms of entries, collections and files: input must not be lost, misread or overlooked. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import sharp from 'sharp';
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
  const valuesIn = async (of: string, entryId: string) =>
    (await client.getEntry({ collectionId: of, entryId })).values as Record<string, unknown>;
  const valuesOf = async (entryId: string) => (await client.getEntry({ collectionId, entryId })).values;

  it('another locale becomes the default one, and forms show it first, with the same values', async () => {
    const locales = [{ locale: 'en' }, { locale: 'de' }];
    await client.setLocales({ default: 'en', locales });
    const { id } = await client.createCollection({
      name: 'Manuals',
      publishing: true,
      fields: [{ id: 'title', label: 'Title', type: 'text', required: true, localized: true }],
    });
    const values = { title: 'Stoves', 'title@de': 'Kocher' };
    const { id: entryId } = await client.createEntry({ collectionId: id }, { values });
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings/locales');
    await page.getByRole('radio', { name: 'German is the default locale' }).check();
    await page.getByText('German becomes the default locale').waitFor();
    await page.getByText(/names without a locale still stand for English/).waitFor();
    await page.getByText(/It concerns .*Manuals/).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('German becomes the default locale').waitFor({ state: 'hidden' });
    assert.equal((await client.getLocales()).default, 'de');
    assert.equal((await client.getCollection({ collectionId: id })).baseLocale, 'en');

    await page.goto(`/content/${id}/${entryId}`);
    await page.getByText('German (default)').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Translation' }).inputValue(), 'English · 1 of 1 translated');
    assert.equal(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'Kocher');
    await page.getByRole('textbox', { name: 'Title (English)' }).fill('Camping stoves');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Campingkocher');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.deepEqual(await valuesIn(id, entryId), { title: 'Camping stoves', 'title@de': 'Campingkocher' });
    await page.getByRole('textbox', { name: 'Title (English)' }).fill('');
    const bar = page.getByRole('region', { name: 'Publishing' });
    await bar.getByRole('button', { name: 'Publish', exact: true }).click();
    await bar.getByText('Published', { exact: true }).first().waitFor();
    assert.deepEqual((await client.getEntry({ collectionId: id, entryId })).publishedLocales, { de: 3 });
    await page.getByRole('heading', { level: 1, name: 'Campingkocher' }).waitFor();
    assert.deepEqual(complaints, []);
    await client.setLocales({ default: 'en', locales });
    await closePage(page);
  });

  it('formats and references are edited in their form, and an entry in use asks before it is deleted', async () => {
    const authors = await client.createCollection({
      name: 'Authors',
      fields: [{ id: 'name', label: 'Name', type: 'text' }],
    });
    const text = (id: string, label: string, more: object) => ({ id, label, type: 'text' as const, ...more });
    const posts = await client.createCollection({
      name: 'Blog',
      fields: [
        text('title', 'Title', {}),
        text('slug', 'Slug', { format: 'slug', slugSource: 'title' }),
        text('author', 'Author', { format: 'reference', collectionIds: [authors.id] }),
        text('body', 'Body', { format: 'richtext' }),
        text('teaser', 'Teaser', { format: 'markdown' }),
        text('raw', 'Raw', { format: 'markdown' }),
        text('data', 'Data', { format: 'json' }),
      ],
    });
    const [ada, bob] = await Promise.all(
      ['Ada', 'Bob'].map((name) => client.createEntry({ collectionId: authors.id }, { values: { name } })),
    );
    const path = { collectionId: posts.id };
    // A table, which the formatted view would not keep.
    const raw = '| a |\n|---|\n| 1 |';
    const values = { title: 'Grüße', raw, author: bob?.id, data: [1] };
    const { id: entryId } = await client.createEntry(path, { values });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${posts.id}/${entryId}`);
    assert.equal(await page.getByRole('textbox', { name: 'Slug' }).inputValue(), 'grusse');
    assert.equal(await page.getByRole('textbox', { name: 'Raw' }).inputValue(), raw);

    const body = page.getByRole('textbox', { name: 'Body' });
    await body.click();
    await page.keyboard.type('## Head');
    await page.keyboard.press('Enter');
    await page.keyboard.type('plain ');
    await page.getByRole('toolbar', { name: 'Formatting of Body' }).getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.type('bold');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- one ');
    const setLink = async (url: string) => {
      await page.getByRole('toolbar', { name: 'Formatting of Body' }).getByRole('button', { name: 'Link' }).click();
      const input = page.getByRole('textbox', { name: 'Link URL' });
      await input.fill('javascript:x');
      await page.getByText('Use a web, email or phone URL').waitFor();
      assert.deepEqual(await faultsOf(page), []);
      await input.fill(url);
      await page.keyboard.press('Enter');
      await input.waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Body');
    };
    await setLink('shop.example/a');
    // With the cursor in the link, it is changed as a whole.
    await page.keyboard.press('ArrowLeft');
    await setLink('/b');
    await page.getByRole('textbox', { name: 'Teaser' }).click();
    await page.keyboard.type('A *star*');
    // As signs, not as a format.
    await page.keyboard.press('Backspace');
    await page.getByRole('textbox', { name: 'Data' }).fill('{"a": ');
    await page.getByText('This is not valid JSON.').waitFor();
    await page.getByRole('textbox', { name: 'Data' }).fill('{"a": 1}');
    const author = page.getByRole('combobox', { name: 'Author' });
    assert.equal(await author.inputValue(), 'Bob');
    await author.click();
    await author.fill('ada');
    await page.getByRole('option', { name: 'Ada', exact: true }).click();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    const stored = (await client.getEntry({ ...path, entryId })).values;
    assert.deepEqual(
      { ...stored, body: undefined },
      {
        ...{ title: 'Grüße', slug: 'grusse', raw, author: ada?.id, data: { a: 1 }, body: undefined },
        teaser: 'A \\*star\\*',
      },
    );
    const nodes = (stored.body as { content: { type: string; content: { marks?: unknown }[] }[] }).content;
    assert.deepEqual(
      nodes.map(({ type }) => type),
      ['heading', 'paragraph', 'bullet_list'],
    );
    assert.deepEqual(nodes[1]?.content[1]?.marks, [{ type: 'strong' }]);
    const item = JSON.stringify(nodes[2]);
    assert.ok(
      item.includes(
        '{"type":"text","marks":[{"type":"link","attrs":{"href":"/b","title":null}}],"text":"https://shop.example/a"}',
      ),
      item,
    );

    await page.goto(`/content/${posts.id}`);
    await page.getByRole('cell', { name: 'Ada' }).waitFor();
    await page.goto(`/content/${authors.id}`);
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const several = page.getByRole('dialog', { name: 'Delete entries in use' });
    await several.getByRole('listitem').first().waitFor();
    assert.deepEqual(await several.getByRole('listitem').allTextContents(), ['Ada'], 'Bob is not referenced any more');
    await several.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`/content/${authors.id}/${ada?.id}`);
    const usages = page.getByRole('region', { name: 'Used by' });
    await usages.getByRole('link', { name: 'Grüße' }).waitFor();
    await usages.getByText('· Author').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete an entry in use' });
    await dialog.getByRole('link', { name: 'Grüße' }).waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The entry was deleted.').waitFor();
    await page.goto(`/content/${posts.id}/${entryId}`);
    await page.getByText('Deleted', { exact: true }).waitFor();

    await page.goto(`/content/${posts.id}/schema`);
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('textbox', { name: 'Field' }).last().fill('Related');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Reference' }).click();
    await page.getByRole('combobox', { name: 'Collections' }).last().click();
    await page.getByRole('option', { name: 'Blog' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('textbox', { name: 'API ID' }).waitFor({ state: 'detached' });
    const added = (await client.getCollection(path)).fields.find(({ id }) => id === 'related');
    assert.deepEqual([added?.format, added?.collectionIds], ['reference', [posts.id]]);

    await page.goto(`/content/${posts.id}/schema`);
    // A text that is made of others, shown under a condition on a select that is as new.
    const addField = async (label: string) => {
      await page.getByRole('button', { name: 'Add field' }).click();
      await page.getByRole('textbox', { name: 'Field' }).last().fill(label);
    };
    await addField('Kind');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Select', exact: true }).click();
    await page.getByRole('textbox', { name: 'Label of new option' }).fill('Long read');
    await addField('Line');
    await page.getByRole('button', { name: 'Help, default, rules: Line' }).click();
    await page.getByRole('textbox', { name: 'Made from other fields' }).last().fill('{title} ({slug})');
    await page.getByRole('button', { name: 'Add condition' }).last().click();
    const condition = page.getByRole('dialog', { name: 'Shown when' });
    await condition.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Kind', exact: true }).click();
    await page.getByRole('option', { name: 'Long read' }).click();
    await condition.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Kind is Long read').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('textbox', { name: 'API ID' }).first().waitFor({ state: 'detached' });
    const line = (await client.getCollection(path)).fields.find(({ id }) => id === 'line');
    assert.deepEqual(
      [line?.computed, line?.visibleWhen],
      ['{title} ({slug})', { and: [{ kind: { eq: 'longRead' } }] }],
    );
    assert.equal((await client.getEntry({ ...path, entryId })).values.line, 'Grüße (grusse)');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('entries are published together, scheduled in the account’s time zone, released, and previewed', async () => {
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>The site</h1>'),
    ).listen(0, '127.0.0.1');
    site.unref();
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo;
    const posts = await client.createCollection({
      name: 'News',
      publishing: true,
      public: true,
      previewUrl: `http://127.0.0.1:${port}/{id}?token={token}`,
      fields: [{ id: 'title', label: 'Title', type: 'text', required: true }],
    });
    const path = { collectionId: posts.id };
    const first = await client.createEntry(path, { values: { title: 'First' } });
    const untitled = await client.createEntry(path, { values: {} });
    const options = { locale: 'de-DE' };
    const { page, complaints } = await openPage(browser, service.url, options, `/content/${posts.id}`);
    const bar = page.getByRole('region', { name: 'Selected entries' });
    const act = (name: string) => bar.getByRole('button', { name, exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await act('Publish');
    await page.getByText(`Untitled (${untitled.id.slice(-6)}): "Title" is required.`).waitFor();
    await client.updateEntry({ ...path, entryId: untitled.id }, { values: { title: 'Second' } });
    await page.reload();
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await act('Publish');
    await page.getByText('2 entries published.').waitFor();
    await page.getByRole('table').getByText('Published', { exact: true }).nth(1).waitFor();

    await page.goto(`/content/${posts.id}/${first.id}`);
    const publishing = page.getByRole('region', { name: 'Publishing' });
    await publishing.getByRole('button', { name: 'Schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Unpublish' }).click();
    await dialog.getByRole('button', { name: 'Date and time' }).click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page
      .locator('button[data-mantine-stop-propagation], table button')
      .filter({ hasText: /^15$/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
    await dialog.getByText('Time zone: ').waitFor();
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await publishing
      .getByRole('list', { name: 'Scheduled' })
      .getByText(/^Unpublish on /)
      .waitFor();
    const [scheduled] = await client.listReleases({ entryId: first.id }).all(9);
    assert.deepEqual([scheduled?.status, scheduled?.item?.action], ['scheduled', 'unpublish']);

    await page.getByRole('button', { name: 'Preview' }).click();
    await page.frameLocator('iframe').getByText('The site').waitFor();
    await page.getByRole('button', { name: 'Close preview' }).click();

    await client.createRelease({ name: 'Launch', items: [{ collectionId: posts.id, entryId: untitled.id }] });
    await page.goto('/content/releases');
    await page.getByRole('heading', { name: 'Releases' }).waitFor();
    await page.getByText('Launch').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByText('Launch').click();
    const drawer = page.getByRole('dialog', { name: 'Launch' });
    await drawer.getByRole('link', { name: 'Second' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await drawer.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('The release was published.').waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
    site.close();
    site.closeAllConnections();
  });

  it('the save bar stays in view, and a failed save scrolls to the first invalid field and focuses it', async () => {
    const viewport = { width: 1200, height: 600 };
    const { page, complaints } = await openPage(browser, service.url, { viewport }, `/content/${collectionId}/new`);
    const save = page.getByRole('button', { name: 'Create entry' });
    await page.getByRole('textbox', { name: 'Extra 11' }).fill('last');
    const box = await save.boundingBox();
    assert(box && box.y > 0 && box.y + box.height <= 600, 'the bar is visible beside the last field');
    await save.click();
    await page.getByText('"Live" is required.').waitFor();
    const live = page.getByRole('radiogroup', { name: 'Live' });
    await page.waitForFunction(() => document.activeElement?.closest('[role=radiogroup]') !== null);
    assert(
      await live.evaluate((node) => node.contains(document.activeElement)),
      'the first invalid field has the focus',
    );
    assert((await live.boundingBox())?.y ?? -1 >= 0);
    assert.deepEqual([await faultsOf(page), complaints], [[], []]);
    await closePage(page);
  });

  it('fields get locales, help, a default value and rules, and an entry that breaks a rule says so in words', async () => {
    await client.setLocales({ default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
    const { id } = await client.createCollection({
      name: 'Prices',
      fields: [
        { id: 'price', label: 'Price', type: 'number' },
        { id: 'note', label: 'Note', type: 'text' },
      ],
    });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${id}/schema`);
    await page.getByRole('button', { name: 'Help, default, rules: Price' }).click();
    await page.getByRole('checkbox', { name: 'Localized' }).last().check();
    await page.getByRole('textbox', { name: 'Help text' }).fill('Without tax');
    await page.getByRole('textbox', { name: 'Default value' }).fill('5');
    await page.getByRole('textbox', { name: 'Minimum' }).fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('"Price" must be at least 9.').waitFor();
    await page.getByRole('textbox', { name: 'Default value' }).fill('10');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fields saved.').waitFor();
    const [field, note] = (await client.getCollection({ collectionId: id })).fields;
    assert.deepEqual([field?.helpText, field?.defaultValue, field?.validation], ['Without tax', 10, { min: 9 }]);
    assert.deepEqual([field?.localized, note?.localized], [undefined, true]);

    await page.goto(`/content/${id}/new`);
    await page.getByText('Without tax').waitFor();
    const price = page.getByRole('textbox', { name: 'Price' });
    assert.equal(await price.inputValue(), '10');
    await price.fill('8');
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByText('"Price" must be at least 9.').waitFor();
    await price.fill('12');
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByText('version 1').waitFor();
    await page.goto('/content');
    await page
      .getByRole('row', { name: /Prices/ })
      .getByRole('cell', { name: '1', exact: true })
      .first()
      .waitFor();
    assert.deepEqual([await faultsOf(page), complaints], [[], []]);
    await closePage(page);
  });

  it('an entry is duplicated into a form, and created only when it is saved', async () => {
    const entryId = await newEntry({ title: 'Stove', price: 50, notes: ['light', 'small'] });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}/${entryId}`);
    const count = async () => (await client.listEntries({ collectionId, q: 'stove' }).all()).length;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New entry in Offers' }).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill('Gas stove');
    assert.equal(await count(), 1);
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Gas stove' }).waitFor();
    const [copy] = await client.listEntries({ collectionId, q: 'gas stove' }).all();
    assert.deepEqual(copy?.values, { isLive: true, title: 'Gas stove', price: 50, notes: ['light', 'small'] });
    assert.deepEqual((await valuesOf(entryId)).title, 'Stove');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('closing a file asks before it discards a focal point', async () => {
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#268' } })
      .png()
      .toBuffer();
    await client.uploadFile({ file: new File([new Uint8Array(png)], 'lake.png', { type: 'image/png' }) });
    const { page, complaints } = await openPage(browser, service.url, {}, '/files');
    await page.getByRole('button', { name: /lake\.png/ }).click();
    const drawer = page.getByRole('dialog', { name: 'lake.png' });
    await drawer.getByRole('button', { name: /^Focal point/ }).press('ArrowLeft');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await drawer.getByRole('button', { name: /^Focal point: 45/ }).waitFor();
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const [file] = await client.listFiles().all();
    assert.deepEqual(file?.focalPoint, { x: 0.45, y: 0.5 });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('an import asks for the date format of ambiguous dates and shows the values it reads', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${collectionId}/import`);
    const csv = 'isLive,title,begins,price\ntrue,Boots,03/04/2026,"1.234,50"\n';
    const file = { name: 'dates.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.getByLabel('CSV file').setInputFiles(file);
    const preview = page.getByRole('button', { name: 'Preview' });
    await page.getByText('03/04/2026 has two meanings. Choose one.').waitFor();
    assert(await preview.isDisabled());
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('combobox', { name: 'Date format' }).click();
    await page.getByRole('option', { name: 'Month first: 03/04/2026 is 4 Mar 2026' }).waitFor();
    await page.getByRole('option', { name: 'Day first: 03/04/2026 is 3 Apr 2026' }).click();
    await page.getByText('03/04/2026 → 3 Apr 2026').waitFor();
    await page.getByText('1.234,50 → 1234.5').waitFor();
    await preview.click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Imported$/ })
      .waitFor();
    const [boots] = await client.listEntries({ collectionId, q: 'boots' }).all();
    assert.deepEqual(boots?.values, { isLive: true, title: 'Boots', begins: '2026-04-03', price: 1234.5 });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
