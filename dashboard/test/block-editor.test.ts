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
  const pictures = { id: 'pictures', label: 'Pictures', type: 'asset' as const, repeated: true };
  const body = {
    ...{ id: 'body', label: 'Body', type: 'group' as const, repeated: true, format: 'blocks' as const },
    blocks: [
      { id: 'hero', label: 'Hero', fields: [{ ...text('title', 'Title'), required: true }, links, pictures] },
      { id: 'quote', label: 'Quote', fields: [text('text', 'Quotation')] },
    ],
  };

  it('a page is built of blocks by hand, and what is not touched stays', async () => {
    const { id } = await client.createCollection({ name: 'Pages', fields: [text('name', 'Name'), body] });
    const hero = { _block: 'hero', _id: 'row1', title: 'Welcome', links: [{ label: 'Home' }] };
    const entry = await client.createEntry({ collectionId: id }, { values: { name: 'Start', body: [hero] } });
    const path = { collectionId: id, entryId: entry.id };
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${id}/${entry.id}`);
    const editor = page.getByRole('group', { name: 'Body', exact: true });
    const row = (name: string) => editor.getByRole('group', { name });
    await editor.getByRole('button', { name: 'Add to Body' }).click();
    await page.getByRole('menuitem', { name: 'Quote' }).click();
    // What is added can be typed into at once.
    const quotation = row('Quote 2 of 2').getByRole('textbox', { name: 'Quotation' });
    await quotation.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('So it goes.');
    await row('Quote 2 of 2').getByRole('button', { name: 'Move Quote 2 up' }).press('Enter');
    await row('Quote 1 of 2').waitFor();
    await editor.getByText('Quote moved to 1 of 2.').waitFor({ state: 'attached' });
    await row('Hero 2 of 2').getByRole('button', { name: 'Duplicate Hero 2' }).click();
    await row('Hero 3 of 3').getByRole('textbox', { name: 'Title' }).fill('Again');
    await row('Hero 3 of 3').getByRole('button', { name: 'Add to Pictures' }).click();
    await page.getByRole('dialog', { name: 'Pictures 1' }).waitFor();
    await page.keyboard.press('Escape');
    await row('Hero 3 of 3').getByRole('button', { name: 'Remove Pictures 1' }).click();
    // Rows of groups, too, and what is removed comes back.
    await row('Hero 3 of 3').getByRole('button', { name: 'Add to Links' }).click();
    const label = row('Hero 3 of 3').getByRole('group', { name: 'Links 2' }).getByRole('textbox', { name: 'Label' });
    await label.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Shop');
    await row('Hero 3 of 3').getByRole('button', { name: 'Remove Links 1' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await label.waitFor();
    await row('Hero 3 of 3').getByRole('button', { name: 'Remove Links 2' }).click();
    await row('Hero 2 of 3').getByRole('button', { name: 'Remove Hero 2' }).click();
    await row('Hero 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await editor.getByText('Hero added as 2 of 3.').waitFor({ state: 'attached' });
    await row('Hero 2 of 3').getByRole('button', { name: 'Hero', exact: true }).click();
    assert.equal(await row('Hero 2 of 3').getByRole('textbox', { name: 'Title' }).count(), 0, 'folded');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 2').waitFor();
    const rows = (await client.getEntry(path)).values.body as (typeof hero)[];
    assert.deepEqual(
      rows.map(({ _block, title }) => [_block, title]),
      [
        ['quote', undefined],
        ['hero', 'Welcome'],
        ['hero', 'Again'],
      ],
    );
    assert.deepEqual(rows[1], hero, 'keeps its ID and its links');
    assert.deepEqual(rows[2]?.links, hero.links);
    assert.equal(new Set(rows.map(({ _id }) => _id)).size, 3);

    await row('Quote 1 of 3').getByRole('button', { name: 'Remove Quote 1' }).click();
    await row('Hero 2 of 2').getByRole('textbox', { name: 'Title' }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Hero 2 of 2')
      .getByText(/is required|must not be empty/)
      .waitFor();
    await row('Hero 2 of 2').getByRole('textbox', { name: 'Title' }).fill('Once more');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 3').waitFor();
    assert.deepEqual(
      ((await client.getEntry(path)).values.body as (typeof hero)[]).map(({ title }) => title),
      ['Welcome', 'Once more'],
    );
    assert.deepEqual(complaints, []);
    await closePage(page);
  });
});
