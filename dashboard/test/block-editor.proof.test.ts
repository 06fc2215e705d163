// Slow: a real browser.
/** The editor of blocks and nested groups: rows are added, moved, folded, duplicated and removed by mouse and keyboard, and none is lost. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

describe('blocks', () => {
  let client: Client;

  before(async () => {
    const account = await service.newAccount('Page shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
  });

  const text = (id: string, label: string) => ({ id, label, type: 'text' as const });
  const links = {
    id: 'links',
    label: 'Links',
    type: 'group' as const,
    repeated: true,
    fields: [text('label', 'Label')],
  };

  it('the editor of a collection makes blocks, and keeps what it does not show', async () => {
    const { id } = await client.createCollection({
      name: 'Guides',
      fields: [
        { ...text('title', 'Title'), visibleWhen: { note: { exists: true } } },
        text('note', 'Note'),
        { ...links, rowIds: true, validation: { maxItems: 3 } },
      ],
    });
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${id}/schema`);
    await page.getByRole('button', { name: 'Add field', exact: true }).click();
    await page.getByRole('textbox', { name: 'Field' }).last().fill('Body');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Blocks' }).click();
    await page.getByRole('textbox', { name: 'Block', exact: true }).fill('Hero');
    await page.getByRole('textbox', { name: 'Field' }).last().fill('Headline');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('textbox', { name: 'Key' }).fill('guides');
    await page.getByRole('switch', { name: 'Tree' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Fields saved.').waitFor();
    const { fields, tree } = await client.getCollection({ collectionId: 'guides' });
    assert.equal(tree, true);
    const made = fields.find(({ label }) => label === 'Body');
    assert.deepEqual([made?.format, made?.repeated], ['blocks', true]);
    assert.deepEqual(
      made?.blocks?.map((block) => [block.id, block.label, block.fields.map(({ label }) => label)]),
      [['hero', 'Hero', ['Headline']]],
    );
    const kept = fields.find((field) => field.id === 'links');
    assert.deepEqual([kept?.rowIds, kept?.validation], [true, { maxItems: 3 }]);
    assert.deepEqual(fields.find((field) => field.id === 'title')?.visibleWhen, { note: { exists: true } });
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('every setting of a collection and its fields is set by hand, and faults are shown at it', async () => {
    const isPublic = { publishing: true, public: true };
    const slug = { id: 'slug', label: 'Slug', type: 'text' as const, format: 'slug' as const };
    const topics = await client.createCollection({ name: 'Topics', ...isPublic, fields: [text('name', 'Name'), slug] });
    const title = { ...text('title', 'Title'), defaultValue: 'Report' };
    const shared = await client.createComponent({ name: 'Shared', fields: [title] });
    const { id: collectionId } = await client.createCollection({
      name: 'Reports',
      ...isPublic,
      fields: [
        text('name', 'Name'),
        slug,
        { ...text('topic', 'Topic'), format: 'reference', collectionIds: [topics.id] },
        { id: 'day', label: 'Day', type: 'date' },
        text('writer', 'Writer'),
        { ...text('intro', 'Intro'), format: 'richtext' },
        { id: 'seo', label: 'SEO', type: 'group', fields: [title] },
        links,
        {
          ...{ id: 'body', label: 'Body', type: 'group', repeated: true, format: 'blocks' },
          blocks: [
            { id: 'hero', label: 'Hero', fields: [text('title', 'Headline')] },
            { id: 'quote', label: 'Quote', fields: [text('text', 'Quotation')] },
          ],
        },
      ],
    });
    const body = [{ _block: 'quote', text: 'So it goes.' }];
    await client.createEntry({ collectionId }, { values: { name: 'First', body } });
    const path = `/content/${collectionId}/schema`;
    const { page, complaints } = await openPage(browser, service.url, { viewport: { width: 390, height: 800 } }, path);
    const turn = (name: string) => page.getByRole('switch', { name }).first().click();
    const open = (name: string) => page.getByRole('button', { name: `Help, default, rules: ${name}` }).click();
    const saved = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Fields saved.').last().waitFor();
      await page.goto(path);
      return client.getCollection({ collectionId });
    };
    await open('Day');
    await turn('Default: time of creation');
    await open('Writer');
    await turn('Default: who creates it');
    await open('SEO');
    await turn('Default: those of its fields');
    await open('Links');
    await turn('Row IDs');
    await open('Name');
    await turn('Markdown');
    await page.getByRole('button', { name: 'Add combination' }).click();
    const combination = page.getByRole('combobox', { name: 'Combination 1' });
    await combination.click();
    await page.getByRole('option', { name: 'Topic' }).click();
    await page.keyboard.press('Escape');
    const pattern = page.getByRole('textbox', { name: 'URL pattern' });
    await page.getByText('Placeholders: {id}, {slug}, {topic.slug}, {day}, {writer}').first().waitFor();
    await pattern.fill('/{subject.slug}/{slug}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The service checks the form of a request first.
    await page.getByText(/This value must (not )?have (fewer|at least) /).waitFor();
    await combination.and(page.locator(':focus')).waitFor();
    await combination.click();
    await page.getByRole('option', { name: 'Name' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('There is no active field with the ID "subject".').waitFor();
    await pattern.and(page.locator(':focus')).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await pattern.fill('/{topic.slug}/{slug}');
    const { fields, uniqueTogether, urlPattern } = await saved();
    const field = (name: string) => fields.find(({ id }) => id === name);
    assert.deepEqual([uniqueTogether, urlPattern], [[['topic', 'name']], '/{topic.slug}/{slug}']);
    assert.deepEqual(
      ['day', 'writer', 'seo'].map((name) => field(name)?.defaultValue),
      [{ now: true }, { currentUser: true }, {}],
    );
    assert.deepEqual([field('links')?.rowIds, field('name')?.format], [true, 'markdown']);

    // A group takes the fields of a component, and a block that has values is archived only when that is confirmed.
    await page.getByRole('combobox', { name: 'Fields of' }).first().click();
    await page.getByRole('option', { name: 'Shared' }).click();
    // Fields of what is saved are folded.
    assert.equal(await page.getByRole('button', { name: 'Add field to group' }).count(), 0);
    await page.getByRole('button', { name: '1 field: Hero' }).click();
    await page.getByRole('button', { name: 'Archive Headline' }).waitFor();
    await page.getByRole('button', { name: 'Archive Quote' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'This hides values' });
    const said =
      'The values of "Quote" in 1 entry of "Reports" would no longer be returned. Save again to do it anyway.';
    await alert.getByText(said, { exact: true }).waitFor();
    const after = (await saved()).fields;
    assert.equal(after.find(({ id }) => id === 'seo')?.componentId, shared.id);
    const quote = after.find(({ id }) => id === 'body')?.blocks?.find(({ id }) => id === 'quote');
    assert.equal(quote?.status, 'deleted');
    // By keyboard.
    await page.getByRole('combobox', { name: 'Fields of' }).first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal((await saved()).fields.find(({ id }) => id === 'seo')?.componentId, undefined);

    // What the service makes is not sent by a new entry, and its form says so.
    await page.goto(`/content/${collectionId}/new`);
    await page.getByText('Filled in when you save').first().waitFor();
    await page.getByRole('button', { name: 'Create entry' }).click();
    await page.getByText('version 1').waitFor();
    const [made] = await client.listEntries({ collectionId, sort: 'createdAt:desc' }).all();
    assert.match(String(made?.values.writer), /^usr_/);
    assert.match(String(made?.values.day), /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(made?.values.seo, { title: 'Report' });

    // A new collection can reference itself.
    await page.goto('/content/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Series');
    await page.getByRole('textbox', { name: 'Field' }).fill('Related');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Reference' }).click();
    await page.getByRole('combobox', { name: 'Collections' }).click();
    await page.getByRole('option', { name: 'This collection' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByText('Series was created.').waitFor();
    const series = await client.getCollection({ collectionId: 'series' });
    assert.deepEqual(series.fields[0]?.collectionIds, [series.id]);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
