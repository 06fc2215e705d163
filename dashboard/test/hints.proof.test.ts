// Slow: a real browser.
/** Where something would be left out silently, the dashboard says so, with the way to change it. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Client, createClient } from '@headwater/sdk';
import { closePage, faultsOf, openPage } from './open-page.ts';
import type { Account } from './service.ts';
import { browser, service } from './shared.ts';

describe('hints', () => {
  let client: Client;
  let account: Account;

  before(async () => {
    account = await service.newAccount('New shop');
    await service.makeOwner(account.id);
    client = createClient({ baseUrl: service.url, token: account.token });
  });

  it('a collection shows the URL that reads it, and which references are left out', async () => {
    const title = { id: 'title', label: 'Title', type: 'text' as const };
    const authors = await client.createCollection({ name: 'Authors', fields: [title] });
    const author = { id: 'author', label: 'Author', type: 'text' as const, format: 'reference' as const };
    const posts = await client.createCollection({
      ...{ name: 'Posts', key: 'posts', publishing: true },
      fields: [title, { ...author, collectionIds: [authors.id] }],
    });
    const path = { collectionId: posts.id };
    const { id: entryId } = await client.createEntry(path, { values: { title: 'Hello' } });
    await client.publishEntry({ ...path, entryId }, {});
    const { page, complaints } = await openPage(browser, service.url, {}, `/content/${posts.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'API' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use Posts' });
    const shown = async (name: string) => (await dialog.getByRole('group', { name, exact: true }).textContent()) ?? '';
    await dialog.getByText('Only secret tokens read this collection').waitFor();
    const own = await fetch(await shown('URL'), { headers: { 'x-api-key': `Bearer ${account.token}` } });
    assert.equal(own.status, 200);
    assert.equal(await shown('ID'), posts.id);
    assert.equal(await shown('Key'), 'posts');
    const hidden = await fetch(`${service.url}/v1/content/posts?key=${account.apiKey}`);
    assert.match(await hidden.text(), /There is no such public collection/);

    await dialog.getByRole('link', { name: 'Fields' }).click();
    await page.getByRole('switch', { name: 'Public' }).click();
    await page.getByText('Authors is not public: your site does not receive references').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'API' }).click();
    await dialog.getByText('References that your site does not receive').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    const [, url = ''] = /curl '(.+)'/.exec(await shown('Request')) ?? [];
    const response = await fetch(url);
    const { entries } = (await response.json()) as { entries: { values: { title: string } }[] };
    assert.deepEqual(
      entries.map(({ values }) => values.title),
      ['Hello'],
    );
    const graphiql = await dialog.getByRole('link', { name: 'GraphiQL' }).getAttribute('href');

    await page.goto(String(graphiql));
    await page.getByLabel('API key').fill(account.token);
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    const result = page.getByRole('region', { name: 'Result Window' });
    await result.getByText(entryId).waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query' }).waitFor();
    // Decision 0110 says why.
    const known = /^(nested-interactive|scrollable-region-focusable):/;
    assert.deepEqual(
      (await faultsOf(page)).filter((fault) => !known.test(fault)),
      [],
    );
    await page.getByLabel('API key').fill('hw_pk_wrong');
    await page.getByRole('button', { name: 'Use key' }).click();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await result.getByText('"status": 401').waitFor();
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })), /hw_/);
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a visit of a bot is shown where the first visit is awaited', async () => {
    const { page, complaints } = await openPage(browser, service.url, {}, '/settings/installation');
    await page.getByText('No visits yet').waitFor();
    const hint = page.getByText('A visit was received, but reports leave it out');
    assert.equal(await hint.count(), 0);
    await fetch(`${service.url}/v1/visits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      body: JSON.stringify({ api_key: account.apiKey, url: 'https://shop.example/' }),
    });
    await hint.waitFor();
    await page.getByText('is by a bot').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create publishable key' }).count(), 0, 'it has one');
    assert.deepEqual(await faultsOf(page), []);
    await page.goto('/overview');
    await hint.waitFor();
    assert.deepEqual(complaints, []);
    await closePage(page);
  });

  it('a webhook to a private address names the setting that allows it', async () => {
    const { page } = await openPage(browser, service.url, {}, '/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://10.1.2.3/hook');
    const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('WEBHOOK_ALLOW_CIDRS').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await closePage(page);
  });
});
