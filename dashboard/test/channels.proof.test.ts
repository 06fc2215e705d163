import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ChannelRule, createClient } from '@headwater/sdk';
import { until } from '../../server/test/until.ts';
import { closePage, faultsOf, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

it('custom channels are added, sorted by the keyboard, previewed and saved; errors appear at their field', async () => {
  const account = await service.newAccount('Outdoor shop');
  await service.makeOwner(account.id);
  const client = createClient({ baseUrl: service.url, token: account.token });
  await client.recordVisit({ api_key: account.token, url: 'https://shop.example/?utm_source=partner-a' });
  const none: ChannelRule = {
    ...{ name: 'Nothing', match: 'all' },
    conditions: [{ field: 'medium', operator: 'is', values: [null] }],
  };
  await client.putChannelRules({ rules: [none] });

  const { page, complaints } = await openPage(browser, service.url, {}, '/channels');
  await page.getByRole('button', { name: 'Add channel' }).click();
  const added = page.getByRole('region', { name: 'new rule' });
  await added.getByLabel('Value', { exact: true }).fill('partner-*');
  await added.getByLabel('Value', { exact: true }).press('Enter');
  await added.getByRole('combobox', { name: 'Condition' }).click();
  await page.getByRole('option', { name: 'matches (* is any text)' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  // The name is missing.
  await page.locator('[aria-invalid=true]').first().waitFor();
  await added.getByRole('textbox', { name: 'Channel' }).fill('Partners');

  const handle = page.getByRole('button', { name: 'Move Partners', exact: true });
  await handle.focus();
  await page.keyboard.press('Space');
  await page.getByText(/^Partners (?:picked up, 2|is at 2) of 2\.$/).waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('Partners is at 1 of 2.').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await until(async () => (await page.getByRole('textbox', { name: 'Channel' }).first().inputValue()) === 'Partners');

  await until(async () => {
    await page.getByRole('button', { name: 'Preview effects' }).click();
    await page.getByRole('table', { name: 'Sessions of the last 30 days' }).waitFor();
    const rows = await page.getByRole('row').allInnerTexts();
    return rows.some((row) => /^Partners\s+1\s+0$/.test(row));
  });
  await page.getByRole('region', { name: 'Partners' }).getByText('1 session', { exact: true }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  const partners = { name: 'Partners', match: 'all' };
  assert.deepEqual((await client.getChannelRules()).rules, [
    { ...partners, conditions: [{ field: 'source', operator: 'matches', values: ['partner-*'] }] },
    none,
  ]);
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  );
  await closePage(page);
});
