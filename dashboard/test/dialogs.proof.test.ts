// Slow: a real browser.
/** Every dialog, drawer and menu: opened by keyboard, checked by axe, closed by Escape, with the focus returned. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../server/test/until.ts';
import { furnish } from './furnish.ts';
import { atRest, closePage, faultsOf, navigate, openPage } from './open-page.ts';
import { browser, service } from './shared.ts';

interface Ids {
  pages: string;
  campaigns: string;
  entry: string;
  conversion: string;
  webhook: string;
}

interface Dialog {
  path: (ids: Ids) => string;
  before?: (page: Page) => Promise<unknown>;
  /** The control that opens it, after `before`. */
  opener: (page: Page) => Locator;
  role?: 'dialog' | 'menu';
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();
const entries = ({ pages }: Ids) => `/content/${pages}`;
const entry = ({ pages, entry: id }: Ids) => `/content/${pages}/${id}`;
const endpoint = ({ webhook }: Ids) => `/webhooks/${webhook}`;

const DIALOGS: Record<string, Dialog> = {
  'the account menu': { path: () => '/funnels', opener: button(/Outdoor shop/), role: 'menu' },
  'the menu of a collection': {
    path: () => '/content',
    opener: button(/^(More|Actions).*Landing pages/),
    role: 'menu',
  },
  'the columns of a table': { path: entries, opener: button(/^Columns/), role: 'menu' },
  'a filter of entries': { path: entries, opener: button(/^Filter/) },
  'a value edited in its cell': { path: entries, opener: button(/^Edit Budget of/) },
  'a bulk edit': {
    path: entries,
    before: (page) => page.getByRole('checkbox', { name: 'Select all rows shown' }).check(),
    opener: button(/^Bulk edit/),
  },
  'a new release': { path: () => '/content/releases', opener: button('New release') },
  'a release': { path: () => '/content/releases', opener: button(/Skin care weeks/) },
  'the history of an entry': { path: entry, opener: button(/^History/) },
  'the choice of a file': { path: entry, opener: button(/^Replace Hero/) },
  'a file': { path: () => '/files', opener: button(/summer-lake/) },
  'the deletion of a file': {
    path: () => '/files',
    before: async (page) => {
      await button(/summer-lake/)(page).click();
      await button('Delete file')(page).click();
    },
    opener: button('Delete permanently'),
  },
  'the search over everything': { path: () => '/funnels', opener: button(/^Search/) },
  'the days of the overview': { path: () => '/overview', opener: button('Custom range') },
  'the days of a list': { path: () => '/sessions', opener: button('All time') },
  'importing and exporting': { path: entries, opener: button(/^More actions/), role: 'menu' },
  'the permanent deletion of a collection': {
    path: () => '/content/trash',
    opener: button(/^Delete permanently Prices/),
  },
  'a filter of conversions': { path: () => '/conversions', opener: button(/^Filter/) },
  'a restatement': { path: ({ conversion }) => `/conversions/${conversion}`, opener: button('Adjust value') },
  'a new publish hook': { path: () => '/webhooks', opener: button('Add publish hook') },
  'a new endpoint': { path: () => '/webhooks', opener: button('Add endpoint') },
  'the change of an endpoint': { path: endpoint, opener: button('Edit') },
  'a new secret': { path: endpoint, opener: button('Rotate secret') },
  'the deletion of an endpoint': { path: endpoint, opener: button('Delete') },
  'a new key': { path: () => '/settings/keys', opener: button('Create key') },
  'the revocation of a key': { path: () => '/settings/keys', opener: button(/^Revoke /) },
  'an invitation': { path: () => '/settings/members', opener: button(/^Invite/) },
};

describe('dialogs', () => {
  let ids: Ids;

  before(async () => {
    const account = await service.newAccount('Outdoor shop');
    await service.makeOwner(account.id);
    const { client, landingPages, entryIds } = await furnish(service.url, account.token, account.apiKey);
    const [conversion] = await client.listConversions({}).all();
    const prices = (await client.listCollections().all()).find(({ name }) => name === 'Prices');
    await client.deleteCollection({ collectionId: prices?.id ?? '' });
    await client.createRelease({ name: 'Skin care weeks', at: new Date(Date.now() + 3_600_000).toISOString() });
    const webhook = await client.createWebhook({ url: 'https://hooks.example/outdoor' });
    const { id: campaigns } = await client.createCollection({
      name: 'Campaigns',
      fields: [{ id: 'page', label: 'Page', type: 'text', format: 'reference', collectionIds: [landingPages] }],
    });
    ids = {
      campaigns,
      pages: landingPages,
      entry: entryIds[0] ?? '',
      conversion: conversion?.id ?? '',
      webhook: webhook.id,
    };
  });

  it('take the focus, pass axe, close on Escape and return the focus', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/funnels');
    const faults: string[] = [];
    for (const [name, dialog] of Object.entries(DIALOGS)) {
      await navigate(page, dialog.path(ids));
      await judge(page, dialog).catch((error) => faults.push(`${name}: ${String(error).slice(0, 2_000)}`));
    }
    await navigate(page, `/content/${ids.campaigns}/new`);
    await judgeList(page).catch((error) => faults.push(`a list of references: ${String(error).slice(0, 2_000)}`));
    assert.deepEqual([faults, complaints], [[], []]);
    await closePage(page);
  });
});

/** An open list, whose input keeps the focus. */
async function judgeList(page: Page): Promise<void> {
  const input = page.getByRole('combobox', { name: 'Page' });
  await input.waitFor();
  await atRest(page);
  await input.click();
  await page.getByRole('group', { name: 'Landing pages' }).getByRole('option').first().waitFor();
  await page.getByRole('group', { name: 'New' }).getByRole('option', { name: 'Create an entry' }).waitFor();
  assert.deepEqual(await faultsOfPopup(page), []);
  await input.fill('zzz');
  await page.getByRole('option', { name: 'Create "zzz"' }).waitFor();
  await page.getByRole('group', { name: 'Landing pages' }).waitFor({ state: 'detached' });
  assert.deepEqual(await faultsOfPopup(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
}

async function judge(page: Page, { before: prepare, opener, role = 'dialog' }: Dialog): Promise<void> {
  await prepare?.(page);
  const from = opener(page);
  await from.waitFor();
  await atRest(page);
  const opened = page.getByRole(role);
  const shown = opened.nth(await opened.count());
  await from.press('Enter');
  await shown.waitFor();
  await until(() => shown.evaluate((node) => node.contains(document.activeElement)));
  const faults = await (role === 'menu' ? faultsOfPopup : faultsOf)(page);
  assert.deepEqual(faults, []);
  const node = await shown.elementHandle();
  await page.keyboard.press('Escape');
  await node?.waitForElementState('hidden');
  const isBack = () => from.evaluate((element) => document.activeElement === element);
  await until(isBack).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
  });
}

/** Menus and lists are outside of the landmarks, like those of the browser. */
const faultsOfPopup = async (page: Page) => (await faultsOf(page)).filter((fault) => !fault.startsWith('region:'));
