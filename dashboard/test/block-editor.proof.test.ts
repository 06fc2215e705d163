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
});
