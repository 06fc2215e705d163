// Slow: a real browser.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { browser, PERSON } from '../../tracker/test/browser.ts';
import { htmlOf, openSite } from '../../tracker/test/site.ts';
import { faultsOf } from './open-page.ts';
import { OWNER, startDashboardService } from './service.ts';

const service = await startDashboardService();

/** Creates a key in the open dialog and returns the secret that is shown once. */
async function makeKey(page: Page): Promise<string> {
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByRole('group', { name: 'New key' }).textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved it' }).click();
  return key;
}

/** Counts the clicks of the user, except on tabs, and the fields that they type in, in all pages of a context. */
async function countUse(context: BrowserContext) {
  const used = { clicks: 0, fields: new Set<string>() };
  await context.exposeFunction('recordClick', () => {
    used.clicks++;
  });
  await context.exposeFunction('recordField', (name: string) => {
    used.fields.add(name);
  });
  await context.addInitScript(`
    addEventListener('click', ({ isTrusted, target }) => isTrusted && !target.closest('[role=tab]') && recordClick(), true);
    addEventListener('input', ({ target }) => recordField(target.name || target.labels?.[0]?.textContent || target.id), true);
  `);
  return used;
}

const textOf = async (page: Page, name: string) => (await page.getByRole('group', { name }).textContent()) ?? '';

it('first day: from the first-run link to a key, the snippet, a visit, a sale and the overview', async () => {
  const link = await service.firstRunLink();
  // The account gets the currency of the browser's country: euros.
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-IE', baseURL: service.url });
  const used = await countUse(context);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByText('There are no users yet').waitFor();
  await page.goto(link);
  await page.getByLabel('Account name').fill('First shop');
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('heading', { name: 'Publish content' }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByRole('link', { name: 'Install the script' }).click();

  // The page's own snippet, with the key of the account in it, on a page of another site.
  await page.getByRole('heading', { name: 'Installation' }).waitFor();
  const isDone = (step: string) =>
    page
      .getByRole('status', { name: `${step}: status` })
      .getByText('Done')
      .waitFor();
  await page.getByRole('status', { name: 'Script: status' }).getByText('Waiting').waitFor();
  await page.getByText('No visits yet').waitFor();
  const snippet = await textOf(page, 'Snippet');
  const apiKey = /apiKey:'(hw_pk_\w+)'/.exec(snippet)?.[1] ?? '';
  assert.match(apiKey, /^hw_pk_/);
  for (const platform of ['Google Tag Manager', 'Next.js', 'WordPress', 'Shopify', 'Webflow']) {
    await page.getByRole('tab', { name: platform }).click();
    assert((await textOf(page, 'Snippet')).includes(apiKey), platform);
  }
  assert.deepEqual(await faultsOf(page), []);
  const port = await openSite(() => ({ body: htmlOf(snippet) }));
  const visitor = await browser.newContext(PERSON);
  const shop = await visitor.newPage();
  await shop.goto(`http://shop.test:${port}/start?gclid=first-click&utm_source=google&utm_campaign=launch`);
  const tracked = await shop.evaluate(`headwater.track('signup', { email: 'ida@outdoor.example' })`);
  assert.equal((tracked as { success: boolean }).success, true);
  await page.getByText('Receiving data').waitFor();
  await isDone('Script');
  await isDone('First event');

  // The shop's back end, which kept the click's id, and an ad network that can only call an address.
  await page.getByRole('button', { name: 'Create secret token' }).click();
  const token = await makeKey(page);
  assert.match(token, /^hw_sk_/);
  for (const language of ['curl', 'Node', 'PHP', 'Python']) {
    await page.getByRole('tab', { name: language }).click();
    assert((await textOf(page, 'Request')).includes(token), language);
  }
  const sell = async (value: number) => {
    const response = await fetch(`${service.url}/v1/analytics/report-conversion`, {
      method: 'POST',
      headers: { 'x-api-key': `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ gclid: 'first-click', eventId: 'order-1', value, currency: 'EUR' }),
    });
    assert.equal(((await response.json()) as { status: string }).status, 'reported');
  };
  await sell(129.9);
  await isDone('First conversion from your server');
  await page.getByRole('button', { name: 'Create postback key' }).click();
  await makeKey(page);
  const macros: Record<string, string> = { gclid: 'first-click', value: '20', order_id: 'order-2' };
  const address = (await textOf(page, 'Postback URL')).replace(/\{(\w+)\}/g, (_, name) => macros[name] ?? '');
  assert.equal(((await (await fetch(address)).json()) as { status: string }).status, 'reported');

  await isDone('Postback URL');

  const stat = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} ?[€0-9]`) });
  await page.getByRole('link', { name: 'Analytics' }).click();
  await stat('Revenue').filter({ hasText: '€149.90' }).waitFor();
  // What follows is not needed to see the first sale, nor is the choice of other platforms and languages.
  assert(used.clicks > 0 && used.clicks <= 14, `${used.clicks} clicks`);
  assert.equal(used.fields.size, 4, [...used.fields].join(', '));
  for (const [name, text] of Object.entries({ Visitors: '1', Visits: '1', Leads: '1', Conversions: '2' }))
    assert.match((await stat(name).textContent()) ?? '', new RegExp(`^${name}${text}`));
  await page.getByRole('button', { name: /^google/ }).waitFor();
  await sell(99.9);
  await page.reload();
  await stat('Revenue').filter({ hasText: '€119.90' }).waitFor();

  // A secret token is shown once; a publishable key is not secret and always shown.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('main').getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell', { name: 'Shop back end', exact: true }).waitFor();
  await page.getByText(apiKey).waitFor();
  assert(!(await page.content()).includes(token));

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Incorrect email or password').waitFor();
  await context.close();
  await visitor.close();
});
