// Slow: a real browser.
/** Values in the forms of entries are read and kept as they are written, in every locale and script. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient, ExactNumber } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('forms', () => {
  let client: Client;
  let exactClient: Client;
  let collectionId: string;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
    exactClient = createClient({ baseUrl: service.url, token: account.token, numbers: 'exact' });
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

  it('entries and filters read numbers and dates in the browser locale', async () => {
    const entryId = await newEntry({ title: 'Tent' });
    const path = `/content/${collectionId}`;
    const { page, complaints } = await openPage(browser, service.url, { locale: 'de-DE' }, `${path}/${entryId}`);
    await page.getByRole('textbox', { name: 'Price' }).fill('1234,5');
    await page.getByRole('textbox', { name: 'Begins' }).fill('03.04.2026');
    await page.getByRole('textbox', { name: 'Begins' }).press('Tab');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.deepEqual(await valuesOf(entryId), { isLive: true, title: 'Tent', price: 1234.5, begins: '2026-04-03' });
    assert.equal(await page.getByRole('textbox', { name: 'Price' }).inputValue(), '1234,5');
    assert.equal(await page.getByRole('textbox', { name: 'Begins' }).inputValue(), '03.04.2026');

    await page.goto(path);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Field' }).click();
    await page.getByRole('option', { name: 'Price' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('1.234,5');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('Price is at least 1.234,5').waitFor();
    await page.getByText('1 entry', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('numbers in JSON keep their digits when they are shown, edited, kept as a draft and saved', async () => {
    const { id } = await client.createCollection({
      name: 'Players',
      fields: [
        { id: 'title', label: 'Title', type: 'text' },
        { id: 'data', label: 'Data', type: 'text', format: 'json' },
      ],
    });
    const player = new ExactNumber('76561198009194284');
    const { id: entryId } = await client.createEntry(
      { collectionId: id },
      { values: { title: 'A', data: { player } } },
    );
    const stored = async () => JSON.stringify((await exactClient.getEntry({ collectionId: id, entryId })).values.data);
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${id}/${entryId}`);
    const data = page.getByRole('textbox', { name: 'Data' });
    await page.getByRole('textbox', { name: 'Title' }).fill('B');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.equal(await data.inputValue(), '{\n  "player": 76561198009194284\n}');
    assert.equal(await stored(), '{"player":76561198009194284}');
    await data.fill('{"player": 76561198009194285, "score": 0.12345678901234567890}');
    await page.waitForFunction(() => Object.values(localStorage).some((draft) => draft.includes('76561198009194285')));
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved changes were restored.').waitFor();
    assert.match(await data.inputValue(), /76561198009194285/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 3').waitFor();
    assert.equal(await stored(), '{"player":76561198009194285,"score":0.12345678901234567890}');
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('an entry is translated beside its default locale, and published in one locale', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings/locales');
    await page.getByText('No locales yet').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Add a locale' }).click();
    await page.getByRole('textbox', { name: 'Locale' }).fill('en');
    await page.getByRole('button', { name: 'Add locale' }).click();
    await page.getByRole('textbox', { name: 'Locale' }).last().fill('xx_');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The locale "xx_" is not a BCP 47 tag, such as "de" or "pt-BR".').waitFor();
    // What is typed on the way to "en-GB" is a locale of the list.
    await page.getByRole('button', { name: 'Add locale' }).click();
    await page.getByRole('textbox', { name: 'Locale' }).last().fill('en');
    await page.getByRole('button', { name: 'Remove English' }).last().click();
    await page.getByRole('textbox', { name: 'Locale' }).last().fill('de');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    const fallback = { locale: 'de', fallback: 'en' };
    assert.deepEqual(await client.getLocales(), {
      default: 'en',
      locales: [{ locale: 'en', fallback: null }, fallback],
    });

    const guides = await client.createCollection({
      name: 'Guides',
      publishing: true,
      fields: [
        { id: 'title', label: 'Title', type: 'text', required: true, localized: true },
        { id: 'teaser', label: 'Teaser', type: 'text', localized: true },
        { id: 'minutes', label: 'Minutes', type: 'number' },
      ],
    });
    const path = { collectionId: guides.id };
    const { id: entryId } = await client.createEntry(path, { values: { title: 'Tents', teaser: 'Dry' } });
    await page.goto(`/content/${guides.id}/${entryId}`);
    const bar = page.getByRole('region', { name: 'Publishing' });
    await bar.getByText('Not translated').waitFor();
    await page.getByText('Not translated: English is shown.').first().waitFor();
    await page.getByRole('textbox', { name: 'Teaser (German)' }).fill('Trocken');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Translation' }).inputValue(), 'German · 1 of 2 translated');
    await bar.getByRole('button', { name: 'Publish', exact: true }).click();
    await bar.getByText('"Title (de)" is required.').waitFor();
    await bar.getByRole('checkbox', { name: 'English' }).press('Space');
    await bar.getByRole('button', { name: 'Publish', exact: true }).click();
    await bar.getByText('Published', { exact: true }).first().waitFor();
    assert.deepEqual((await client.getEntry({ ...path, entryId })).publishedLocales, { en: 2 });
    assert.deepEqual(await faultsOf(page), []);

    await page.setViewportSize({ width: 390, height: 800 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 390);
    const german = page.getByRole('textbox', { name: 'Title (German)' });
    await page.getByRole('radiogroup', { name: 'Locale' }).getByText('English').click();
    await german.waitFor({ state: 'hidden' });
    await page.getByRole('radio', { name: 'German' }).press('ArrowRight');
    await page.getByRole('radiogroup', { name: 'Locale' }).getByText('German').click();
    await german.fill('Zelte');
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor({ state: 'hidden' });
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 3').waitFor();
    assert.equal((await valuesIn(guides.id, entryId))['title@de'], 'Zelte');
    await bar.getByText('Draft', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a number that cannot be read is kept as typed and not saved as another one', async () => {
    const entryId = await newEntry({ title: 'Rope', price: 5 });
    const { page } = await openPage(browser, service.url, {}, `/content/${collectionId}/${entryId}`);
    await page.getByRole('textbox', { name: 'Price' }).fill('12 or so');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fix the highlighted fields.').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Price' }).inputValue(), '12 or so');
    assert.equal((await valuesOf(entryId)).price, 5);
    await closePage(page);
  });

  it('labels of every script get usable API IDs', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/content/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Статьи');
    await page.getByRole('textbox', { name: 'Field' }).fill('Заголовок статьи');
    const id = page.getByRole('textbox', { name: 'API ID' });
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'zagolovokStati'),
    );
    assert.equal(await id.inputValue(), 'zagolovokStati');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { level: 1, name: 'Статьи' }).waitFor();
    const created = (await client.listCollections().all()).find(({ name }) => name === 'Статьи');
    assert.deepEqual(
      created?.fields.map((field) => field.id),
      ['zagolovokStati'],
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
