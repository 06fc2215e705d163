// Slow: a real browser.
/** Roles by hand: made in the grid, given by an invitation, held to by every page, and looked through by an owner. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@headwater/sdk';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../../server/test/machine.ts';
import { atRest, closePage, faultsOf, openPage, trackRequests } from './open-page.ts';
import { browser, service } from './shared.ts';

async function shop() {
  const account = await service.newAccount('Outdoor shop');
  await service.makeOwner(account.id);
  const client = createClient({ baseUrl: service.url, token: account.token });
  await client.setLocales({ default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] });
  const fields = [
    { id: 'title', label: 'Title', type: 'text' as const, localized: true },
    { id: 'price', label: 'Price', type: 'number' as const },
    { id: 'writer', label: 'Writer', type: 'text' as const },
  ];
  const articles = await client.createCollection({ name: 'Articles', publishing: true, fields });
  const payroll = await client.createCollection({ name: 'Payroll', fields });
  const path = { collectionId: articles.id };
  const entry = await client.createEntry(path, { values: { title: 'Tents', price: 12 } });
  return { account, client, articles, payroll, entry };
}

/** In both color schemes, and as narrow as a phone without anything beside the page. */
async function isAccessible(page: Page): Promise<void> {
  await atRest(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await atRest(page);
    assert.deepEqual(await faultsOf(page, colorScheme === 'light' ? 'all' : 'colors'), [], colorScheme);
  }
  const { width, height } = page.viewportSize() ?? { width: 1360, height: 860 };
  await page.setViewportSize({ width: 390, height });
  await atRest(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'fits on a phone');
  assert.deepEqual(await faultsOf(page, 'structure'), [], 'on a phone');
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: null });
  // The page moves until then.
  await atRest(page);
}

const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('a translator is made by keyboard, invited, and changes only what is theirs', async () => {
  const { account, client, articles, payroll, entry } = await shop();
  const { page, complaints } = await openPage(browser, service.url, {}, '/settings/roles');
  const list = page.getByRole('table', { name: 'Roles' });
  await list.getByRole('link', { name: 'Editor' }).waitFor();
  await isAccessible(page);
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Translator');

  const grid = page.getByRole('table', { name: 'Content' });
  const box = (name: string) => grid.getByRole('checkbox', { name, exact: true });
  await box('Read: All collections').focus();
  for (const [key, label] of [
    ['ArrowDown', 'Read: Articles'],
    ['ArrowRight', 'Create: Articles'],
    ['ArrowRight', 'Change: Articles'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await focusedLabel(page), label);
  }
  await page.keyboard.press('Space');
  assert.deepEqual([await box('Change: Articles').isChecked(), await box('Read: Articles').isChecked()], [true, true]);
  await page.keyboard.press('End');
  assert.equal(await focusedLabel(page), 'Limits of Articles');
  await page.keyboard.press('Enter');
  const limits = grid.getByRole('group', { name: 'Limits of Articles' });
  await limits.getByRole('button', { name: 'Other limits for other actions' }).click();
  // One permission counts for each action, so the second one takes it over.
  await box('Change: Articles, further limits').click();
  assert.equal(await box('Change: Articles').isChecked(), false);
  await grid.getByRole('button', { name: 'Limits of Articles, further limits' }).click();
  const further = grid.getByRole('group', { name: 'Limits of Articles, further limits' });
  await further.getByText('Only these', { exact: true }).click();
  await further.getByRole('combobox', { name: 'Only these fields' }).click();
  await page.getByRole('option', { name: 'Title' }).click();
  await page.keyboard.press('Escape');
  await further.getByRole('combobox', { name: 'Locales' }).click();
  await page.getByRole('option', { name: 'German' }).click();
  await page.keyboard.press('Escape');
  await isAccessible(page);
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('heading', { level: 1, name: 'Translator' }).waitFor();
  const role = (await client.listRoles().all()).find(({ name }) => name === 'Translator');
  assert.deepEqual(role?.permissions, [
    { collection: articles.id, actions: ['read'] },
    { collection: articles.id, actions: ['update'], fields: ['title'], locales: ['de'] },
  ]);

  await page.goto('/settings/members?invite=true');
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Translator' }).click();
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  const link = (await page.getByRole('group', { name: 'Invitation link' }).textContent()) ?? '';

  const context = await browser.newContext({ baseURL: service.url, locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const theirs = await context.newPage();
  trackRequests(theirs);
  await theirs.goto(/https?:\S+?#[\w-]+/.exec(link)?.[0] ?? '');
  await theirs.getByText('You are invited as Translator').waitFor();
  await theirs.getByRole('textbox', { name: 'Your name' }).fill('Tomas');
  await theirs.getByRole('textbox', { name: 'Email' }).fill('tomas@outdoor.example');
  await theirs.getByRole('textbox', { name: 'Password' }).fill('many words from far away');
  await theirs.getByRole('button', { name: /^(Create|Join)/ }).click();
  const places = theirs.getByRole('navigation', { name: 'Main' });
  await places.getByRole('link', { name: 'Content' }).click();
  await theirs.getByRole('link', { name: 'Articles' }).first().waitFor();
  assert.deepEqual(await places.getByRole('link', { name: /^(Analytics|Revenue|Components|Trash|Files)$/ }).count(), 0);
  assert.equal(await theirs.getByText('Payroll').count(), 0);
  assert.equal(await theirs.getByRole('link', { name: 'New collection' }).count(), 0);

  await theirs.goto(`/content/${articles.id}/${entry.id}`);
  const german = theirs.getByRole('textbox', { name: 'Title (German)' });
  await german.fill('Zelte');
  const english = theirs.getByRole('textbox', { name: 'Title', exact: true });
  const price = theirs.getByRole('textbox', { name: 'Price' });
  assert.deepEqual([await english.isDisabled(), await price.isDisabled()], [true, true]);
  await theirs.getByText('Locked: your role may not change this language.').waitFor();
  assert.ok((await theirs.getByText('Locked: your role may not change this field.').count()) > 0);
  await isAccessible(theirs);
  assert.equal(await theirs.getByRole('button', { name: 'Publish', exact: true }).count(), 0);
  await theirs.getByText('Your role may not publish here.').waitFor();
  assert.equal(await theirs.getByRole('button', { name: 'More actions' }).count(), 0);
  await theirs.getByRole('button', { name: 'Save', exact: true }).click();
  await theirs.getByText('Saved.').waitFor();
  const saved = await client.getEntry({ collectionId: articles.id, entryId: entry.id });
  assert.deepEqual([saved.values.title, saved.values['title@de'], saved.values.price], ['Tents', 'Zelte', 12]);
  for (const path of ['/settings/keys', `/content/${payroll.id}`, `/content/${articles.id}/new`, '/overview']) {
    await theirs.goto(path);
    await theirs.getByText('Your role does not allow this').waitFor();
  }
  await context.close();

  await page.goto('/settings/roles');
  const row = list.getByRole('row', { name: /Translator/ });
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  await row.getByRole('button', { name: 'Actions for Translator' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click();
  await page.getByRole('dialog').getByText('The role is in use').waitFor();
  assert.ok(account.id);
  assert.deepEqual(complaints, []);
  await closePage(page);
});

test('an owner views the account as a role, changes nothing meanwhile, and ends it with one click', async () => {
  const { client, articles, entry } = await shop();
  const role = await client.createRole({
    name: 'Writer',
    permissions: [{ collection: articles.id, actions: ['read', 'update'], exceptFields: ['price'] }],
  });
  const { page, complaints } = await openPage(browser, service.url, {}, `/settings/roles/${role.id}`);
  await page.getByRole('button', { name: 'View as this role' }).click();
  const banner = page.getByText('You see this account as the role Writer does.');
  await banner.waitFor();
  const places = page.getByRole('navigation', { name: 'Main' });
  assert.equal(await places.getByRole('link', { name: 'Revenue' }).count(), 0);
  await page.goto(`/content/${articles.id}/${entry.id}`);
  const writer = page.getByRole('textbox', { name: 'Writer' });
  await writer.fill('Mallory');
  assert.equal(await page.getByRole('textbox', { name: 'Price' }).count(), 0);
  await isAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Nothing can be changed until you end the view.').waitFor();
  const path = { collectionId: articles.id, entryId: entry.id };
  assert.equal((await client.getEntry(path)).values.writer, undefined);
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'End view' }).click();
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  assert.equal(await banner.count(), 0);
  await places.getByRole('link', { name: 'Revenue' }).waitFor();
  assert.deepEqual(complaints, []);
  await closePage(page);
});

test('a condition is made by the filters of the table, with the current user, and what is refused is said at its row', async () => {
  const { client, articles } = await shop();
  const { page, complaints } = await openPage(browser, service.url, {}, '/settings/roles/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Author');
  const grid = page.getByRole('table', { name: 'Content' });
  await grid.getByRole('checkbox', { name: 'Change: Articles' }).click();
  await grid.getByRole('button', { name: 'Limits of Articles' }).click();
  const limits = grid.getByRole('group', { name: 'Limits of Articles' });
  await limits.getByRole('button', { name: 'Add condition' }).click();
  const builder = page.getByRole('dialog', { name: 'Entries that exist for the role' });
  await builder.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Writer' }).click();
  await builder.getByRole('combobox', { name: 'Condition' }).click();
  await page.getByRole('option', { name: 'is', exact: true }).click();
  await builder.getByRole('checkbox', { name: 'Current user' }).click();
  assert.deepEqual(await faultsOf(page), []);
  await builder.getByRole('button', { name: 'Apply' }).click();
  await limits.getByText('Writer is the current user').waitFor();
  // The role may not read what its condition is about.
  await limits.getByText('All but these', { exact: true }).click();
  await limits.getByRole('combobox', { name: 'All fields but these' }).click();
  await page.getByRole('option', { name: 'Writer' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create role' }).click();
  await limits.getByRole('alert').filter({ hasText: 'The role may not read "writer"' }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await limits.getByText('All', { exact: true }).click();
  await page.getByRole('radiogroup', { name: 'Schema' }).getByText('Change').click();
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('alert').filter({ hasText: 'the role must read all entries' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Schema' }).getByText('None').click();
  await page.getByRole('radiogroup', { name: 'Files' }).getByText('Read').click();
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('heading', { level: 1, name: 'Author' }).waitFor();
  const role = (await client.listRoles().all()).find(({ name }) => name === 'Author');
  assert.deepEqual(role?.permissions, [
    {
      collection: articles.id,
      actions: ['read', 'update'],
      where: { and: [{ writer: { eq: { currentUser: true } } }] },
    },
  ]);
  assert.equal(role?.features.files, 'read');
  // A built-in role is only looked at.
  await page.goto('/settings/roles/viewer');
  await page.getByText('Built-in roles cannot be changed.').waitFor();
  assert.ok(await page.getByRole('checkbox', { name: 'Read: All collections' }).isDisabled());
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  assert.deepEqual(complaints, []);
  await closePage(page);
});
